package bankml

/*
#cgo noescape bankml_sampler_token_probs
#cgo nocallback bankml_sampler_token_probs
#cgo noescape bankml_sampler_post_probs
#cgo nocallback bankml_sampler_post_probs
#cgo noescape bankml_sampler_candidates
#cgo nocallback bankml_sampler_candidates
#include "bankml.h"
*/
import "C"

import "unsafe"

// Candidate is a token that survived the chain: its logit and probability as the last step left them.
type Candidate struct {
	ID    int32
	Logit float32
	P     float32
}

// TokenProb is a token and its probability, 0 to 1. Its logprob is math.Log(float64(P)).
type TokenProb struct {
	ID int32
	P  float32
}

// NoToken names no token, as an argument of [Sampler.TokenProbs].
const NoToken int32 = -1

// TokenProbs gives raw softmax probabilities of a row, independent of parameters and history: the len(dst) best tokens, in
// llama-server's order, and the p of the token sampled (0 for [NoToken]), all of the same float sum.
//
// dst is filled and returned, shorter if NVocab is smaller; nil asks for the p alone. Checks of the row as in [Sampler.Sample];
// [ErrToken] if sampled is out of range.
func (s *Sampler) TokenProbs(logits []float32, sampled int32, dst []TokenProb) (top []TokenProb, p float32, err error) {
	const op = "Sampler.TokenProbs"
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.h == nil {
		return nil, 0, closed(op)
	}
	var count C.size_t
	var sampledP C.float
	row, n := floats(logits)
	out, room := probs(dst)
	status := C.bankml_sampler_token_probs(s.h, row, n, C.int32_t(sampled), room, out, room, &count, &sampledP)
	if err := s.ended(op, status); err != nil {
		return nil, 0, err
	}
	return dst[:count], float32(sampledP), nil
}

// Keep on: each draw leaves its surviving candidates for [Sampler.Candidates] and [Sampler.PostProbs]. Off at first.
func (s *Sampler) Keep(on bool) error {
	return s.do("Sampler.Keep", func(h *C.bankml_sampler) C.bankml_status { return C.bankml_sampler_keep(h, cBool(on)) })
}

// Candidates gives what the last draw chose from, in the order and with the bits of the last step. dst is overwritten and returned,
// longer if need be; nil is fine. [ErrNotKept] if Keep is off or there was no draw.
func (s *Sampler) Candidates(dst []Candidate) ([]Candidate, error) {
	const op = "Sampler.Candidates"
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.h == nil {
		return nil, closed(op)
	}
	dst = dst[:cap(dst)]
	for {
		var count C.size_t
		out := (*C.bankml_candidate)(unsafe.Pointer(unsafe.SliceData(dst)))
		status := C.bankml_sampler_candidates(s.h, out, C.size_t(len(dst)), &count)
		if status == C.BANKML_BUFFER && int(count) > len(dst) {
			dst = make([]Candidate, count)
			continue
		}
		if err := s.ended(op, status); err != nil {
			return nil, err
		}
		return dst[:count], nil
	}
}

// PostProbs gives the probabilities after the chain, llama-server's post-sampling probabilities: the len(dst) most probable
// survivors of the last draw, ending before the first p = 0. dst is filled and returned, shorter if there are fewer. [ErrNotKept]
// as above.
func (s *Sampler) PostProbs(dst []TokenProb) ([]TokenProb, error) {
	const op = "Sampler.PostProbs"
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.h == nil {
		return nil, closed(op)
	}
	var count C.size_t
	out, room := probs(dst)
	if err := s.ended(op, C.bankml_sampler_post_probs(s.h, room, out, room, &count)); err != nil {
		return nil, err
	}
	return dst[:count], nil
}
