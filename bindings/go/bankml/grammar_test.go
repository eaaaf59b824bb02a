package bankml_test

import (
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/bankml/bankml/bindings/go/bankml"
)

const (
	grammarEOS    = 257
	grammarNVocab = 258
	grammarWords  = (grammarNVocab + 31) / 32
)

// byteVocab has 256 byte tokens, a control token and an end token.
func byteVocab(t testing.TB) *bankml.Vocab {
	t.Helper()
	var pieces []string
	flags := make([]bankml.TokenFlags, grammarNVocab)
	for i := range 256 {
		pieces = append(pieces, string([]byte{byte(i)}))
	}
	flags[256], flags[grammarEOS] = bankml.TokenControl, bankml.TokenControl|bankml.TokenEOG
	v, err := bankml.NewVocab(append(pieces, "<tool>", "</s>"), flags, grammarEOS, -1)
	succeed(t, err)
	t.Cleanup(func() { v.Close() })
	return v
}

func grammar(t testing.TB, gbnf string, options ...bankml.GrammarOption) *bankml.Grammar {
	t.Helper()
	g, err := bankml.GrammarFromGBNF(byteVocab(t), gbnf, options...)
	succeed(t, err)
	t.Cleanup(func() { g.Close() })
	return g
}

func ids(text string) (ids []int32) {
	for _, b := range []byte(text) {
		ids = append(ids, int32(b))
	}
	return ids
}

func allowed(t testing.TB, g *bankml.Grammar) (ids []int32) {
	t.Helper()
	mask := make([]uint32, grammarWords)
	succeed(t, g.Mask(mask))
	for i := range 32 * grammarWords {
		if mask[i/32]>>(i%32)&1 != 0 {
			ids = append(ids, int32(i))
		}
	}
	return ids
}

func isTrue(t testing.TB, holds bool, err error) bool {
	t.Helper()
	succeed(t, err)
	return holds
}

func places(t testing.TB, g *bankml.Grammar, want string) {
	t.Helper()
	if got := allowed(t, g); !slices.Equal(got, ids(want)) {
		t.Errorf("%v is allowed, not %q", got, want)
	}
}

func complete(t testing.TB, g *bankml.Grammar) bool {
	t.Helper()
	holds, err := g.IsComplete()
	return isTrue(t, holds, err)
}

func fits(t testing.TB, g *bankml.Grammar, token int32) bool {
	t.Helper()
	holds, err := g.Test(token)
	return isTrue(t, holds, err)
}

func TestGrammarWalk(t *testing.T) {
	g := grammar(t, `root ::= "ab" [0-9]+`)
	places(t, g, "a")
	if forced, err := g.Forced(); err != nil || forced != "ab" {
		t.Error(forced, err)
	}
	if !fits(t, g, 'a') || fits(t, g, 'b') || fits(t, g, 100000) || complete(t, g) || g.NVocab() != grammarNVocab {
		t.Error("the start")
	}
	succeed(t, g.Accept('a'))
	succeed(t, g.Accept(ids("b12")...))
	succeed(t, g.Accept())
	if forced, err := g.Forced(); err != nil || forced != "" || !complete(t, g) || !fits(t, g, grammarEOS) {
		t.Error("the end", forced, err)
	}
	succeed(t, g.Accept(grammarEOS))
	succeed(t, g.Rollback(1))
	succeed(t, g.Rollback(3))
	places(t, g, "b")
	succeed(t, g.Reset())
	places(t, g, "a")
	if filled, err := g.Warm(10); err != nil || filled < 1 || g.Bytes() == 0 {
		t.Error(filled, err)
	}
}

func TestMasksAreWrittenInPlace(t *testing.T) {
	g := grammar(t, `root ::= "x"`)
	mask := slices.Repeat([]uint32{77}, grammarWords+4)
	succeed(t, g.Mask(mask[1:grammarWords+3]))
	want := make([]uint32, grammarWords+4)
	want[0], want[grammarWords+3], want[1+'x'/32] = 77, 77, 1<<('x'%32)
	if !slices.Equal(mask, want) {
		t.Error(mask)
	}
	fails(t, g.Mask(mask[:grammarWords-1]), bankml.ErrLength, "258 tokens need 9")
	fails(t, g.Mask(nil), bankml.ErrLength)
}

func TestConstrainedDrawsAreHandMadeRedraws(t *testing.T) {
	g := grammar(t, `root ::= [a-z]+ "!"`)
	s, twin := neutral(t, grammarNVocab+40, bankml.WithSeed(3)), neutral(t, grammarNVocab+40, bankml.WithSeed(3))
	mask := make([]uint32, (grammarNVocab+40+31)/32)
	redraws := 0
	for i := range 60 {
		logits := row(grammarNVocab+40, int64(i))
		logits['a'+i%26] += 7
		token, redrawn, err := s.SampleConstrained(logits, g, false)
		succeed(t, err)
		want := sample(t, twin, logits)
		again := !fits(t, g, want)
		succeed(t, g.Mask(mask))
		if again {
			want, err = twin.SampleMasked(logits, mask)
			succeed(t, err)
			redraws++
		}
		if token != want || redrawn != again {
			t.Fatalf("%d, %v instead of %d, %v", token, redrawn, want, again)
		}
		if token == '!' {
			succeed(t, g.Reset())
		} else {
			succeed(t, g.Accept(token))
		}
		succeed(t, g.Mask(mask))
		token, redrawn, err = s.SampleConstrained(logits, g, true)
		succeed(t, err)
		if want, err = twin.SampleMasked(logits, mask); err != nil || token != want || redrawn {
			t.Fatal(token, want, redrawn, err)
		}
	}
	if redraws < 5 || redraws == 60 {
		t.Errorf("%d redraws", redraws)
	}
}

func TestWhatAGrammarRefuses(t *testing.T) {
	v := byteVocab(t)
	g, other, dead := grammar(t, `root ::= "ab" [0-9]+`), grammar(t, `root ::= "x"`), grammar(t, "root ::= [z-a]")
	fails(t, g.Accept('b'), bankml.ErrReject, "Grammar.Accept")
	fails(t, g.Accept(ids("ax")...), bankml.ErrReject)
	fails(t, g.Accept(grammarEOS), bankml.ErrReject)
	fails(t, g.Accept(grammarNVocab), bankml.ErrToken)
	_, err := g.Test(-1)
	fails(t, err, bankml.ErrToken)
	fails(t, g.Rollback(1), bankml.ErrInvalidArgument)
	fails(t, g.Rollback(-1), bankml.ErrInvalidArgument)
	_, err = g.Warm(-1)
	fails(t, err, bankml.ErrInvalidArgument)
	foreign, err := other.Save()
	succeed(t, err)
	for _, saved := range [][]byte{nil, make([]byte, 50), foreign} {
		fails(t, g.Load(saved), bankml.ErrState)
	}
	places(t, g, "a")

	s, small, twin := made(t, bankml.WithNVocab(grammarNVocab), bankml.WithSeed(1)), made(t, bankml.WithNVocab(9)), (*bankml.Grammar)(nil)
	logits := row(grammarNVocab, 1)
	_, _, err = s.SampleConstrained(logits, dead, false)
	fails(t, err, bankml.ErrNoCandidate)
	_, _, err = s.SampleConstrained(logits[1:], g, false)
	fails(t, err, bankml.ErrLength)
	_, _, err = small.SampleConstrained(logits[:9], g, false)
	fails(t, err, bankml.ErrInvalidArgument, "258 tokens")
	_, _, err = s.SampleConstrained(logits, twin, false)
	fails(t, err, bankml.ErrInvalidArgument, "nil")
	if holds, err := dead.IsDead(); !isTrue(t, holds, err) {
		t.Error("a dead grammar")
	}

	_, err = bankml.GrammarFromGBNF(v, "root ::= \"a\"\nb ::= [c")
	fails(t, err, bankml.ErrParse, "grammar, line 2, column ")
	_, err = bankml.GrammarFromGBNF(nil, "")
	fails(t, err, bankml.ErrInvalidArgument)
	const letters = "root ::= [a-z]+ [a-z]+ [a-z]+"
	for _, option := range []bankml.GrammarOption{bankml.WithMaxStates(4), bankml.WithMaxBytes(200)} {
		_, err = bankml.GrammarFromGBNF(v, letters, option)
		fails(t, err, bankml.ErrLimit, "more than max_")
	}
	for text, option := range map[string]bankml.GrammarOption{
		"max_states is 0": bankml.WithMaxStates(0), "max_bytes is -1": bankml.WithMaxBytes(-1), "zero byte": bankml.WithRoot("a\x00"),
		"must begin with": bankml.WithTokenText("x", 1),
	} {
		_, err = bankml.GrammarFromGBNF(v, letters, nil, option)
		fails(t, err, bankml.ErrInvalidArgument, text)
	}
	_, err = bankml.GrammarFromGBNF(v, letters, bankml.WithTokenText("<x>", -1))
	fails(t, err, bankml.ErrToken)
	_, err = bankml.GrammarFromGBNF(v, letters, bankml.WithRoot("other"))
	fails(t, err, bankml.ErrParse, "'other'")
}

func TestGrammarOptionsSavesAndClones(t *testing.T) {
	g := grammar(t, "value ::= <x> | <tool>", bankml.WithRoot("value"), bankml.WithTokenText("<x>", 'q'), bankml.WithMaxStates(100))
	if got := allowed(t, g); !slices.Equal(got, []int32{'q', 256}) {
		t.Error(got)
	}
	if got := allowed(t, grammar(t, "")); len(got) != grammarNVocab {
		t.Error(got)
	}
	g, other := grammar(t, `root ::= "ab" [0-9]+`), grammar(t, `root ::= "ab" [0-9]+`)
	succeed(t, g.Accept(ids("ab"+strings.Repeat("7", 5000))...))
	saved, err := g.Save()
	succeed(t, err)
	succeed(t, other.Load(saved))
	clone, err := other.Clone()
	succeed(t, err)
	defer clone.Close()
	succeed(t, clone.Rollback(5001))
	places(t, clone, "b")
	if !complete(t, other) || complete(t, clone) {
		t.Error("the clone is not its own")
	}
	fills := g.MaskFills()
	second, err := g.Clone()
	succeed(t, err)
	defer second.Close()
	allowed(t, second)
	allowed(t, g)
	if second.MaskFills() > fills+1 {
		t.Error("clones do not share masks")
	}
}

func TestLazyGrammars(t *testing.T) {
	const gbnf = `root ::= "<call>" [a-z]+ "()"`
	tool := bankml.WithTriggerToken(256)
	for before, trigger := range map[string]bankml.GrammarOption{
		"<call>":       bankml.WithTriggerWord("<call>"),
		"!<call>":      bankml.WithTriggerPattern("!+(<c[a-z]*>)$"),
		"so it <call>": bankml.WithTriggerPatternFull("so [a-z]+ (<call>)"),
	} {
		g := grammar(t, gbnf, tool, trigger)
		for _, token := range ids(before) {
			if got := allowed(t, g); len(got) != grammarNVocab {
				t.Fatal(before, got)
			}
			succeed(t, g.Accept(token))
		}
		places(t, g, "abcdefghijklmnopqrstuvwxyz")
		succeed(t, g.Accept(ids("f()")...))
		if got := allowed(t, g); !slices.Equal(got, []int32{grammarEOS}) {
			t.Error(got)
		}
		succeed(t, g.Reset())
		if got := allowed(t, g); len(got) != grammarNVocab {
			t.Error(got)
		}
	}
	g := grammar(t, `root ::= <tool> "x"`, tool)
	succeed(t, g.Accept('a', 256))
	places(t, g, "x")
	fails(t, grammar(t, `root ::= "x"`, bankml.WithTriggerWord("y")).Accept('y'), bankml.ErrReject, "")
	_, err := bankml.GrammarFromGBNF(byteVocab(t), `root ::= "x"`, tool, bankml.WithTriggerPattern("ab("))
	fails(t, err, bankml.ErrParse, "trigger 1: pattern, position 3: ")
	for _, token := range []int32{-1, grammarNVocab} {
		_, err = bankml.GrammarFromGBNF(byteVocab(t), `root ::= "x"`, bankml.WithTriggerToken(token))
		fails(t, err, bankml.ErrToken, "")
	}
	_, err = bankml.GrammarFromGBNF(byteVocab(t), `root ::= "x"`, bankml.WithTriggerPattern("a{9999}{9999}"))
	fails(t, err, bankml.ErrLimit, ": more than ")
}

func TestStrictDialect(t *testing.T) {
	g := grammar(t, "root ::= [^a]*", bankml.WithDialect("strict"))
	var want []int32
	for b := range int32(0xF5) {
		if b != 'a' && (b < 0x80 || b >= 0xC2) {
			want = append(want, b)
		}
	}
	if got := allowed(t, g); !slices.Equal(got, append(want, grammarEOS)) {
		t.Error(got)
	}
	succeed(t, g.Accept(0xE2))
	if got := allowed(t, g); len(got) != 64 || got[0] != 0x80 || complete(t, g) {
		t.Error(got)
	}
	_, err := bankml.GrammarFromGBNF(byteVocab(t), "", bankml.WithDialect("other"))
	fails(t, err, bankml.ErrInvalidArgument, "dialect is 'other'")
}

func TestSchemas(t *testing.T) {
	v := byteVocab(t)
	g, err := bankml.GrammarFromSchema(v, `{"properties":{"a":{"type":"integer"}},"required":["a"]}`)
	succeed(t, err)
	defer g.Close()
	text, err := g.GBNF()
	succeed(t, err)
	places(t, grammar(t, text), "{")
	succeed(t, g.Accept(ids(`{"a": 12}`)...))
	if got := allowed(t, g); !slices.Equal(got, []int32{grammarEOS}) {
		t.Error(got)
	}
	_, err = bankml.GrammarFromSchema(v, `{"type":"odd"}`)
	fails(t, err, bankml.ErrSchema, "JSON schema error at #: unrecognized type odd")
	_, err = bankml.GrammarFromSchema(v, `{}`, bankml.WithDialect("strict"))
	fails(t, err, bankml.ErrSchema, "dialect = llama")
	_, err = bankml.GrammarFromSchema(v, `{`)
	fails(t, err, bankml.ErrInvalidArgument, "")
}

func TestClosedGrammar(t *testing.T) {
	v := byteVocab(t)
	g, err := bankml.GrammarFromGBNF(v, `root ::= "a"`)
	succeed(t, err)
	succeed(t, g.Close())
	succeed(t, g.Close())
	s, logits := made(t, bankml.WithNVocab(grammarNVocab)), row(grammarNVocab, 1)
	for name, call := range map[string]func(*bankml.Grammar) error{
		"Grammar.Mask":              func(g *bankml.Grammar) error { return g.Mask(make([]uint32, grammarWords)) },
		"Grammar.Test":              func(g *bankml.Grammar) error { _, err := g.Test(1); return err },
		"Grammar.Accept":            func(g *bankml.Grammar) error { return g.Accept(1) },
		"Grammar.Rollback":          func(g *bankml.Grammar) error { return g.Rollback(0) },
		"Grammar.Reset":             func(g *bankml.Grammar) error { return g.Reset() },
		"Grammar.IsComplete":        func(g *bankml.Grammar) error { _, err := g.IsComplete(); return err },
		"Grammar.IsDead":            func(g *bankml.Grammar) error { _, err := g.IsDead(); return err },
		"Grammar.Forced":            func(g *bankml.Grammar) error { _, err := g.Forced(); return err },
		"Grammar.Save":              func(g *bankml.Grammar) error { _, err := g.Save(); return err },
		"Grammar.Load":              func(g *bankml.Grammar) error { return g.Load(nil) },
		"Grammar.Warm":              func(g *bankml.Grammar) error { _, err := g.Warm(1); return err },
		"Grammar.Clone":             func(g *bankml.Grammar) error { _, err := g.Clone(); return err },
		"Sampler.SampleConstrained": func(g *bankml.Grammar) error { _, _, err := s.SampleConstrained(logits, g, false); return err },
	} {
		fails(t, call(g), bankml.ErrClosed, name, "closed")
		fails(t, call(new(bankml.Grammar)), bankml.ErrClosed, name) // one that GrammarFromGBNF did not make
	}
	if g.Bytes() != 0 || g.MaskFills() != 0 {
		t.Error("values of a closed grammar")
	}
	succeed(t, v.Close())
	_, err = bankml.GrammarFromGBNF(v, "")
	fails(t, err, bankml.ErrClosed, "vocabulary")
}

// Clones in many goroutines find each other's masks; one that all share is locked; draws beside them are their own.
func TestGrammarsInManyGoroutines(t *testing.T) {
	const text = `root ::= ("a" root | [b-f] root "x")?`
	shared := grammar(t, text)
	var group sync.WaitGroup
	for k := range 6 {
		mine, err := shared.Clone()
		succeed(t, err)
		fresh, s, twin := grammar(t, text), neutral(t, grammarNVocab, bankml.WithSeed(uint32(k))), neutral(t, grammarNVocab, bankml.WithSeed(uint32(k)))
		group.Add(1)
		go func() {
			defer group.Done()
			defer mine.Close()
			logits, mask, want := row(grammarNVocab, int64(k)), make([]uint32, grammarWords), make([]uint32, grammarWords)
			for range 200 {
				if err := shared.Mask(mask); err != nil {
					t.Error(err)
				}
				if mine.Mask(mask) != nil || fresh.Mask(want) != nil || !slices.Equal(mask, want) {
					t.Error("other masks")
				}
				token, redrawn, err := s.SampleConstrained(logits, mine, false)
				other, again, _ := twin.SampleConstrained(logits, fresh, false)
				if err != nil || token != other || redrawn != again {
					t.Error(token, other, err)
				}
				if token != grammarEOS && (mine.Accept(token) != nil || fresh.Accept(token) != nil) {
					t.Error("the drawn token is refused")
				}
			}
		}()
	}
	group.Wait()
}
