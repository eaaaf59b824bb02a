package bankml

/*
#cgo nocallback bankml_vocab_piece
#include <stdlib.h>
#include "bankml.h"
*/
import "C"

import (
	"runtime"
	"sync"
	"unsafe"
)

// TokenFlags are the properties of one token.
type TokenFlags uint32

// Flags of a token.
const (
	TokenControl     TokenFlags = C.BANKML_TOKEN_CONTROL      // special: its piece is not text of the model's output
	TokenEOG         TokenFlags = C.BANKML_TOKEN_EOG          // ends generation
	TokenByte        TokenFlags = C.BANKML_TOKEN_BYTE         // byte fallback token
	TokenUserDefined TokenFlags = C.BANKML_TOKEN_USER_DEFINED // added by the model's makers, text
	TokenUnused      TokenFlags = C.BANKML_TOKEN_UNUSED       // a place without a token
	TokenUnknown     TokenFlags = C.BANKML_TOKEN_UNKNOWN      // stands for what the vocabulary cannot write
)

// Vocab holds the pieces of a vocabulary. Only steps that read pieces need one: DRY with string breakers, infill, ignore_eos. It
// is immutable and may be shared by any number of samplers and goroutines. Samplers keep what they need of it, so that it may be
// closed before them.
type Vocab struct {
	mu      sync.RWMutex // held by readers, so that Close waits for them
	h       *C.bankml_vocab
	cleanup runtime.Cleanup
}

func newVocab(h *C.bankml_vocab) *Vocab {
	v := &Vocab{h: h}
	v.cleanup = runtime.AddCleanup(v, func(h *C.bankml_vocab) { C.bankml_vocab_free(h) }, h)
	return v
}

// NewVocab makes a vocabulary of pieces, any bytes, one for each token id. flags may be nil, or has one value for each piece. eos
// and eot are ids, or -1 for none. Everything is copied.
func NewVocab(pieces []string, flags []TokenFlags, eos, eot int32) (*Vocab, error) {
	const op = "NewVocab"
	if err := checkABI(op); err != nil {
		return nil, err
	}
	if flags != nil && len(flags) != len(pieces) {
		return nil, refused(op, ErrLength, "%d flags for %d pieces", len(flags), len(pieces))
	}
	var bytes []byte
	offsets := make([]C.size_t, 1, len(pieces)+1)
	for _, piece := range pieces {
		bytes = append(bytes, piece...)
		offsets = append(offsets, C.size_t(len(bytes)))
	}
	data, _ := octets(bytes)
	var text [textCap]C.char
	h := C.bankml_vocab_new((*C.uint8_t)(data), &offsets[0], (*C.uint32_t)(unsafe.SliceData(flags)), C.size_t(len(pieces)),
		C.int32_t(eos), C.int32_t(eot), &text[0], textCap)
	if h == nil {
		return nil, notMade(op, &text)
	}
	return newVocab(h), nil
}

// VocabFromGGUF reads the vocabulary of a GGUF file: SentencePiece or byte-level BPE pieces, decoded to bytes as llama.cpp does.
func VocabFromGGUF(path string) (*Vocab, error) {
	const op = "VocabFromGGUF"
	if err := checkABI(op); err != nil {
		return nil, err
	}
	name, err := cName(op, path)
	if err != nil {
		return nil, err
	}
	defer C.free(unsafe.Pointer(name))
	var text [textCap]C.char
	h := C.bankml_vocab_from_gguf(name, &text[0], textCap)
	if h == nil {
		return nil, notMade(op, &text)
	}
	return newVocab(h), nil
}

// VocabFromGGUFBytes is [VocabFromGGUF] for a file in memory. What is needed of data is copied.
func VocabFromGGUFBytes(data []byte) (*Vocab, error) {
	const op = "VocabFromGGUFBytes"
	if err := checkABI(op); err != nil {
		return nil, err
	}
	var text [textCap]C.char
	bytes, n := octets(data)
	h := C.bankml_vocab_from_gguf_bytes(bytes, n, &text[0], textCap)
	if h == nil {
		return nil, notMade(op, &text)
	}
	return newVocab(h), nil
}

// Close frees the vocabulary; samplers made with it go on. Closing twice is fine. The error is always nil.
func (v *Vocab) Close() error {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.h != nil {
		v.cleanup.Stop()
		C.bankml_vocab_free(v.h)
		v.h = nil
	}
	return nil
}

// Size is the number of tokens.
func (v *Vocab) Size() int {
	v.mu.RLock()
	defer v.mu.RUnlock()
	return int(C.bankml_vocab_size(v.h))
}

// Piece is the text of a token, any bytes; special tokens are rendered as their text. [ErrToken] outside [0, Size).
func (v *Vocab) Piece(token int32) (string, error) {
	const op = "Vocab.Piece"
	v.mu.RLock()
	defer v.mu.RUnlock()
	if v.h == nil {
		return "", closed(op)
	}
	var bytes *C.uint8_t
	var n C.size_t
	if status := C.bankml_vocab_piece(v.h, C.int32_t(token), &bytes, &n); status != C.BANKML_OK {
		return "", v.noToken(op, status, token)
	}
	return string(unsafe.Slice((*byte)(unsafe.Pointer(bytes)), int(n))), nil
}

// Flags are the properties of a token. [ErrToken] outside [0, Size).
func (v *Vocab) Flags(token int32) (TokenFlags, error) {
	const op = "Vocab.Flags"
	v.mu.RLock()
	defer v.mu.RUnlock()
	if v.h == nil {
		return 0, closed(op)
	}
	var flags C.uint32_t
	if status := C.bankml_vocab_flags(v.h, C.int32_t(token), &flags); status != C.BANKML_OK {
		return 0, v.noToken(op, status, token)
	}
	return TokenFlags(flags), nil
}

// A vocabulary is immutable, so its handle keeps no text of a failure.
func (v *Vocab) noToken(op string, status C.bankml_status, token int32) error {
	return refused(op, Code(status), "token %d is outside [0, %d)", token, int(C.bankml_vocab_size(v.h)))
}

// EOS is the end-of-sequence token, -1 if there is none.
func (v *Vocab) EOS() int32 {
	return v.special(func(h *C.bankml_vocab) C.int32_t { return C.bankml_vocab_eos(h) })
}

// EOT is the end-of-turn token, -1 if there is none.
func (v *Vocab) EOT() int32 {
	return v.special(func(h *C.bankml_vocab) C.int32_t { return C.bankml_vocab_eot(h) })
}

// BOS is the begin-of-sequence token, -1 if there is none.
func (v *Vocab) BOS() int32 {
	return v.special(func(h *C.bankml_vocab) C.int32_t { return C.bankml_vocab_bos(h) })
}

func (v *Vocab) special(read func(*C.bankml_vocab) C.int32_t) int32 {
	v.mu.RLock()
	defer v.mu.RUnlock()
	if v.h == nil {
		return -1
	}
	return int32(read(v.h))
}

// Fingerprint is a 64-bit hash of pieces and flags: equal vocabularies have equal fingerprints, on every platform.
func (v *Vocab) Fingerprint() uint64 {
	v.mu.RLock()
	defer v.mu.RUnlock()
	if v.h == nil {
		return 0
	}
	return uint64(C.bankml_vocab_fingerprint(v.h))
}

// BreakerScans counts how often DRY breakers were prepared by scanning the pieces: once for each list of breakers.
func (v *Vocab) BreakerScans() uint64 {
	v.mu.RLock()
	defer v.mu.RUnlock()
	if v.h == nil {
		return 0
	}
	return uint64(C.bankml_vocab_breaker_scans(v.h))
}

// Tokenize gives the tokens of a short text: no special tokens, the vocabulary's rule for a leading space. SentencePiece
// vocabularies from GGUF only, else [ErrInvalidArgument].
func (v *Vocab) Tokenize(text string) ([]int32, error) {
	const op = "Vocab.Tokenize"
	v.mu.RLock()
	defer v.mu.RUnlock()
	if v.h == nil {
		return nil, closed(op)
	}
	bytes, n := chars(text)
	ids := make([]int32, len(text)+1)
	for {
		out, cap := tokens(ids)
		var count C.size_t
		status := C.bankml_vocab_tokenize(v.h, (*C.uint8_t)(unsafe.Pointer(bytes)), n, out, cap, &count)
		switch {
		case status == C.BANKML_OK:
			return ids[:count], nil
		case status == C.BANKML_BUFFER && int(count) > len(ids):
			ids = make([]int32, count)
		default:
			return nil, refused(op, Code(status), "the vocabulary cannot tokenize %q: only SentencePiece vocabularies from GGUF can", text)
		}
	}
}
