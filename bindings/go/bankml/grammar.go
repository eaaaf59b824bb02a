package bankml

/*
#cgo noescape bankml_grammar_mask
#cgo nocallback bankml_grammar_mask
#cgo noescape bankml_grammar_test
#cgo nocallback bankml_grammar_test
#cgo noescape bankml_grammar_accept
#cgo nocallback bankml_grammar_accept
#cgo noescape bankml_grammar_accept_many
#cgo nocallback bankml_grammar_accept_many
#cgo noescape bankml_sampler_sample_constrained
#cgo nocallback bankml_sampler_sample_constrained
#include <stdlib.h>
#include "bankml.h"
*/
import "C"

import (
	"runtime"
	"sync"
	"unsafe"
)

// Grammar says what the text of one sequence may be. It allows and accepts what llama.cpp allows and accepts.
//
// [Sampler.SampleConstrained] draws under it. Accept each token here first, then in the sampler. After any error the grammar is as
// it was before the call. Goroutines that share one wait for each other; clones share compiled rules and masks and may be used at
// the same time.
type Grammar struct {
	mu      sync.Mutex // held through every call into C, so that Close cannot free under it; a sampler's is taken before it
	h       *C.bankml_grammar
	id      uint64 // the order in which a batch locks its grammars
	nVocab  int
	cleanup runtime.Cleanup
}

func newGrammar(h *C.bankml_grammar, nVocab int) *Grammar {
	g := &Grammar{h: h, id: lastID.Add(1), nVocab: nVocab}
	g.cleanup = runtime.AddCleanup(g, func(h *C.bankml_grammar) { C.bankml_grammar_free(h) }, h)
	return g
}

// GrammarOption is an option of [GrammarFromGBNF]. The first that is refused ends the call.
type GrammarOption func(*grammarSettings)

// grammarSettings has what each option does to the library's options.
type grammarSettings struct {
	set []func(op string, o *C.bankml_grammar_options) error
}

// WithRoot names the rule with which the text begins, "root" if not given.
func WithRoot(rule string) GrammarOption { return grammarString("root", rule) }

// WithDialect says what tokens mean. "llama", if not given: what llama.cpp allows and accepts. "strict": pieces are read as UTF-8 is
// defined, control and unused tokens match token references alone, a token is allowed only if something completes the text behind it,
// and end tokens exactly where the text is complete.
func WithDialect(name string) GrammarOption { return grammarString("dialect", name) }

func grammarString(name, text string) GrammarOption {
	return grammarOption(func(op string, o *C.bankml_grammar_options) error {
		value, err := cName(op, text)
		if err != nil {
			return err
		}
		defer C.free(unsafe.Pointer(value))
		option := C.CString(name)
		defer C.free(unsafe.Pointer(option))
		return optionSet(op, o, C.bankml_grammar_options_set_string(o, option, value))
	})
}

// WithMaxStates limits the elements of the rules once repetitions are written out, 1,000,000 if not given.
func WithMaxStates(most int) GrammarOption { return grammarNumber("max_states", most) }

// WithMaxBytes limits the memory of the states met, 67,108,864 bytes if not given.
func WithMaxBytes(most int) GrammarOption { return grammarNumber("max_bytes", most) }

// WithTokenText says which token a reference <text> (with both angle brackets) stands for, where that is no special piece of the
// vocabulary.
func WithTokenText(reference string, token int32) GrammarOption {
	return grammarOption(func(op string, o *C.bankml_grammar_options) error {
		bytes, n := chars(reference)
		return optionSet(op, o, C.bankml_grammar_options_token_text(o, (*C.uint8_t)(unsafe.Pointer(bytes)), n, C.int32_t(token)))
	})
}

// WithTriggerToken makes the grammar lazy: everything is allowed and accepted until a trigger wakes it. Triggers are tried in the
// order in which they are given. This one is a token; the grammar's text begins with it.
func WithTriggerToken(token int32) GrammarOption { return trigger(C.BANKML_TRIGGER_TOKEN, "", token) }

// WithTriggerWord is a trigger ([WithTriggerToken]) of these bytes, anywhere in the text since construction or reset; the grammar's
// text begins with them.
func WithTriggerWord(word string) GrammarOption { return trigger(C.BANKML_TRIGGER_WORD, word, -1) }

// WithTriggerPattern is a trigger ([WithTriggerToken]) of a regular expression, C++'s std::regex (ECMAScript over bytes) without
// look-ahead and back-references, searched in linear time anywhere in the text since construction or reset. Where it has groups, the
// grammar's text begins with the first that is not empty, else with the whole match.
func WithTriggerPattern(pattern string) GrammarOption {
	return trigger(C.BANKML_TRIGGER_PATTERN, pattern, -1)
}

// WithTriggerPatternFull is [WithTriggerPattern] for all of that text.
func WithTriggerPatternFull(pattern string) GrammarOption {
	return trigger(C.BANKML_TRIGGER_PATTERN_FULL, pattern, -1)
}

func trigger(kind C.int32_t, text string, token int32) GrammarOption {
	lazy := grammarNumber("lazy", 1)
	add := grammarOption(func(op string, o *C.bankml_grammar_options) error {
		bytes, n := chars(text)
		return optionSet(op, o, C.bankml_grammar_options_trigger(o, kind, (*C.uint8_t)(unsafe.Pointer(bytes)), n, C.int32_t(token)))
	})
	return func(s *grammarSettings) {
		lazy(s)
		add(s)
	}
}

func grammarNumber(name string, value int) GrammarOption {
	return grammarOption(func(op string, o *C.bankml_grammar_options) error {
		text := C.CString(name)
		defer C.free(unsafe.Pointer(text))
		return optionSet(op, o, C.bankml_grammar_options_set_number(o, text, C.double(value)))
	})
}

func grammarOption(set func(op string, o *C.bankml_grammar_options) error) GrammarOption {
	return func(s *grammarSettings) { s.set = append(s.set, set) }
}

func optionSet(op string, o *C.bankml_grammar_options, status C.bankml_status) error {
	if status == C.BANKML_OK {
		return nil
	}
	return failed(op, status, C.GoString(C.bankml_grammar_options_error(o)))
}

// GrammarFromGBNF makes a grammar of GBNF text, as llama.cpp reads it; an empty text constrains nothing. The grammar keeps what it
// needs of the vocabulary.
//
// [ErrParse] for a malformed text, with "grammar, line L, column C: " and llama.cpp's words, or for a malformed trigger pattern, with
// "trigger I: pattern, position P: "; [ErrLimit] for one that needs more
// than its limits; [ErrInvalidArgument] for an option.
func GrammarFromGBNF(v *Vocab, text string, opts ...GrammarOption) (*Grammar, error) {
	return makeGrammar("GrammarFromGBNF", v, text, opts, false)
}

// GrammarFromSchema makes a grammar of a JSON schema in llama.cpp's reading: the language of its own converter, quirks included.
//
// [ErrSchema] for a refused schema, with llama.cpp's words; [ErrInvalidArgument] for malformed JSON; [ErrLimit] as [GrammarFromGBNF].
func GrammarFromSchema(v *Vocab, json string, opts ...GrammarOption) (*Grammar, error) {
	return makeGrammar("GrammarFromSchema", v, json, append([]GrammarOption{WithDialect("llama")}, opts...), true)
}

func makeGrammar(op string, v *Vocab, text string, opts []GrammarOption, schema bool) (*Grammar, error) {
	if v == nil {
		return nil, refused(op, ErrInvalidArgument, "the vocabulary is nil")
	}
	v.mu.RLock()
	defer v.mu.RUnlock()
	if v.h == nil {
		return nil, refused(op, ErrClosed, "the vocabulary is closed")
	}
	var message [textCap]C.char
	o := C.bankml_grammar_options_new(&message[0], textCap)
	if o == nil {
		return nil, notMade(op, &message)
	}
	defer C.bankml_grammar_options_free(o)
	var all grammarSettings
	for _, option := range opts {
		if option != nil {
			option(&all)
		}
	}
	for _, set := range all.set {
		if err := set(op, o); err != nil {
			return nil, err
		}
	}
	words, n := chars(text)
	var h *C.bankml_grammar
	if schema {
		h = C.bankml_grammar_from_schema(v.h, words, n, o, &message[0], textCap)
	} else {
		h = C.bankml_grammar_from_gbnf(v.h, words, n, o, &message[0], textCap)
	}
	if h == nil {
		return nil, notMade(op, &message)
	}
	return newGrammar(h, int(C.bankml_vocab_size(v.h))), nil
}

// Clone makes an independent grammar at the same place, which shares compiled rules and masks. Cheap.
func (g *Grammar) Clone() (*Grammar, error) {
	const op = "Grammar.Clone"
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.h == nil {
		return nil, closed(op)
	}
	var text [textCap]C.char
	h := C.bankml_grammar_clone(g.h, &text[0], textCap)
	if h == nil {
		return nil, notMade(op, &text)
	}
	return newGrammar(h, g.nVocab), nil
}

// Close frees the grammar's native memory, after a call that runs in another goroutine. Later calls give [ErrClosed]; closing twice
// is fine. The error is always nil.
func (g *Grammar) Close() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.h != nil {
		g.cleanup.Stop()
		C.bankml_grammar_free(g.h)
		g.h = nil
	}
	return nil
}

// GBNF is the grammar as GBNF text.
func (g *Grammar) GBNF() (text string, err error) {
	const op = "Grammar.GBNF"
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.h == nil {
		return "", closed(op)
	}
	status := readText(&text, func(out *C.char, cap C.size_t, needed *C.size_t) C.bankml_status {
		return C.bankml_grammar_to_gbnf(g.h, out, cap, needed)
	})
	if status != C.BANKML_OK {
		return "", failed(op, status, C.GoString(C.bankml_grammar_error(g.h)))
	}
	return text, nil
}

// NVocab is the number of tokens of its vocabulary, after Close too.
func (g *Grammar) NVocab() int { return g.nVocab }

// Bytes is the native memory, what clones share included. 0 after Close.
func (g *Grammar) Bytes() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return int(C.bankml_grammar_bytes(g.h))
}

// MaskFills counts the masks computed since the states were last dropped; others were found. 0 after Close.
func (g *Grammar) MaskFills() uint64 {
	g.mu.Lock()
	defer g.mu.Unlock()
	return uint64(C.bankml_grammar_mask_fills(g.h))
}
