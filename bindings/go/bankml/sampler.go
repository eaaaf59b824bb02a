package bankml

/*
#cgo noescape bankml_sampler_sample
#cgo nocallback bankml_sampler_sample
#cgo noescape bankml_sampler_sample_masked
#cgo nocallback bankml_sampler_sample_masked
#cgo noescape bankml_sampler_sample_candidates
#cgo nocallback bankml_sampler_sample_candidates
#cgo noescape bankml_sampler_accept
#cgo nocallback bankml_sampler_accept
#cgo noescape bankml_sampler_accept_many
#cgo nocallback bankml_sampler_accept_many
#include "bankml.h"
*/
import "C"

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// Sampler draws tokens from rows of logits and holds the state of one sequence: history, random generator, mirostat's mu.
//
// After any error the sampler is as it was before the call. Goroutines that share one wait for each other; its draws are meant to
// be made by one at a time, since their order decides the tokens.
type Sampler struct {
	mu      sync.Mutex // held through every call into C, so that Close cannot free under it
	h       *C.bankml_sampler
	id      uint64 // the order in which a batch locks its samplers
	cleanup runtime.Cleanup
}

var lastID atomic.Uint64

func newSampler(h *C.bankml_sampler) *Sampler {
	s := &Sampler{h: h, id: lastID.Add(1)}
	s.cleanup = runtime.AddCleanup(s, func(h *C.bankml_sampler) { C.bankml_sampler_free(h) }, h)
	return s
}

// New makes a sampler. Without options for them, its parameters are llama-server's defaults. [WithNVocab] or [WithVocab] is needed.
//
// [ErrInvalidArgument] names the parameter and the value; also if a step needs a vocabulary that is not given, or a text its
// tokens.
func New(opts ...Option) (*Sampler, error) {
	const op = "New"
	all := collect(opts)
	n, err := cCount(op, "NVocab", all.nVocab)
	if err != nil {
		return nil, err
	}
	p, err := all.params(op)
	if err != nil {
		return nil, err
	}
	defer p.Close()
	var v *C.bankml_vocab
	if all.vocab != nil {
		all.vocab.mu.RLock()
		defer all.vocab.mu.RUnlock()
		if v = all.vocab.h; v == nil {
			return nil, refused(op, ErrClosed, "the vocabulary is closed")
		}
	}
	var text [textCap]C.char
	h := C.bankml_sampler_new(p.h, v, n, &text[0], textCap)
	if h == nil {
		return nil, notMade(op, &text)
	}
	return newSampler(h), nil
}

// Close frees the sampler's native memory, after a call that runs in another goroutine. Later calls give [ErrClosed]; closing
// twice is fine. The error is always nil.
func (s *Sampler) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.h != nil {
		s.cleanup.Stop()
		C.bankml_sampler_free(s.h)
		s.h = nil
	}
	return nil
}

// ended makes the result of a call: nil for success, which is inlined, else an error with the handle's text. The lock is held.
func (s *Sampler) ended(op string, status C.bankml_status) error {
	if status == C.BANKML_OK {
		return nil
	}
	return failed(op, status, C.GoString(C.bankml_sampler_error(s.h)))
}

// Sample runs the chain on one row of NVocab logits and draws a token. It does not accept it.
//
// logits are raw scores in natural-log units, one for each token id; -Inf is allowed. [ErrLength], [ErrNonFinite] for NaN or +Inf,
// [ErrNoCandidate] if all are -Inf, [ErrBusy].
func (s *Sampler) Sample(logits []float32) (int32, error) {
	const op = "Sampler.Sample"
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.h == nil {
		return -1, closed(op)
	}
	token := C.int32_t(-1)
	row, n := floats(logits)
	status := C.bankml_sampler_sample(s.h, row, n, &token)
	return int32(token), s.ended(op, status)
}

// SampleMasked is [Sampler.Sample] under a mask: forbidden tokens get logit -Inf before the first step.
//
// Bit i of mask[w] allows token 32*w + i; the mask has at least (NVocab + 31) / 32 words, and bits from NVocab on are ignored. NaN
// and +Inf are looked for among allowed tokens only. [ErrNoCandidate] if nothing is allowed.
func (s *Sampler) SampleMasked(logits []float32, mask []uint32) (int32, error) {
	const op = "Sampler.SampleMasked"
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.h == nil {
		return -1, closed(op)
	}
	token := C.int32_t(-1)
	row, n := floats(logits)
	allowed, nWords := words(mask)
	status := C.bankml_sampler_sample_masked(s.h, row, n, allowed, nWords, &token)
	return int32(token), s.ended(op, status)
}

// SampleCandidates draws from a subset that was selected elsewhere, for example on a device: distinct ids and their logits, in the
// order given. [ErrLength] unless the two are equally long, [ErrToken] for an id out of range or listed twice. More than 1,024
// pairs need a workspace, lent or the sampler's own.
func (s *Sampler) SampleCandidates(ids []int32, logits []float32) (int32, error) {
	const op = "Sampler.SampleCandidates"
	if len(ids) != len(logits) {
		return -1, refused(op, ErrLength, "%d ids, %d logits", len(ids), len(logits))
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.h == nil {
		return -1, closed(op)
	}
	token := C.int32_t(-1)
	set, n := tokens(ids)
	row, _ := floats(logits)
	status := C.bankml_sampler_sample_candidates(s.h, set, row, n, &token)
	return int32(token), s.ended(op, status)
}

// Accept feeds tokens back: the prompt's first, then each drawn one. Several are accepted together or not at all. [ErrToken] for
// an id outside [0, NVocab).
func (s *Sampler) Accept(ids ...int32) error {
	const op = "Sampler.Accept"
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.h == nil {
		return closed(op)
	}
	if len(ids) == 1 {
		return s.ended(op, C.bankml_sampler_accept(s.h, C.int32_t(ids[0])))
	}
	list, n := tokens(ids)
	return s.ended(op, C.bankml_sampler_accept_many(s.h, list, n))
}
