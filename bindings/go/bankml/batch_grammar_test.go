package bankml_test

import (
	"testing"

	"github.com/bankml/bankml/bindings/go/bankml"
)

// Batches whose items have grammars: the tokens and redraws of single constrained draws; refusals change nothing.

var batchGrammars = []string{`root ::= "ab" [0-9]+`, `root ::= [a-z]*`, `root ::= ("x" | "yz") "!"`}

func TestBatchesWithGrammarsEqualSingleDraws(t *testing.T) {
	everyWay(t, grammarNVocab, func(t *testing.T, _ string, draw func([]bankml.BatchItem) error) {
		batched, single := batchSamplers(t, 8, grammarNVocab), batchSamplers(t, 8, grammarNVocab)
		var rules, places [8]*bankml.Grammar
		for i := range rules {
			if i%4 != 3 { // the others have none
				rules[i], places[i] = grammar(t, batchGrammars[i%4]), grammar(t, batchGrammars[i%4])
			}
		}
		redraws := 0
		for step := range int64(12) {
			items := batchItems(batched, step)
			for i := range items {
				items[i].Grammar, items[i].First = rules[i], step%3 == 0
			}
			succeed(t, draw(items))
			for i, item := range items {
				succeed(t, item.Err)
				if rules[i] == nil {
					if want := sample(t, single[i], item.Logits); item.Token != want || item.Redrawn {
						t.Fatalf("step %d, item %d: %d, %v instead of %d", step, i, item.Token, item.Redrawn, want)
					}
					continue
				}
				want, again, err := single[i].SampleConstrained(item.Logits, places[i], item.First)
				succeed(t, err)
				if item.Token != want || item.Redrawn != again {
					t.Fatalf("step %d, item %d: %d, %v instead of %d, %v", step, i, item.Token, item.Redrawn, want, again)
				}
				if again {
					redraws++
				}
				for _, g := range []*bankml.Grammar{rules[i], places[i]} {
					succeed(t, g.Accept(want))
					if complete(t, g) {
						succeed(t, g.Reset())
					}
				}
			}
		}
		if redraws == 0 {
			t.Error("no redraw")
		}
	})
}

func TestBatchItemsWithGrammarsFailAlone(t *testing.T) {
	s := batchSamplers(t, 6, grammarNVocab)
	shut := grammar(t, batchGrammars[0])
	shut.Close()
	items := batchItems(s, 1)
	items[0].Grammar = grammar(t, "root ::= [z-a]")
	items[1].Grammar = shut
	items[2].Grammar = new(bankml.Grammar)
	items[3].Grammar, items[3].Mask = grammar(t, "root ::= .*"), make([]uint32, grammarWords)
	items[4].Grammar, items[4].First = grammar(t, `root ::= "ab"`), true
	succeed(t, bankml.SampleBatch(items))
	for i, kind := range []bankml.Code{bankml.ErrNoCandidate, bankml.ErrClosed, bankml.ErrClosed, bankml.ErrInvalidArgument} {
		fails(t, items[i].Err, kind)
		if items[i].Token != -1 || items[i].Redrawn {
			t.Error(i, items[i].Token)
		}
	}
	succeed(t, items[4].Err)
	succeed(t, items[5].Err)
	if items[4].Token != 'a' || items[4].Redrawn {
		t.Error(items[4].Token, items[4].Redrawn)
	}
}

func TestTwoItemsCannotHaveOneGrammar(t *testing.T) {
	s := batchSamplers(t, 3, grammarNVocab)
	g := grammar(t, batchGrammars[1])
	items := batchItems(s, 1)
	items[0].Grammar, items[2].Grammar = g, g
	fails(t, bankml.SampleBatch(items), bankml.ErrInvalidArgument, "items 0 and 2 have the same grammar")
	perf, err := s[0].Perf(false)
	succeed(t, err)
	if perf.Draws != 0 {
		t.Error("it drew")
	}
}
