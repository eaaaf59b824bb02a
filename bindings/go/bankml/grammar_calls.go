package bankml

/*
#include "bankml.h"
*/
import "C"

import "unsafe"

// ended makes the result of a call: nil for success, which is inlined, else an error with the handle's text. The lock is held.
func (g *Grammar) ended(op string, status C.bankml_status) error {
	if status == C.BANKML_OK {
		return nil
	}
	return failed(op, status, C.GoString(C.bankml_grammar_error(g.h)))
}

// SampleConstrained draws under a grammar, as llama-server does: draws, asks the grammar, and only if it refuses draws again under
// its mask; redrawn says whether. grammarFirst is one draw under the mask instead. Neither is advanced: Accept the token in the
// grammar first, then in the sampler.
//
// As [Sampler.Sample]; [ErrNoCandidate] if the grammar allows nothing, [ErrInvalidArgument] for a grammar of more than NVocab
// tokens, [ErrLimit] if its memory limit is too little, [ErrClosed] if it is closed. On failure both are as before.
func (s *Sampler) SampleConstrained(logits []float32, g *Grammar, grammarFirst bool) (token int32, redrawn bool, err error) {
	const op = "Sampler.SampleConstrained"
	if g == nil {
		return -1, false, refused(op, ErrInvalidArgument, "the grammar is nil")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	g.mu.Lock()
	defer g.mu.Unlock()
	if s.h == nil {
		return -1, false, closed(op)
	}
	if g.h == nil {
		return -1, false, refused(op, ErrClosed, "the grammar is closed")
	}
	var flags C.uint32_t
	if grammarFirst {
		flags = C.BANKML_GRAMMAR_FIRST
	}
	drawn, again := C.int32_t(-1), C.int32_t(0)
	row, n := floats(logits)
	status := C.bankml_sampler_sample_constrained(s.h, row, n, g.h, flags, &drawn, &again)
	return int32(drawn), again != 0, s.ended(op, status)
}

// Mask writes which tokens are allowed next: bit i of word w is token 32*w + i, set = allowed. It fills dst, which has at least
// (NVocab + 31) / 32 words (else [ErrLength]); those behind the vocabulary become 0. [ErrLimit] if the memory limit is too little.
func (g *Grammar) Mask(dst []uint32) error {
	const op = "Grammar.Mask"
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.h == nil {
		return closed(op)
	}
	out, n := words(dst)
	return g.ended(op, C.bankml_grammar_mask(g.h, out, n))
}

// Test says whether a token is allowed next, without a mask. Ids behind the vocabulary are not allowed, negative ones [ErrToken].
func (g *Grammar) Test(token int32) (bool, error) {
	const op = "Grammar.Test"
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.h == nil {
		return false, closed(op)
	}
	var allowed C.int32_t
	status := C.bankml_grammar_test(g.h, C.int32_t(token), &allowed)
	return allowed != 0, g.ended(op, status)
}

// Accept goes on behind tokens, all of them or none. [ErrReject] if one is not allowed where it stands, [ErrToken] outside the
// vocabulary. An end token is accepted where ending is allowed, and changes nothing.
func (g *Grammar) Accept(ids ...int32) error {
	const op = "Grammar.Accept"
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.h == nil {
		return closed(op)
	}
	if len(ids) == 1 {
		return g.ended(op, C.bankml_grammar_accept(g.h, C.int32_t(ids[0])))
	}
	list, n := tokens(ids)
	return g.ended(op, C.bankml_grammar_accept_many(g.h, list, n))
}

// do locks the grammar, runs a call of the library on the live handle and makes its status an error.
func (g *Grammar) do(op string, call func(h *C.bankml_grammar) C.bankml_status) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.h == nil {
		return closed(op)
	}
	return g.ended(op, call(g.h))
}

// Rollback takes the last n tokens back, any number since construction or [Grammar.Reset]; [ErrInvalidArgument] for more.
func (g *Grammar) Rollback(n int) error {
	const op = "Grammar.Rollback"
	count, err := cCount(op, "n", n)
	if err != nil {
		return err
	}
	return g.do(op, func(h *C.bankml_grammar) C.bankml_status { return C.bankml_grammar_rollback(h, count) })
}

// Reset goes back to the start of the text.
func (g *Grammar) Reset() error {
	return g.do("Grammar.Reset", func(h *C.bankml_grammar) C.bankml_status { return C.bankml_grammar_reset(h) })
}

// IsComplete says whether the text may end here.
func (g *Grammar) IsComplete() (bool, error) {
	var complete C.int32_t
	err := g.do("Grammar.IsComplete", func(h *C.bankml_grammar) C.bankml_status {
		return C.bankml_grammar_is_complete(h, &complete)
	})
	return complete != 0, err
}

// IsDead says whether nothing is allowed next, not even an end.
func (g *Grammar) IsDead() (bool, error) {
	var dead C.int32_t
	err := g.do("Grammar.IsDead", func(h *C.bankml_grammar) C.bankml_status { return C.bankml_grammar_is_dead(h, &dead) })
	return dead != 0, err
}

// Forced gives the bytes, 4,096 at most, with which every text from here on begins, perhaps from inside a character; "" where
// ending is possible, or where a token reference is next.
func (g *Grammar) Forced() (string, error) {
	return g.text("Grammar.Forced", func(h *C.bankml_grammar, out *C.uint8_t, n C.size_t, len *C.size_t) C.bankml_status {
		return C.bankml_grammar_forced(h, out, n, len)
	})
}

// Save gives the place in the text as portable bytes, for [Grammar.Load] on a grammar of the same vocabulary, text and options.
func (g *Grammar) Save() ([]byte, error) {
	saved, err := g.text("Grammar.Save", func(h *C.bankml_grammar, out *C.uint8_t, n C.size_t, len *C.size_t) C.bankml_status {
		return C.bankml_grammar_save(h, out, n, len)
	})
	return []byte(saved), err
}

// text reads bytes that the library writes, with a second call where the first room is too small.
func (g *Grammar) text(op string, read func(*C.bankml_grammar, *C.uint8_t, C.size_t, *C.size_t) C.bankml_status) (string, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.h == nil {
		return "", closed(op)
	}
	room := make([]byte, 256)
	for {
		out, n := octets(room)
		var length C.size_t
		status := read(g.h, (*C.uint8_t)(out), n, &length)
		switch {
		case status == C.BANKML_OK:
			return string(room[:length]), nil
		case status == C.BANKML_BUFFER && int(length) > len(room):
			room = make([]byte, length)
		default:
			return "", g.ended(op, status)
		}
	}
}

// Load goes to a saved place. [ErrState] for damaged bytes or those of another grammar.
func (g *Grammar) Load(saved []byte) error {
	return g.do("Grammar.Load", func(h *C.bankml_grammar) C.bankml_status {
		bytes, n := octets(saved)
		return C.bankml_grammar_load(h, (*C.uint8_t)(unsafe.Pointer(bytes)), n)
	})
}

// Warm computes masks of places that may come next, n at most, for example while the model runs; filled is how many were new.
func (g *Grammar) Warm(n int) (filled int, err error) {
	const op = "Grammar.Warm"
	most, err := cCount(op, "n", n)
	if err != nil {
		return 0, err
	}
	var made C.size_t
	err = g.do(op, func(h *C.bankml_grammar) C.bankml_status { return C.bankml_grammar_warm(h, most, &made) })
	return int(made), err
}
