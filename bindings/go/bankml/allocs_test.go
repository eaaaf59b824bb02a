//go:build !race

package bankml_test

import (
	"slices"
	"testing"

	"github.com/bankml/bankml/bindings/go/bankml"
)

// The calls of a generation loop allocate nothing in Go. (The race detector allocates itself.)
func TestNoAllocations(t *testing.T) {
	const n = 1000
	s := made(t, bankml.WithNVocab(n), bankml.WithRepeatPenalty(1.1), bankml.WithSeed(1))
	succeed(t, s.Keep(true))
	logits, mask := row(n, 1), slices.Repeat([]uint32{1<<32 - 1}, (n+31)/32)
	ids, scores := []int32{5, 9, 2}, []float32{1, 2, 3}
	top, kept := make([]bankml.TokenProb, 10), make([]bankml.Candidate, 64)
	prompt := []int32{1, 2, 3}
	g, free, scored, words := grammar(t, "root ::= [a-z]*"), neutral(t, grammarNVocab), row(grammarNVocab, 1), make([]uint32, grammarWords)
	stop, room := stopOf(t, []string{"END"}), make([]byte, 0, 64)
	for name, call := range map[string]func() error{
		"Stop.Feed":        func() error { _, err := stop.Feed(room, "text EN"); return err },
		"Sample":           func() error { _, err := s.Sample(logits); return err },
		"SampleMasked":     func() error { _, err := s.SampleMasked(logits, mask); return err },
		"SampleCandidates": func() error { _, err := s.SampleCandidates(ids, scores); return err },
		"Accept one":       func() error { return s.Accept(7) },
		"Accept many":      func() error { return s.Accept(prompt...) },
		"Accept some":      func() error { return s.Accept(1, 2) },
		"TokenProbs":       func() error { _, _, err := s.TokenProbs(logits, 3, top); return err },
		"PostProbs":        func() error { _, err := s.PostProbs(top); return err },
		"Candidates":       func() error { _, err := s.Candidates(kept); return err },
		"Constrained":      func() error { _, _, err := free.SampleConstrained(scored, g, false); return err },
		"Mask":             func() error { return g.Mask(words) },
		"Test":             func() error { _, err := g.Test('a'); return err },
		"Grammar.Accept":   func() error { return g.Accept(grammarEOS) },
	} {
		succeed(t, func() error { _, err := s.Sample(logits); return err }()) // so that there are candidates
		if allocs := testing.AllocsPerRun(200, func() {
			if err := call(); err != nil {
				t.Fatal(name, err)
			}
		}); allocs != 0 {
			t.Errorf("%s: %g allocations a call", name, allocs)
		}
	}
}

// Batches too, once the pool has had as many items; the collector may take what SampleBatch keeps, so there an average stands.
func TestBatchesDoNotAllocate(t *testing.T) {
	const n, count = 1000, 64
	items := batchItems(batchSamplers(t, count, n), 1)
	for i := range items {
		if i%2 == 0 {
			items[i].Mask = slices.Repeat([]uint32{1<<32 - 1}, (n+31)/32)
		}
	}
	p := madePool(t, 2, n)
	for name, draw := range map[string]func([]bankml.BatchItem) error{"Pool.Sample": p.Sample, "SampleBatch": bankml.SampleBatch} {
		if allocs := testing.AllocsPerRun(200, func() { succeed(t, draw(items)) }); allocs > 1 {
			t.Errorf("%s: %g allocations a batch", name, allocs)
		}
	}
}
