package bankml_test

import (
	"math"
	"slices"
	"testing"

	"github.com/bankml/bankml/bindings/go/bankml"
)

// Every method once, with a small exact expectation.

func TestSample(t *testing.T) {
	s := made(t, bankml.WithNVocab(5), bankml.WithTemperature(0))
	if token := sample(t, s, []float32{0.5, 2, -1, 3.5, 3}); token != 3 {
		t.Error(token)
	}
}

func TestSampleMasked(t *testing.T) {
	s := made(t, bankml.WithNVocab(40), bankml.WithTemperature(0))
	logits := make([]float32, 40)
	logits[3], logits[33], logits[35] = 9, 7, 8
	if token, err := s.SampleMasked(logits, []uint32{1, 1<<1 | 1<<0}); err != nil || token != 33 {
		t.Error(token, err)
	}
	logits[3] = inf // forbidden, so nobody looks at it
	if token, err := s.SampleMasked(logits, []uint32{0, 1 << 3, 7}); err != nil || token != 35 {
		t.Error(token, err)
	}
	_, err := s.SampleMasked(logits, []uint32{0, 0})
	fails(t, err, bankml.ErrNoCandidate)
	_, err = s.SampleMasked(logits, []uint32{1})
	fails(t, err, bankml.ErrLength, "1 words")
	_, err = s.SampleMasked(logits, nil)
	fails(t, err, bankml.ErrLength, "0 words")
}

func TestSampleCandidates(t *testing.T) {
	s := made(t, bankml.WithNVocab(100), bankml.WithTemperature(0))
	if token, err := s.SampleCandidates([]int32{70, 4, 9}, []float32{1, 3, 2}); err != nil || token != 4 {
		t.Error(token, err)
	}
	for _, ids := range [][]int32{{70, 100}, {70, -1}, {70, 70}} {
		_, err := s.SampleCandidates(ids, []float32{1, 3})
		fails(t, err, bankml.ErrToken)
	}
	_, err := s.SampleCandidates([]int32{1, 2}, []float32{1})
	fails(t, err, bankml.ErrLength, "2 ids, 1 logits")
	_, err = s.SampleCandidates(nil, nil)
	fails(t, err, bankml.ErrNoCandidate)
}

func TestAccept(t *testing.T) {
	s := neutral(t, 4, bankml.WithRepeatPenalty(2))
	succeed(t, s.Keep(true))
	succeed(t, s.Accept(1))
	succeed(t, s.Accept(2, 3))
	succeed(t, s.Accept())
	sample(t, s, []float32{4, 4, 4, 4})
	kept, err := s.Candidates(nil)
	succeed(t, err)
	for i, want := range []float32{4, 2, 2, 2} {
		if kept[i].ID != int32(i) || kept[i].Logit != want {
			t.Error(kept)
		}
	}
	fails(t, s.Accept(4), bankml.ErrToken, "4")
	fails(t, s.Accept(0, -1), bankml.ErrToken, "-1") // all or nothing: 0 was not accepted
	sample(t, s, []float32{4, 4, 4, 4})
	if kept, _ = s.Candidates(kept); kept[0].Logit != 4 {
		t.Error(kept)
	}
}

func TestTokenProbs(t *testing.T) {
	s := neutral(t, 4)
	logits := []float32{0, 1, 5, 3}
	dst := make([]bankml.TokenProb, 2)
	top, p, err := s.TokenProbs(logits, 1, dst)
	succeed(t, err)
	if len(top) != 2 || top[0].ID != 2 || top[1].ID != 3 || &top[0] != &dst[0] {
		t.Error(top)
	}
	if want := math.Exp(1-5) / (1 + math.Exp(-5) + math.Exp(-4) + math.Exp(-2)); math.Abs(float64(p)-want) > 1e-7 {
		t.Error(p, want)
	}
	if top, p, err = s.TokenProbs(logits, bankml.NoToken, make([]bankml.TokenProb, 9)); err != nil || len(top) != 4 || p != 0 {
		t.Error(top, p, err)
	}
	if top, p, err = s.TokenProbs(logits, 2, nil); err != nil || len(top) != 0 || p < 0.8 {
		t.Error(top, p, err)
	}
	_, _, err = s.TokenProbs(logits, 4, nil)
	fails(t, err, bankml.ErrToken, "sampled", "4")
	_, _, err = s.TokenProbs(logits[:3], 0, nil)
	fails(t, err, bankml.ErrLength)
}

func TestCandidatesAndPostProbs(t *testing.T) {
	s := neutral(t, 300, bankml.WithTopK(200))
	_, err := s.Candidates(nil)
	fails(t, err, bankml.ErrNotKept)
	_, err = s.PostProbs(make([]bankml.TokenProb, 3))
	fails(t, err, bankml.ErrNotKept)
	succeed(t, s.Keep(true))
	logits := row(300, 1)
	sample(t, s, logits)
	kept, err := s.Candidates(make([]bankml.Candidate, 0, 50))
	succeed(t, err)
	sum := float32(0)
	for _, c := range kept {
		if c.Logit != logits[c.ID] {
			t.Fatalf("token %d: %g, not %g", c.ID, c.Logit, logits[c.ID])
		}
		sum += c.P
	}
	if len(kept) != 200 || math.Abs(float64(sum)-1) > 1e-5 {
		t.Error(len(kept), sum)
	}
	again, err := s.Candidates(kept)
	if err != nil || &again[0] != &kept[0] {
		t.Error("the buffer was large enough, and was not used", err)
	}
	post, err := s.PostProbs(make([]bankml.TokenProb, 3))
	succeed(t, err)
	slices.SortStableFunc(kept, func(a, b bankml.Candidate) int { return int(math.Copysign(1, float64(b.P-a.P))) })
	for i, p := range post {
		if p.P != kept[i].P {
			t.Error(i, p, kept[i])
		}
	}
	if post, err = s.PostProbs(nil); err != nil || len(post) != 0 {
		t.Error(post, err)
	}
}

func TestCloneAndReset(t *testing.T) {
	s := made(t, bankml.WithNVocab(200), bankml.WithSeed(5), bankml.WithRepeatPenalty(1.3))
	first := stream(t, s, 0, 20)
	clone, err := s.Clone()
	succeed(t, err)
	defer clone.Close()
	if a, b := stream(t, s, 20, 20), stream(t, clone, 20, 20); !slices.Equal(a, b) {
		t.Errorf("%v\n%v", a, b)
	}
	succeed(t, s.Reset())
	if again := stream(t, s, 0, 20); !slices.Equal(again, first) {
		t.Errorf("%v\n%v", again, first)
	}
}

func TestSeed(t *testing.T) {
	s := neutral(t, 1000, bankml.WithSeed(5))
	if s.Seed() != 5 {
		t.Error(s.Seed())
	}
	first := flat(t, s, 10)
	succeed(t, s.SetSeed(5))
	if again := flat(t, s, 10); !slices.Equal(first, again) {
		t.Errorf("%v\n%v", first, again)
	}
	succeed(t, s.SetSeed(math.MaxUint32))
	if s.Seed() == math.MaxUint32 {
		t.Error("the seed in use is not reported")
	}
}

func TestDescriptions(t *testing.T) {
	s := made(t, bankml.WithNVocab(1000), bankml.WithSamplers("top_k", "temperature"), bankml.WithTopK(5))
	if !slices.Equal(s.Steps(), []string{"top_k", "temperature", "dist"}) || s.NVocab() != 1000 || s.Bytes() <= 0 {
		t.Error(s.Steps(), s.NVocab(), s.Bytes())
	}
	plain := made(t, bankml.WithNVocab(1000), bankml.WithSamplers("top_k", "temperature"), bankml.With("disable", s.PlanName()))
	if s.PlanName() == "plain" || plain.PlanName() == s.PlanName() {
		t.Error(s.PlanName(), plain.PlanName())
	}
	if lines := s.Warnings(); lines != nil {
		t.Errorf("%q", lines)
	}
	odd := made(t, bankml.WithNVocab(10), bankml.WithLogitBias(map[int32]float32{99: 1}))
	if lines := odd.Warnings(); len(lines) != 1 || !contains(lines[0], "99") {
		t.Errorf("%q", lines)
	}
}

func TestPerf(t *testing.T) {
	s := neutral(t, 1000)
	succeed(t, s.Clock(true))
	succeed(t, s.Keep(true)) // candidates are asked for, so whole sets are made
	logits := row(1000, 1)
	succeed(t, s.Accept(sample(t, s, logits), 4))
	_, err := s.SampleMasked(logits, slices.Repeat([]uint32{1<<32 - 1}, 32))
	succeed(t, err)
	_, _, err = s.TokenProbs(logits, 1, nil)
	succeed(t, err)
	perf, err := s.Perf(true)
	succeed(t, err)
	if perf.Draws != 2 || perf.Accepts != 2 || perf.Redraws != 1 || perf.ProbCalls != 1 || perf.FullSets != 2 || perf.Exps < 1000 ||
		perf.RandomOutputs != 4 || perf.SampleUS <= 0 || perf.AcceptUS < 0 {
		t.Errorf("%+v", perf)
	}
	if perf, err = s.Perf(false); err != nil || perf != (bankml.Perf{}) {
		t.Errorf("%+v", perf)
	}
}

func TestWorkspace(t *testing.T) {
	w, err := bankml.NewWorkspace(5000)
	succeed(t, err)
	defer w.Close()
	options := []bankml.Option{bankml.WithNVocab(5000), bankml.WithTopK(0), bankml.With("typical_p", 0.9), bankml.WithSeed(1)}
	lent, own := made(t, options...), made(t, options...)
	succeed(t, lent.UseWorkspace(w))
	if lent.Bytes() >= own.Bytes() || w.Bytes() < 5000*20 {
		t.Error(lent.Bytes(), own.Bytes(), w.Bytes())
	}
	if a, b := stream(t, lent, 0, 5), stream(t, own, 0, 5); !slices.Equal(a, b) {
		t.Errorf("%v\n%v", a, b)
	}
	small, err := bankml.NewWorkspace(100)
	succeed(t, err)
	fails(t, own.UseWorkspace(small), bankml.ErrLength)
	succeed(t, small.Close())
	fails(t, own.UseWorkspace(small), bankml.ErrClosed, "workspace")
	succeed(t, w.Close()) // the sampler keeps its memory
	stream(t, lent, 5, 2)
	succeed(t, lent.UseWorkspace(nil))
	stream(t, lent, 7, 2)
	for _, n := range []int{0, -1} {
		_, err := bankml.NewWorkspace(n)
		fails(t, err, bankml.ErrInvalidArgument, "ocab")
	}
}
