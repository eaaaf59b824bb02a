package bankml

/*
#include "bankml.h"
*/
import "C"

import "unsafe"

// do locks the sampler, runs a call of the library on the live handle and makes its status an error. The draws spell it out
// instead, since a closure costs them time.
func (s *Sampler) do(op string, call func(h *C.bankml_sampler) C.bankml_status) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.h == nil {
		return closed(op)
	}
	return s.ended(op, call(s.h))
}

// Clone makes an independent sampler in the same state: history, random generators, mirostat's mu, averages. Both draw on alike
// until one is fed otherwise.
func (s *Sampler) Clone() (*Sampler, error) {
	const op = "Sampler.Clone"
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.h == nil {
		return nil, closed(op)
	}
	var text [textCap]C.char
	h := C.bankml_sampler_clone(s.h, &text[0], textCap)
	if h == nil {
		return nil, notMade(op, &text)
	}
	return newSampler(h), nil
}

// Save gives the state (history, random generators, mu, averages) as bytes that are the same on every platform, for [Sampler.Load].
func (s *Sampler) Save() (saved []byte, err error) {
	room := make([]byte, 4096)
	for {
		var length C.size_t
		err = s.do("Sampler.Save", func(h *C.bankml_sampler) C.bankml_status {
			out, n := octets(room)
			status := C.bankml_sampler_save(h, (*C.uint8_t)(out), n, &length)
			if status == C.BANKML_BUFFER && int(length) > len(room) {
				return C.BANKML_OK
			}
			return status
		})
		if err != nil {
			return nil, err
		}
		if int(length) <= len(room) {
			return room[:length], nil
		}
		room = make([]byte, length)
	}
}

// Load takes over a saved state; draws then go on as the saved sampler's would. [ErrState] for damaged bytes and those of a sampler of
// other parameters (the seed and disable apart) or another number of tokens; nothing is changed then.
func (s *Sampler) Load(saved []byte) error {
	return s.do("Sampler.Load", func(h *C.bankml_sampler) C.bankml_status {
		bytes, n := octets(saved)
		return C.bankml_sampler_load(h, (*C.uint8_t)(unsafe.Pointer(bytes)), n)
	})
}

// Reset goes back to the start: clears history, mu and averages. A given seed replays, a random one takes a new value.
func (s *Sampler) Reset() error {
	return s.do("Sampler.Reset", func(h *C.bankml_sampler) C.bankml_status { return C.bankml_sampler_reset(h) })
}

// Seed is the seed in use, also where a random one was asked for. 0 after Close.
func (s *Sampler) Seed() uint32 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return uint32(C.bankml_sampler_get_seed(s.h))
}

// SetSeed re-seeds the random generators only; 0xFFFFFFFF is a random seed.
func (s *Sampler) SetSeed(seed uint32) error {
	return s.do("Sampler.SetSeed", func(h *C.bankml_sampler) C.bankml_status {
		return C.bankml_sampler_set_seed(h, C.uint32_t(seed))
	})
}

// UseWorkspace lends a workspace; nil goes back to the sampler's own. [ErrLength] if it is for fewer tokens.
func (s *Sampler) UseWorkspace(w *Workspace) error {
	const op = "Sampler.UseWorkspace"
	var lent *C.bankml_workspace
	if w != nil {
		w.mu.Lock()
		defer w.mu.Unlock()
		if lent = w.h; lent == nil {
			return refused(op, ErrClosed, "the workspace is closed")
		}
	}
	return s.do(op, func(h *C.bankml_sampler) C.bankml_status { return C.bankml_sampler_use_workspace(h, lent) })
}

// NVocab is the number of logits in a row. 0 after Close.
func (s *Sampler) NVocab() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return int(C.bankml_sampler_n_vocab(s.h))
}

// Steps names the steps of the chain that are on, in order; the last one draws. nil after Close.
func (s *Sampler) Steps() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var names []string
	for i := C.size_t(0); i < C.bankml_sampler_step_count(s.h); i++ {
		names = append(names, C.GoString(C.bankml_sampler_step_name(s.h, i)))
	}
	return names
}

// PlanName is the opening that draws take: "plain", or the name of a fast path. The result is the same. "" after Close.
func (s *Sampler) PlanName() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return C.GoString(C.bankml_sampler_plan_name(s.h))
}

// Warnings lists what New had to say: a bias outside the vocabulary, a step configured but not listed. nil after Close.
func (s *Sampler) Warnings() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var lines []string
	for {
		line := C.bankml_sampler_warning(s.h, C.size_t(len(lines)))
		if line == nil {
			return lines
		}
		lines = append(lines, C.GoString(line))
	}
}

// Bytes is the native memory that this sampler owns, without vocabulary and lent workspace. 0 after Close.
func (s *Sampler) Bytes() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return int(C.bankml_sampler_bytes(s.h))
}

// Perf are counters since construction or their last reset.
type Perf struct {
	Draws         uint64  // successful draws
	Accepts       uint64  // tokens accepted
	Redraws       uint64  // draws under a mask, and second draws under a grammar
	ProbCalls     uint64  // calls of TokenProbs and PostProbs
	FullSets      uint64  // sets built with one candidate for each token of the vocabulary
	FullSorts     uint64  // sorts of more than half of the vocabulary
	Exps          uint64  // exponentials evaluated
	DRYVisits     uint64  // window positions visited by DRY
	RandomOutputs uint64  // 32-bit outputs taken from the random generators
	SampleUS      float64 // microseconds in draws; 0 unless the clock is on
	AcceptUS      float64 // microseconds in Accept; 0 unless the clock is on
}

// Perf reads the counters; reset starts them again at 0.
func (s *Sampler) Perf(reset bool) (Perf, error) {
	perf := C.bankml_perf{struct_size: C.sizeof_bankml_perf}
	err := s.do("Sampler.Perf", func(h *C.bankml_sampler) C.bankml_status {
		return C.bankml_sampler_perf(h, &perf, cBool(reset))
	})
	if err != nil {
		return Perf{}, err
	}
	return Perf{
		Draws:         uint64(perf.draws),
		Accepts:       uint64(perf.accepts),
		Redraws:       uint64(perf.redraws),
		ProbCalls:     uint64(perf.prob_calls),
		FullSets:      uint64(perf.full_sets),
		FullSorts:     uint64(perf.full_sorts),
		Exps:          uint64(perf.exps),
		DRYVisits:     uint64(perf.dry_visits),
		RandomOutputs: uint64(perf.random_outputs),
		SampleUS:      float64(perf.sample_us),
		AcceptUS:      float64(perf.accept_us),
	}, nil
}

// Clock on: Perf counts microseconds too. Off at first.
func (s *Sampler) Clock(on bool) error {
	return s.do("Sampler.Clock", func(h *C.bankml_sampler) C.bankml_status { return C.bankml_sampler_clock(h, cBool(on)) })
}
