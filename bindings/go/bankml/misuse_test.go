package bankml_test

import (
	"errors"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/bankml/bankml/bindings/go/bankml"
)

// Every method of a closed object says so, or gives a zero value.
func TestClosedSampler(t *testing.T) {
	s := made(t, bankml.WithNVocab(4))
	succeed(t, s.Close())
	succeed(t, s.Close())
	logits := make([]float32, 4)
	for name, call := range map[string]func(*bankml.Sampler) error{
		"Sampler.Sample":           func(s *bankml.Sampler) error { _, err := s.Sample(logits); return err },
		"Sampler.SampleMasked":     func(s *bankml.Sampler) error { _, err := s.SampleMasked(logits, []uint32{15}); return err },
		"Sampler.SampleCandidates": func(s *bankml.Sampler) error { _, err := s.SampleCandidates([]int32{1}, logits[:1]); return err },
		"Sampler.Accept":           func(s *bankml.Sampler) error { return s.Accept(1) },
		"Sampler.TokenProbs":       func(s *bankml.Sampler) error { _, _, err := s.TokenProbs(logits, 1, nil); return err },
		"Sampler.PostProbs":        func(s *bankml.Sampler) error { _, err := s.PostProbs(nil); return err },
		"Sampler.Candidates":       func(s *bankml.Sampler) error { _, err := s.Candidates(nil); return err },
		"Sampler.Keep":             func(s *bankml.Sampler) error { return s.Keep(true) },
		"Sampler.Clone":            func(s *bankml.Sampler) error { _, err := s.Clone(); return err },
		"Sampler.Reset":            func(s *bankml.Sampler) error { return s.Reset() },
		"Sampler.SetSeed":          func(s *bankml.Sampler) error { return s.SetSeed(1) },
		"Sampler.UseWorkspace":     func(s *bankml.Sampler) error { return s.UseWorkspace(nil) },
		"Sampler.Perf":             func(s *bankml.Sampler) error { _, err := s.Perf(false); return err },
		"Sampler.Clock":            func(s *bankml.Sampler) error { return s.Clock(true) },
	} {
		fails(t, call(s), bankml.ErrClosed, name, "closed")
		fails(t, call(new(bankml.Sampler)), bankml.ErrClosed, name) // one that New did not make
	}
	if s.NVocab() != 0 || s.Seed() != 0 || s.Steps() != nil || s.PlanName() != "" || s.Warnings() != nil || s.Bytes() != 0 {
		t.Error("values of a closed sampler")
	}
}

func TestClosedParams(t *testing.T) {
	p := params(t)
	succeed(t, p.Close())
	succeed(t, p.Close())
	for name, call := range map[string]func() error{
		"Params.SetNumber":     func() error { return p.Set("top_k", 1) },
		"Params.SetString":     func() error { return p.Set("samplers", "k") },
		"Params.SetJSON":       func() error { return p.Set("ignore_eos", false) },
		"Params.Load":          func() error { return p.LoadRequest("{}") },
		"Params.LoadGGUF":      func() error { return p.LoadGGUF("x") },
		"Params.LoadGGUFBytes": func() error { return p.LoadGGUFBytes(nil) },
		"Params.Strict":        func() error { return p.Strict(true) },
		"Params.Number":        func() error { _, err := p.Number("top_k"); return err },
		"Params.JSON":          func() error { _, err := p.JSON("top_k"); return err },
		"Params.ToJSON":        func() error { _, err := p.ToJSON(); return err },
		"Params.Origin":        func() error { _, err := p.Origin("top_k"); return err },
		"Params.OpenTexts":     func() error { _, err := p.OpenTexts(nil); return err },
		"Params.Answer":        func() error { return p.Answer(0) },
		"Params.Clone":         func() error { _, err := p.Clone(); return err },
	} {
		fails(t, call(), bankml.ErrClosed, name)
	}
	if p.Warnings() != nil {
		t.Error(p.Warnings())
	}
}

func TestClosedVocabAndWorkspace(t *testing.T) {
	v := vocab(t, []string{"a"}, nil, 0, 0)
	succeed(t, v.Close())
	succeed(t, v.Close())
	_, err := v.Flags(0)
	fails(t, err, bankml.ErrClosed, "Vocab.Flags")
	_, err = v.Tokenize("a")
	fails(t, err, bankml.ErrClosed, "Vocab.Tokenize")
	_, err = params(t).OpenTexts(v)
	fails(t, err, bankml.ErrClosed, "vocabulary")
	if v.Size() != 0 || v.EOS() != -1 || v.EOT() != -1 || v.BOS() != -1 || v.Fingerprint() != 0 || v.BreakerScans() != 0 {
		t.Error("values of a closed vocabulary")
	}
	w, err := bankml.NewWorkspace(8)
	succeed(t, err)
	succeed(t, w.Close())
	succeed(t, w.Close())
	if w.Bytes() != 0 {
		t.Error(w.Bytes())
	}
}

// Goroutines that share a sampler take turns: together they draw the tokens that one would have drawn.
func TestOneSamplerInManyGoroutines(t *testing.T) {
	const goroutines, draws = 8, 250
	s, twin := neutral(t, 1000, bankml.WithSeed(4)), neutral(t, 1000, bankml.WithSeed(4))
	logits := row(1000, 1)
	drawn := make([][]int32, goroutines)
	var group sync.WaitGroup
	for g := range goroutines {
		group.Add(1)
		go func() {
			defer group.Done()
			for range draws {
				token, err := s.Sample(logits)
				if err != nil {
					t.Error(err)
				}
				drawn[g] = append(drawn[g], token)
				if s.NVocab() != 1000 || len(s.Steps()) == 0 {
					t.Error("a reader beside draws")
				}
			}
		}()
	}
	group.Wait()
	together := slices.Concat(drawn...)
	alone := make([]int32, goroutines*draws)
	for i := range alone {
		alone[i] = sample(t, twin, logits)
	}
	slices.Sort(together)
	slices.Sort(alone)
	if !slices.Equal(together, alone) {
		t.Error("the tokens are not those of one goroutine")
	}
}

// slow has a chain that orders a large row at each draw, so that calls overlap.
func slow(t *testing.T, n int) *bankml.Sampler {
	request := `{"top_k": 0, "typical_p": 0.9, "temperature": 1.5, "seed": 2}`
	return made(t, bankml.WithNVocab(n), bankml.WithRequest(request))
}

// Samplers of two goroutines that share a workspace get ErrBusy at worst, and each its own tokens.
func TestOneWorkspaceInTwoGoroutines(t *testing.T) {
	const n = 60000
	w, err := bankml.NewWorkspace(n)
	succeed(t, err)
	defer w.Close()
	var samplers, twins [2]*bankml.Sampler
	for i := range samplers {
		samplers[i], twins[i] = slow(t, n), slow(t, n)
		succeed(t, samplers[i].UseWorkspace(w))
	}
	var drawn [2][]int32
	busy := make(chan struct{})
	var once sync.Once
	deadline := time.Now().Add(2 * time.Minute)
	var group sync.WaitGroup
	for i := range samplers {
		group.Add(1)
		go func() {
			defer group.Done()
			logits := row(n, int64(i))
			for met := false; (len(drawn[i]) < 5 || !met) && len(drawn[i]) < 3000 && time.Now().Before(deadline); {
				token, err := samplers[i].Sample(logits)
				switch {
				case err == nil:
					drawn[i] = append(drawn[i], token)
				case errors.Is(err, bankml.ErrBusy):
					once.Do(func() { close(busy) })
					runtime.Gosched()
				default:
					t.Error(err)
					return
				}
				select {
				case <-busy:
					met = true
				default:
				}
			}
		}()
	}
	group.Wait()
	select {
	case <-busy:
	default:
		t.Error("the two never met")
	}
	for i, twin := range twins {
		logits := row(n, int64(i))
		for k, token := range drawn[i] {
			if want := sample(t, twin, logits); token != want {
				t.Fatalf("sampler %d, draw %d: %d, not %d", i, k, token, want)
			}
		}
	}
}

// Close waits for the call under way; the calls after it are refused.
func TestCloseDuringACall(t *testing.T) {
	const n = 200000
	logits := row(n, 1)
	for range 10 {
		s := slow(t, n)
		begun, ended := make(chan struct{}), make(chan error)
		go func() {
			close(begun)
			for {
				if _, err := s.Sample(logits); err != nil {
					ended <- err
					return
				}
			}
		}()
		<-begun
		time.Sleep(time.Millisecond)
		succeed(t, s.Close())
		fails(t, <-ended, bankml.ErrClosed)
	}
}

// residentMB is the memory that the process really uses.
func residentMB(t *testing.T) int {
	t.Helper()
	statm, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		t.Skip("this system does not tell how much memory a process uses")
	}
	pages, err := strconv.Atoi(strings.Fields(string(statm))[1])
	succeed(t, err)
	return pages * os.Getpagesize() >> 20
}

// Samplers that are made and dropped without Close are freed by the collector. Each has 5 kB in C, so a leak would show as 500 MB;
// how far the collector lags behind is the machine's choice, and malloc keeps what it once had.
func TestForgottenSamplers(t *testing.T) {
	const made, limitMB = 100000, 100
	p, err := bankml.NewParams(bankml.WithRepeatPenalty(1.1))
	succeed(t, err)
	defer p.Close()
	logits := row(100, 1)
	start := 0
	for i := range made {
		s, err := bankml.New(bankml.WithParams(p), bankml.WithNVocab(100))
		succeed(t, err)
		if i%1000 == 0 {
			sample(t, s, logits)
			if _, err := s.Clone(); err != nil {
				t.Fatal(err)
			}
			runtime.GC()
			time.Sleep(time.Millisecond)
		}
		if i == made/10 {
			start = residentMB(t)
		}
	}
	if end := residentMB(t); end > start+limitMB {
		t.Errorf("%d MB after a tenth, %d MB in the end", start, end)
	}
}
