package bankml

/*
#cgo noescape bankml_stop_feed
#cgo nocallback bankml_stop_feed
#include "bankml.h"
*/
import "C"

import (
	"runtime"
	"slices"
	"sync"
	"unsafe"
)

// Stop ends a text at a stop string, also one that lies over token borders, and says what may be shown before.
//
// Held back is what may still become a stop string, and a character that is not whole; bytes that are no UTF-8 come out as they
// are. What comes out depends on the text alone, not on how it is cut into tokens: the stop string that is complete first ends it,
// of those that end together the longest. Goroutines that share one wait for each other.
type Stop struct {
	mu      sync.Mutex // held through every call into C
	h       *C.bankml_stop
	found   int32 // index of the stop string that ended the text and 1, or 0
	cleanup runtime.Cleanup
}

// StopOption is an option of [NewStop].
type StopOption func(*C.uint32_t)

// WithStopIncluded makes the stop string part of the output.
func WithStopIncluded() StopOption {
	return func(flags *C.uint32_t) { *flags |= C.BANKML_STOP_INCLUDE }
}

// WithStopByToken takes each [Stop.Feed] as one token: of the stop strings that it completes the one that begins first counts, of
// equal beginnings the one listed first, as in llama-server.
func WithStopByToken() StopOption {
	return func(flags *C.uint32_t) { *flags |= C.BANKML_STOP_BY_TOKEN }
}

func newStop(h *C.bankml_stop, found int32) *Stop {
	s := &Stop{h: h, found: found}
	s.cleanup = runtime.AddCleanup(s, func(h *C.bankml_stop) { C.bankml_stop_free(h) }, h)
	return s
}

// NewStop makes a Stop of strings, any bytes. [ErrInvalidArgument] for an empty one, [ErrLimit] above 65,536 strings or 1 MiB.
func NewStop(strings []string, opts ...StopOption) (*Stop, error) {
	const op = "NewStop"
	if err := checkABI(op); err != nil {
		return nil, err
	}
	var flags C.uint32_t
	for _, option := range opts {
		if option != nil {
			option(&flags)
		}
	}
	var bytes []byte
	offsets := make([]C.size_t, 1, len(strings)+1)
	for _, text := range strings {
		bytes = append(bytes, text...)
		offsets = append(offsets, C.size_t(len(bytes)))
	}
	data, _ := octets(bytes)
	var text [textCap]C.char
	h := C.bankml_stop_new((*C.uint8_t)(data), &offsets[0], C.size_t(len(strings)), flags, &text[0], textCap)
	if h == nil {
		return nil, notMade(op, &text)
	}
	return newStop(h, 0), nil
}

// Clone makes an independent Stop at the same place of the text, with the same strings.
func (s *Stop) Clone() (*Stop, error) {
	const op = "Stop.Clone"
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.h == nil {
		return nil, closed(op)
	}
	var text [textCap]C.char
	h := C.bankml_stop_clone(s.h, &text[0], textCap)
	if h == nil {
		return nil, notMade(op, &text)
	}
	return newStop(h, s.found), nil
}

// Close frees the native memory. Later calls give [ErrClosed]; closing twice is fine. The error is always nil.
func (s *Stop) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.h != nil {
		s.cleanup.Stop()
		C.bankml_stop_free(s.h)
		s.h = nil
	}
	return nil
}

func (s *Stop) ended(op string, status C.bankml_status) error {
	if status == C.BANKML_OK {
		return nil
	}
	return failed(op, status, C.GoString(C.bankml_stop_error(s.h)))
}

// Feed takes more of the text, such as a token's piece, and appends what may be shown now to dst. Once [Stop.Matched] is set,
// nothing more comes.
func (s *Stop) Feed(dst []byte, text string) ([]byte, error) {
	const op = "Stop.Feed"
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.h == nil {
		return dst, closed(op)
	}
	dst = slices.Grow(dst, int(C.bankml_stop_held(s.h))+len(text))
	bytes, n := chars(text)
	out, room := octets(dst[len(dst):cap(dst)])
	var shown C.size_t
	var matched C.int32_t
	status := C.bankml_stop_feed(s.h, (*C.uint8_t)(unsafe.Pointer(bytes)), n, (*C.uint8_t)(out), room, &shown, &matched)
	if err := s.ended(op, status); err != nil {
		return dst, err
	}
	s.found = int32(matched) + 1
	return dst[:len(dst)+int(shown)], nil
}

// Flush is for the end of a generation: it appends what was held back to dst, nothing behind a stop string, and begins anew.
func (s *Stop) Flush(dst []byte) ([]byte, error) {
	const op = "Stop.Flush"
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.h == nil {
		return dst, closed(op)
	}
	dst = slices.Grow(dst, int(C.bankml_stop_held(s.h)))
	out, room := octets(dst[len(dst):cap(dst)])
	var shown C.size_t
	if err := s.ended(op, C.bankml_stop_flush(s.h, (*C.uint8_t)(out), room, &shown)); err != nil {
		return dst, err
	}
	s.found = 0
	return dst[:len(dst)+int(shown)], nil
}

// Reset begins anew.
func (s *Stop) Reset() error {
	const op = "Stop.Reset"
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.h == nil {
		return closed(op)
	}
	s.found = 0
	return s.ended(op, C.bankml_stop_reset(s.h))
}

// Matched is the index of the stop string that ended the text, or -1.
func (s *Stop) Matched() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return int(s.found) - 1
}

// Held is the number of bytes held back now. 0 after Close.
func (s *Stop) Held() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return int(C.bankml_stop_held(s.h))
}
