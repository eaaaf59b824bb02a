package bankml

/*
#include <stdlib.h>
#include "bankml.h"
*/
import "C"

import (
	"runtime"
	"sync"
	"unsafe"
)

// Params holds a value for every parameter, each with its origin. It needs no vocabulary and no sampler; samplers copy it. [New]
// makes one by itself: use Params to read values, to load a model file's defaults, or to answer open texts.
type Params struct {
	mu      sync.Mutex
	h       *C.bankml_params
	cleanup runtime.Cleanup
}

func wrapParams(h *C.bankml_params) *Params {
	p := &Params{h: h}
	p.cleanup = runtime.AddCleanup(p, func(h *C.bankml_params) { C.bankml_params_free(h) }, h)
	return p
}

// NewParams makes params with llama-server's defaults, changed by the options. [WithVocab] and [WithNVocab] are no parameters.
func NewParams(opts ...Option) (*Params, error) {
	const op = "NewParams"
	all := collect(opts)
	if all.vocab != nil || all.nVocab != 0 {
		return nil, refused(op, ErrInvalidArgument, "WithVocab and WithNVocab are options of New only")
	}
	return all.params(op)
}

// NewProfileParams makes params with the defaults of a profile. [ErrInvalidArgument] for an unknown one; "llama" is llama-server's.
func NewProfileParams(profile string) (*Params, error) { return newParams("NewProfileParams", profile) }

func newParams(op, profile string) (*Params, error) {
	if err := checkABI(op); err != nil {
		return nil, err
	}
	name, err := cName(op, profile)
	if err != nil {
		return nil, err
	}
	defer C.free(unsafe.Pointer(name))
	var text [textCap]C.char
	h := C.bankml_params_new(name, &text[0], textCap)
	if h == nil {
		return nil, notMade(op, &text)
	}
	return wrapParams(h), nil
}

// Clone is an independent copy.
func (p *Params) Clone() (*Params, error) {
	const op = "Params.Clone"
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.h == nil {
		return nil, closed(op)
	}
	var text [textCap]C.char
	h := C.bankml_params_clone(p.h, &text[0], textCap)
	if h == nil {
		return nil, notMade(op, &text)
	}
	return wrapParams(h), nil
}

// Close frees the params; samplers made of them go on. Closing twice is fine. The error is always nil.
func (p *Params) Close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.h != nil {
		p.cleanup.Stop()
		C.bankml_params_free(p.h)
		p.h = nil
	}
	return nil
}

// do locks the params, runs a call of the library on the live handle and makes its status an error.
func (p *Params) do(op string, call func(h *C.bankml_params) C.bankml_status) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.h == nil {
		return closed(op)
	}
	if status := call(p.h); status != C.BANKML_OK {
		return failed(op, status, C.GoString(C.bankml_params_error(p.h)))
	}
	return nil
}

// named is do for a call that takes a name.
func (p *Params) named(op, name string, call func(h *C.bankml_params, name *C.char) C.bankml_status) error {
	text, err := cName(op, name)
	if err != nil {
		return err
	}
	defer C.free(unsafe.Pointer(text))
	return p.do(op, func(h *C.bankml_params) C.bankml_status { return call(h, text) })
}

// SetNumber sets a parameter of kind number, integer or boolean, by its name or an alias. [ErrInvalidArgument], naming parameter
// and value, for a value outside its range, a fraction where an integer is needed, NaN or an infinity.
func (p *Params) SetNumber(name string, value float64) error {
	return p.named("Params.SetNumber", name, func(h *C.bankml_params, name *C.char) C.bankml_status {
		return C.bankml_params_set_number(h, name, C.double(value))
	})
}

// SetString sets samplers, as step letters ("edskypmxt") or names separated by ';', or disable, as names separated by ','.
func (p *Params) SetString(name, value string) error {
	const op = "Params.SetString"
	text, err := cName(op, value)
	if err != nil {
		return err
	}
	defer C.free(unsafe.Pointer(text))
	return p.named(op, name, func(h *C.bankml_params, name *C.char) C.bankml_status {
		return C.bankml_params_set_string(h, name, text)
	})
}

// SetJSON sets any parameter to the value that a JSON text says. logit_bias: pairs of token or text and bias (false bans), or an
// object; dry_sequence_breakers: an array of strings; dry_breaker_tokens: an array of token arrays; samplers: an array of names.
func (p *Params) SetJSON(name, text string) error {
	bytes, n := chars(text)
	return p.named("Params.SetJSON", name, func(h *C.bankml_params, name *C.char) C.bankml_status {
		return C.bankml_params_set_json(h, name, bytes, n)
	})
}

// Load takes over what a request body says. The format is "llama-server": its clamps, refusals and texts are that server's own.
// Fields that the body lacks keep their values; unknown ones are ignored unless Strict is on.
func (p *Params) Load(format, body string) error {
	bytes, n := chars(body)
	return p.named("Params.Load", format, func(h *C.bankml_params, format *C.char) C.bankml_status {
		return C.bankml_params_load_json(h, format, bytes, n)
	})
}

// LoadRequest is Load of a llama-server request.
func (p *Params) LoadRequest(body string) error { return p.Load("llama-server", body) }

// Strict on: Load refuses fields that it does not know. Off at first.
func (p *Params) Strict(on bool) error {
	return p.do("Params.Strict", func(h *C.bankml_params) C.bankml_status { return C.bankml_params_strict(h, cBool(on)) })
}

// LoadGGUF takes over a model file's own defaults, its metadata general.sampling.*. A value of a wrong type is ignored with a
// warning.
func (p *Params) LoadGGUF(path string) error {
	return p.named("Params.LoadGGUF", path, func(h *C.bankml_params, path *C.char) C.bankml_status {
		return C.bankml_params_load_gguf(h, path)
	})
}

// LoadGGUFBytes is LoadGGUF of a file in memory.
func (p *Params) LoadGGUFBytes(data []byte) error {
	bytes, n := octets(data)
	return p.do("Params.LoadGGUFBytes", func(h *C.bankml_params) C.bankml_status {
		return C.bankml_params_load_gguf_bytes(h, bytes, n)
	})
}

// Number is the value in force of a parameter of kind number, integer or boolean.
func (p *Params) Number(name string) (float64, error) {
	var value C.double
	err := p.named("Params.Number", name, func(h *C.bankml_params, name *C.char) C.bankml_status {
		return C.bankml_params_get_number(h, name, &value)
	})
	return float64(value), err
}

// JSON is the value in force of any parameter, as JSON text.
func (p *Params) JSON(name string) (text string, err error) {
	err = p.named("Params.JSON", name, func(h *C.bankml_params, name *C.char) C.bankml_status {
		return readText(&text, func(out *C.char, cap C.size_t, needed *C.size_t) C.bankml_status {
			return C.bankml_params_get_json(h, name, out, cap, needed)
		})
	})
	return text, err
}

// ToJSON is the values in force of all parameters, as one JSON object.
func (p *Params) ToJSON() (text string, err error) {
	err = p.do("Params.ToJSON", func(h *C.bankml_params) C.bankml_status {
		return readText(&text, func(out *C.char, cap C.size_t, needed *C.size_t) C.bankml_status {
			return C.bankml_params_to_json(h, out, cap, needed)
		})
	})
	return text, err
}

// readText calls a reader of the library until the buffer is large enough; the count has the terminating zero in it.
func readText(text *string, read func(out *C.char, cap C.size_t, needed *C.size_t) C.bankml_status) C.bankml_status {
	buffer := make([]C.char, 256)
	for {
		var needed C.size_t
		status := read(unsafe.SliceData(buffer), C.size_t(len(buffer)), &needed)
		if status == C.BANKML_BUFFER && int(needed) > len(buffer) {
			buffer = make([]C.char, needed)
			continue
		}
		if status == C.BANKML_OK {
			*text = C.GoString(unsafe.SliceData(buffer))
		}
		return status
	}
}

// Origin says where the value in force came from: "default", "set", "request", "gguf:general.sampling.temp", ...
func (p *Params) Origin(name string) (string, error) {
	const op = "Params.Origin"
	var origin *C.char
	var text string
	err := p.named(op, name, func(h *C.bankml_params, name *C.char) C.bankml_status {
		if origin = C.bankml_params_origin(h, name); origin != nil {
			text = C.GoString(origin)
		}
		return C.BANKML_OK
	})
	if err == nil && origin == nil {
		err = refused(op, ErrInvalidArgument, "unknown parameter %q", name)
	}
	return text, err
}

// Warnings lists what was ignored or dropped, oldest first; nil if nothing was, or after Close.
func (p *Params) Warnings() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	var lines []string
	for i := C.size_t(0); i < C.bankml_params_warning_count(p.h); i++ {
		lines = append(lines, C.GoString(C.bankml_params_warning(p.h, i)))
	}
	return lines
}

// OpenText is a text whose tokens the library cannot know.
type OpenText struct {
	Text    string // any bytes
	Purpose string // "dry_sequence_breakers" or "logit_bias"
}

// OpenTexts lists the texts that still need tokens before a sampler with this vocabulary (nil: with none) can be made: tails of DRY
// breakers and biases of texts. SentencePiece vocabularies from GGUF answer them by themselves. [Params.Answer] answers one.
func (p *Params) OpenTexts(vocab *Vocab) ([]OpenText, error) {
	const op = "Params.OpenTexts"
	var v *C.bankml_vocab
	if vocab != nil {
		vocab.mu.RLock()
		defer vocab.mu.RUnlock()
		if v = vocab.h; v == nil {
			return nil, refused(op, ErrClosed, "the vocabulary is closed")
		}
	}
	var texts []OpenText
	err := p.do(op, func(h *C.bankml_params) C.bankml_status {
		var count C.size_t
		if status := C.bankml_params_text_count(h, v, &count); status != C.BANKML_OK {
			return status
		}
		for i := C.size_t(0); i < count; i++ {
			var bytes *C.uint8_t
			var n C.size_t
			var purpose *C.char
			if status := C.bankml_params_text(h, i, &bytes, &n, &purpose); status != C.BANKML_OK {
				return status
			}
			texts = append(texts, OpenText{string(unsafe.Slice((*byte)(unsafe.Pointer(bytes)), int(n))), C.GoString(purpose)})
		}
		return C.BANKML_OK
	})
	return texts, err
}

// Answer gives the tokens of the i-th text of the last OpenTexts.
func (p *Params) Answer(i int, ids ...int32) error {
	const op = "Params.Answer"
	index, err := cCount(op, "text", i)
	if err != nil {
		return err
	}
	out, n := tokens(ids)
	return p.do(op, func(h *C.bankml_params) C.bankml_status { return C.bankml_params_set_text_tokens(h, index, out, n) })
}
