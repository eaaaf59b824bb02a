package bankml_test

import (
	"math"
	"slices"
	"testing"

	"github.com/bankml/bankml/bindings/go/bankml"
)

// Real trouble of other samplers, through this package; each test carries the id of its case.

func TestB38PenaltyCountsOnceAndTheGeneratorGoesOn(t *testing.T) {
	s := neutral(t, 1, bankml.WithRepeatPenalty(2))
	succeed(t, s.Keep(true))
	succeed(t, s.Accept(0, 0, 0))
	sample(t, s, []float32{4})
	if kept, err := s.Candidates(nil); err != nil || kept[0].Logit != 2 {
		t.Error(kept, err)
	}
	tokens := flat(t, neutral(t, 1000, bankml.WithRepeatPenalty(2), bankml.WithSeed(1)), 20)
	if len(slices.Compact(slices.Clone(tokens))) == 1 {
		t.Error(tokens)
	}
}

func TestB59MirostatsMuBelongsToItsSampler(t *testing.T) {
	for _, version := range []int{1, 2} {
		var alone, together [2][]int32
		var pair [2]*bankml.Sampler
		for i := range pair {
			options := []bankml.Option{bankml.WithNVocab(300), bankml.With("mirostat", version), bankml.WithSeed(uint32(i))}
			alone[i] = stream(t, made(t, options...), 0, 40)
			pair[i] = made(t, options...)
		}
		for k := range 40 {
			for i, s := range pair {
				together[i] = append(together[i], stream(t, s, k, 1)...)
			}
		}
		for i := range pair {
			if !slices.Equal(alone[i], together[i]) {
				t.Errorf("version %d, sampler %d: %v, not %v", version, i, together[i], alone[i])
			}
		}
	}
}

func TestB67DefaultSeedIsRandomReadableAndReplays(t *testing.T) {
	first := map[int32]bool{}
	for range 20 {
		first[flat(t, neutral(t, 1000), 1)[0]] = true
	}
	if len(first) < 2 {
		t.Error("20 samplers began with the same token")
	}
	s := neutral(t, 1000)
	if s.Seed() == math.MaxUint32 {
		t.Error("the seed in use is not reported")
	}
	if a, b := flat(t, s, 20), flat(t, neutral(t, 1000, bankml.WithSeed(s.Seed())), 20); !slices.Equal(a, b) {
		t.Errorf("%v\n%v", a, b)
	}
}

func TestB68Seed0IsAFixedSeed(t *testing.T) {
	zero := func() []int32 { return flat(t, neutral(t, 1000, bankml.WithSeed(0)), 20) }
	if a, b := zero(), zero(); !slices.Equal(a, b) {
		t.Errorf("%v\n%v", a, b)
	}
	seeds := map[uint32]bool{}
	for range 10 {
		seeds[neutral(t, 8, bankml.WithSeed(math.MaxUint32)).Seed()] = true
		seeds[neutral(t, 8, bankml.With("seed", -1)).Seed()] = true
	}
	if len(seeds) < 2 || seeds[math.MaxUint32] {
		t.Error(seeds)
	}
}

func TestB70ResetReplaysAGivenSeedAndReplacesARandomOne(t *testing.T) {
	fixed := neutral(t, 1000, bankml.WithSeed(5))
	first := flat(t, fixed, 5)
	succeed(t, fixed.Reset())
	if again := flat(t, fixed, 5); fixed.Seed() != 5 || !slices.Equal(again, first) {
		t.Errorf("%v, not %v", again, first)
	}
	random := neutral(t, 1000)
	seeds := map[uint32]bool{random.Seed(): true}
	for range 5 {
		flat(t, random, 2)
		succeed(t, random.Reset())
		seeds[random.Seed()] = true
	}
	if len(seeds) < 2 {
		t.Error("reset kept the random seed")
	}
	if a, b := flat(t, random, 20), flat(t, neutral(t, 1000, bankml.WithSeed(random.Seed())), 20); !slices.Equal(a, b) {
		t.Errorf("%v\n%v", a, b)
	}
}

func TestB71ChildrenUseTheSeedPlusTheirIndex(t *testing.T) {
	p, err := bankml.NewParams(bankml.WithTopK(0), bankml.WithTopP(1), bankml.WithMinP(0), bankml.WithTemperature(1))
	succeed(t, err)
	defer p.Close()
	var streams [3][]int32
	for j := range streams {
		child := made(t, bankml.WithParams(p), bankml.WithNVocab(1000), bankml.WithSeed(7+uint32(j)))
		streams[j] = flat(t, child, 20)
		if alone := flat(t, neutral(t, 1000, bankml.WithSeed(7+uint32(j))), 20); !slices.Equal(streams[j], alone) {
			t.Errorf("child %d: %v, not %v", j, streams[j], alone)
		}
	}
	if slices.Equal(streams[0], streams[1]) || slices.Equal(streams[1], streams[2]) || slices.Equal(streams[0], streams[2]) {
		t.Error(streams)
	}
}

func TestB74ARequestIsReproducibleBesideOthers(t *testing.T) {
	alone := flat(t, neutral(t, 500, bankml.WithSeed(5)), 30)
	a, b := neutral(t, 500, bankml.WithSeed(5)), neutral(t, 500, bankml.WithSeed(6))
	var beside []int32
	for range 30 {
		flat(t, b, 1)
		beside = append(beside, flat(t, a, 1)...)
	}
	if !slices.Equal(alone, beside) {
		t.Errorf("%v\n%v", alone, beside)
	}
}

func TestB76ResetReplaysCloneContinuesAndNothingLeaks(t *testing.T) {
	for stage, request := range map[string]string{
		"penalties":   `{"repeat_penalty": 1.3, "frequency_penalty": 0.2, "presence_penalty": 0.1}`,
		"dry":         `{"dry_multiplier": 0.9, "dry_allowed_length": 1, "dry_sequence_breakers": ["\n"]}`,
		"mirostat":    `{"mirostat": 1}`,
		"mirostat_v2": `{"mirostat": 2}`,
		"xtc":         `{"xtc_probability": 0.5, "xtc_threshold": 0.01}`,
		"adaptive_p":  `{"samplers": ["top_k", "adaptive_p"], "adaptive_target": 0.4}`,
		"dist":        `{}`,
	} {
		t.Run(stage, func(t *testing.T) {
			pieces := make([]string, 60)
			for i := range pieces {
				pieces[i] = string(rune('0' + i))
			}
			options := []bankml.Option{bankml.WithVocab(vocab(t, pieces, nil, -1, -1)), bankml.WithRequest(request), bankml.WithSeed(11)}
			s := made(t, options...)
			if !slices.Contains(s.Steps(), stage) {
				t.Fatalf("the chain %q has no step %s", s.Steps(), stage)
			}
			clone := func() *bankml.Sampler {
				copied, err := s.Clone()
				succeed(t, err)
				t.Cleanup(func() { copied.Close() })
				return copied
			}
			same := func(what string, got, want []int32) {
				if !slices.Equal(got, want) {
					t.Errorf("%s: %v, not %v", what, got, want)
				}
			}
			first := stream(t, s, 0, 100)
			same("a fresh object", stream(t, made(t, options...), 0, 100), first)
			succeed(t, s.Reset())
			same("reset", stream(t, s, 0, 50), first[:50])
			fed, untouched := clone(), clone()
			same("the original", stream(t, s, 50, 50), first[50:])
			succeed(t, fed.Accept(slices.Repeat([]int32{1, 2, 3}, 10)...))
			same("the clone", stream(t, untouched, 50, 50), first[50:])
			succeed(t, s.Reset())
			same("reset again", stream(t, s, 0, 100), first)
		})
	}
}
