package bankml

/*
#include "bankml.h"
*/
import "C"

import (
	"fmt"
	"strings"
)

// Code says what kind of failure an [Error] is. The constants are errors themselves: errors.Is(err, bankml.ErrToken).
type Code int32

// Codes of the C library (bankml_status), and ErrClosed, which is Go's own.
const (
	ErrClosed          Code = -1                    // a method of a closed object
	ErrInvalidArgument Code = C.BANKML_ARG          // a bad argument or parameter; the text names it and its value
	ErrLength          Code = C.BANKML_LENGTH       // the number of logits or mask words is not the sampler's
	ErrToken           Code = C.BANKML_TOKEN        // a token id outside [0, NVocab), or listed twice
	ErrNonFinite       Code = C.BANKML_NONFINITE    // NaN or +inf among the logits, or made of them by the parameters
	ErrNoCandidate     Code = C.BANKML_NO_CANDIDATE // no token left: empty set, all logits -inf, nothing allowed
	ErrBusy            Code = C.BANKML_BUSY         // the sampler's workspace is in use by another sampler, or the pool by another goroutine
	ErrOutOfMemory     Code = C.BANKML_NOMEM        // the library could not allocate
	ErrBuffer          Code = C.BANKML_BUFFER       // a buffer of the binding is too small: a fault of this package
	ErrOpenText        Code = C.BANKML_OPEN_TEXT    // a text of the parameters still needs its tokens: Params.Answer
	ErrNotKept         Code = C.BANKML_NOT_KEPT     // no candidates kept: Keep is off, or no draw yet
	ErrParse           Code = C.BANKML_PARSE        // malformed JSON, GGUF or grammar text
	ErrReject          Code = C.BANKML_REJECT       // a grammar refuses the token
	ErrSchema          Code = C.BANKML_SCHEMA       // a JSON schema that is unsupported or cannot be satisfied
	ErrLimit           Code = C.BANKML_LIMIT        // a resource limit
	ErrState           Code = C.BANKML_STATE        // damaged or foreign state bytes
	ErrIO              Code = C.BANKML_IO           // a file cannot be read
	ErrInternal        Code = C.BANKML_INTERNAL     // a fault of the library; please report it
)

// Error is the library's short text of the code, such as "bad argument".
func (c Code) Error() string {
	if c == ErrClosed {
		return "closed"
	}
	return C.GoString(C.bankml_status_string(C.bankml_status(c)))
}

// Error is what every failing call of this package returns.
type Error struct {
	Code Code   // also what errors.Is compares with
	Op   string // the call that failed, such as "Sampler.Sample"
	Msg  string // names the parameter and the value
}

// Error is the text "bankml: Op: Msg".
func (e *Error) Error() string { return "bankml: " + e.Op + ": " + e.Msg }

// Unwrap returns the code, so that errors.Is(err, bankml.ErrLength) holds.
func (e *Error) Unwrap() error { return e.Code }

// failed makes the error of a status of the library; text is the handle's, which may be empty.
func failed(op string, status C.bankml_status, text string) error {
	if text == "" {
		text = Code(status).Error()
	}
	return &Error{Code(status), op, text}
}

func closed(op string) error { return &Error{ErrClosed, op, "the object is closed"} }

func refused(op string, code Code, format string, args ...any) error {
	return &Error{code, op, fmt.Sprintf(format, args...)}
}

// A constructor of the C API gives a text and no status; it goes into a buffer of this size.
const textCap = 512

func notMade(op string, text *[textCap]C.char) error {
	message := C.GoString(&text[0])
	code := ErrInvalidArgument
	switch {
	case message == ErrOutOfMemory.Error():
		code = ErrOutOfMemory
	case strings.Contains(message, "more than max_states = "), strings.Contains(message, "more than max_bytes = "),
		strings.Contains(message, "more than max_count = "):
		code = ErrLimit
	case strings.HasPrefix(message, "grammar, line "):
		code = ErrParse
	case strings.HasPrefix(message, "JSON schema conversion failed"), strings.HasPrefix(message, "failed to parse grammar"),
		strings.HasPrefix(message, "a JSON schema needs "):
		code = ErrSchema
	case strings.HasPrefix(message, "trigger "):
		switch {
		case strings.Contains(message, " is outside the vocabulary of "):
			code = ErrToken
		case strings.Contains(message, ": more than "):
			code = ErrLimit
		case strings.Contains(message, ": pattern, position "):
			code = ErrParse
		}
	}
	return &Error{code, op, message}
}
