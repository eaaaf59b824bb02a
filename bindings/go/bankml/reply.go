package bankml

/*
#cgo noescape bankml_reply_add
#cgo nocallback bankml_reply_add
#include <stdlib.h>
#include "bankml.h"
*/
import "C"

import (
	"math"
	"runtime"
	"sync"
	"unsafe"
)

// ReplyFormat says whose JSON a [Reply] writes, and the value of which field.
type ReplyFormat string

// Formats of a [Reply].
const (
	LlamaServer       ReplyFormat = "llama-server"       // completion_probabilities
	LlamaServerChat   ReplyFormat = "llama-server-chat"  // logprobs of its /v1 routes
	OpenAIChat        ReplyFormat = "openai-chat"        // logprobs
	OpenAICompletions ReplyFormat = "openai-completions" // logprobs
)

// Reply writes the probabilities of drawn tokens as a server's JSON, exact in texts and digits. A p of zero has the lowest float as
// its logprob in llama-server's reply, -9999.0 in OpenAI's; tokens that are no whole characters are shown as each system shows them.
// Goroutines that share one wait for each other.
type Reply struct {
	mu      sync.Mutex // held through every call into C
	h       *C.bankml_reply
	cleanup runtime.Cleanup
}

// ReplyOption is an option of [NewReply].
type ReplyOption func(*C.uint32_t)

// WithPostSampling: the p are those of [Sampler.PostProbs]. llama-server's formats only.
func WithPostSampling() ReplyOption {
	return func(flags *C.uint32_t) { *flags |= C.BANKML_REPLY_POST_SAMPLING }
}

// WithSpecialTokens shows control and unknown tokens, which else have no text.
func WithSpecialTokens() ReplyOption {
	return func(flags *C.uint32_t) { *flags |= C.BANKML_REPLY_SPECIAL }
}

// NewReply makes an empty reply. It keeps what it needs of the vocabulary. [ErrInvalidArgument] for another format.
func NewReply(format ReplyFormat, v *Vocab, opts ...ReplyOption) (*Reply, error) {
	const op = "NewReply"
	if v == nil {
		return nil, refused(op, ErrInvalidArgument, "the vocabulary is nil")
	}
	var flags C.uint32_t
	for _, option := range opts {
		if option != nil {
			option(&flags)
		}
	}
	name, err := cName(op, string(format))
	if err != nil {
		return nil, err
	}
	defer C.free(unsafe.Pointer(name))
	v.mu.RLock()
	defer v.mu.RUnlock()
	if v.h == nil {
		return nil, refused(op, ErrClosed, "the vocabulary is closed")
	}
	var text [textCap]C.char
	h := C.bankml_reply_new(name, v.h, flags, &text[0], textCap)
	if h == nil {
		return nil, notMade(op, &text)
	}
	r := &Reply{h: h}
	r.cleanup = runtime.AddCleanup(r, func(h *C.bankml_reply) { C.bankml_reply_free(h) }, h)
	return r, nil
}

// Close frees the native memory. Later calls give [ErrClosed]; closing twice is fine. The error is always nil.
func (r *Reply) Close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.h != nil {
		r.cleanup.Stop()
		C.bankml_reply_free(r.h)
		r.h = nil
	}
	return nil
}

func (r *Reply) ended(op string, status C.bankml_status) error {
	if status == C.BANKML_OK {
		return nil
	}
	return failed(op, status, C.GoString(C.bankml_reply_error(r.h)))
}

// Add adds a drawn token with its p, and the best of its row as [Sampler.TokenProbs] or [Sampler.PostProbs] gave them. [ErrToken]
// for a negative id, [ErrInvalidArgument] for a p outside [0, 1], [ErrLimit] above 256 MiB of JSON; nothing is added then.
func (r *Reply) Add(token int32, p float32, top []TokenProb) error {
	return r.add("Reply.Add", token, p, top, nil, 0)
}

// AddText is [Reply.Add] for a token for which another text than its piece was sent, since a stop string cut it or held it back.
func (r *Reply) AddText(token int32, p float32, top []TokenProb, text string) error {
	bytes, n := chars(text)
	return r.add("Reply.AddText", token, p, top, (*C.uint8_t)(unsafe.Pointer(bytes)), n)
}

func (r *Reply) add(op string, token int32, p float32, top []TokenProb, text *C.uint8_t, n C.size_t) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.h == nil {
		return closed(op)
	}
	best, count := probs(top)
	return r.ended(op, C.bankml_reply_add(r.h, C.int32_t(token), C.float(p), best, count, text, n))
}

// JSON is the JSON of all tokens added, without blanks.
func (r *Reply) JSON() (string, error) {
	const op = "Reply.JSON"
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.h == nil {
		return "", closed(op)
	}
	room := make([]byte, 1024)
	for {
		out, n := octets(room)
		var needed C.size_t
		status := C.bankml_reply_json(r.h, (*C.char)(out), n, &needed)
		switch {
		case status == C.BANKML_OK:
			return string(room[:needed-1]), nil
		case status == C.BANKML_BUFFER && int(needed) > len(room):
			room = make([]byte, needed)
		default:
			return "", r.ended(op, status)
		}
	}
}

// Clear forgets the tokens, for the next part of a stream; text_offset goes on.
func (r *Reply) Clear() error {
	const op = "Reply.Clear"
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.h == nil {
		return closed(op)
	}
	return r.ended(op, C.bankml_reply_clear(r.h))
}

// SetTextOffset says where the next token's text begins, in characters: the prompt's number, where offsets count from there. 0 at
// first. [ErrInvalidArgument] for a negative one.
func (r *Reply) SetTextOffset(characters int) error {
	const op = "Reply.SetTextOffset"
	if characters < 0 || characters > math.MaxInt32 {
		return refused(op, ErrInvalidArgument, "characters %d is outside [0, %d]", characters, math.MaxInt32)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.h == nil {
		return closed(op)
	}
	return r.ended(op, C.bankml_reply_text_offset(r.h, C.size_t(characters)))
}
