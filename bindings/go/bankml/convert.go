package bankml

/*
#include <stdlib.h>
#include "bankml.h"
*/
import "C"

import (
	"math"
	"strings"
	"unsafe"
)

// How Go values cross the border. Slices and strings are lent as they lie in memory: the cgo rules allow it because they hold no Go
// pointers and the library keeps nothing.

// The library's records are read into Go's own; these lines do not compile if a layout differs.
var (
	_ [0]struct{} = [unsafe.Sizeof(Candidate{}) - C.sizeof_bankml_candidate]struct{}{}
	_ [0]struct{} = [unsafe.Sizeof(TokenProb{}) - C.sizeof_bankml_token_prob]struct{}{}
)

// An empty slice may have no address, which the library would call NULL instead of a wrong length.
var (
	emptyText  C.char
	emptyFloat C.float
	emptyWord  C.uint32_t
	emptyToken C.int32_t
)

func floats(x []float32) (*C.float, C.size_t) {
	if len(x) == 0 {
		return &emptyFloat, 0
	}
	return (*C.float)(unsafe.SliceData(x)), C.size_t(len(x))
}

func words(x []uint32) (*C.uint32_t, C.size_t) {
	if len(x) == 0 {
		return &emptyWord, 0
	}
	return (*C.uint32_t)(unsafe.SliceData(x)), C.size_t(len(x))
}

func tokens(x []int32) (*C.int32_t, C.size_t) {
	if len(x) == 0 {
		return &emptyToken, 0
	}
	return (*C.int32_t)(unsafe.SliceData(x)), C.size_t(len(x))
}

func probs(x []TokenProb) (*C.bankml_token_prob, C.size_t) {
	return (*C.bankml_token_prob)(unsafe.Pointer(unsafe.SliceData(x))), C.size_t(len(x))
}

// chars lends a text with its length.
func chars(text string) (*C.char, C.size_t) {
	if text == "" {
		return &emptyText, 0
	}
	return (*C.char)(unsafe.Pointer(unsafe.StringData(text))), C.size_t(len(text))
}

func octets(data []byte) (unsafe.Pointer, C.size_t) {
	if len(data) == 0 {
		return unsafe.Pointer(&emptyText), 0
	}
	return unsafe.Pointer(unsafe.SliceData(data)), C.size_t(len(data))
}

// cName copies a name for C, zero-terminated; the caller frees it. C would end a name at a zero byte inside it, so that is refused.
func cName(op, name string) (*C.char, error) {
	if strings.IndexByte(name, 0) >= 0 {
		return nil, refused(op, ErrInvalidArgument, "%q has a zero byte in it", name)
	}
	return C.CString(name), nil
}

func cBool(on bool) C.int32_t {
	if on {
		return 1
	}
	return 0
}

// cCount checks a count before it becomes a size_t; token ids are int32, so no count is larger.
func cCount(op, name string, n int) (C.size_t, error) {
	if n < 0 || n > math.MaxInt32 {
		return 0, refused(op, ErrInvalidArgument, "%s %d is outside [0, %d]", name, n, math.MaxInt32)
	}
	return C.size_t(n), nil
}
