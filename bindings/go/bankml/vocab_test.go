package bankml_test

import (
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"github.com/bankml/bankml/bindings/go/bankml"
)

func vocab(t *testing.T, pieces []string, flags []bankml.TokenFlags, eos, eot int32) *bankml.Vocab {
	t.Helper()
	v, err := bankml.NewVocab(pieces, flags, eos, eot)
	succeed(t, err)
	t.Cleanup(func() { v.Close() })
	return v
}

func TestVocab(t *testing.T) {
	pieces := []string{"a", "\xff\x00", "", "</s>"}
	v := vocab(t, pieces, []bankml.TokenFlags{0, bankml.TokenByte, 0, bankml.TokenControl | bankml.TokenEOG}, 3, -1)
	if v.Size() != 4 || v.EOS() != 3 || v.EOT() != -1 || v.BOS() != -1 {
		t.Error(v.Size(), v.EOS(), v.EOT(), v.BOS())
	}
	for i, want := range pieces {
		if piece, err := v.Piece(int32(i)); err != nil || piece != want {
			t.Errorf("piece %d is %q (%v)", i, piece, err)
		}
	}
	if flags, err := v.Flags(3); err != nil || flags != bankml.TokenControl|bankml.TokenEOG {
		t.Error(flags, err)
	}
	for _, token := range []int32{-1, 4} {
		_, err := v.Piece(token)
		fails(t, err, bankml.ErrToken, "outside [0, 4)")
		_, err = v.Flags(token)
		fails(t, err, bankml.ErrToken, "outside [0, 4)")
	}
	same, other := vocab(t, []string{"a", "b"}, nil, -1, -1), vocab(t, []string{"ab", ""}, nil, -1, -1)
	again := vocab(t, []string{"a", "b"}, []bankml.TokenFlags{0, 0}, -1, -1)
	if same.Fingerprint() != again.Fingerprint() || same.Fingerprint() == other.Fingerprint() {
		t.Error("fingerprints")
	}
	_, err := bankml.NewVocab([]string{"a"}, []bankml.TokenFlags{0, 0}, -1, -1)
	fails(t, err, bankml.ErrLength, "2 flags for 1 pieces")
	_, err = bankml.NewVocab([]string{"a"}, nil, 1, -1)
	fails(t, err, bankml.ErrInvalidArgument, "eos")
	_, err = v.Tokenize("a")
	fails(t, err, bankml.ErrInvalidArgument, "SentencePiece")
}

// The step that asks for pieces gets them; a breaker list is prepared once for all samplers.
func TestVocabOfASampler(t *testing.T) {
	v := vocab(t, []string{"a", "b", "\n", "</s>"}, []bankml.TokenFlags{0, 0, 0, bankml.TokenEOG}, 3, -1)
	s := neutral(t, 0, bankml.WithVocab(v), bankml.With("ignore_eos", true))
	for range 50 {
		if sample(t, s, []float32{0, 0, 0, 5}) == 3 {
			t.Fatal("the end token was drawn")
		}
	}
	for range 3 {
		made(t, bankml.WithVocab(v), bankml.With("dry_multiplier", 1), bankml.With("dry_sequence_breakers", []string{"\n"}))
	}
	if v.BreakerScans() != 1 {
		t.Error(v.BreakerScans())
	}
	succeed(t, v.Close())
	sample(t, s, []float32{0, 0, 0, 5})
	_, err := bankml.New(bankml.WithNVocab(4), bankml.With("ignore_eos", true))
	fails(t, err, bankml.ErrInvalidArgument, "ignore_eos")
	padded := neutral(t, 6, bankml.WithVocab(vocab(t, []string{"a", "b", "c", "d"}, nil, -1, -1)))
	if padded.NVocab() != 6 {
		t.Error(padded.NVocab())
	}
}

func TestVocabFromGGUF(t *testing.T) {
	path := "../../../examples/tiny-model/tiny-model.gguf"
	data, err := os.ReadFile(path)
	succeed(t, err)
	fromFile, err := bankml.VocabFromGGUF(path)
	succeed(t, err)
	defer fromFile.Close()
	fromBytes, err := bankml.VocabFromGGUFBytes(data)
	succeed(t, err)
	defer fromBytes.Close()
	if fromFile.Size() == 0 || fromFile.Fingerprint() != fromBytes.Fingerprint() || fromFile.EOS() != fromBytes.EOS() {
		t.Error("the file's vocabulary differs from that of its bytes")
	}
	_, err = bankml.VocabFromGGUF(filepath.Join(t.TempDir(), "none.gguf"))
	fails(t, err, bankml.ErrInvalidArgument, "none.gguf")
	_, err = bankml.VocabFromGGUF("a\x00b")
	fails(t, err, bankml.ErrInvalidArgument, "zero byte")
	_, err = bankml.VocabFromGGUFBytes(data[:1000])
	fails(t, err, bankml.ErrInvalidArgument)
	_, err = bankml.VocabFromGGUFBytes(nil)
	fails(t, err, bankml.ErrInvalidArgument)
}

// A SentencePiece vocabulary tokenizes short texts by itself, any bytes.
func TestTokenize(t *testing.T) {
	const path = "../../../tests/vectors/vocab/spm-phi3.gguf"
	if _, err := os.Stat(path); err != nil {
		t.Skip("the recorded vocabularies are not part of the Go module")
	}
	v, err := bankml.VocabFromGGUF(path)
	succeed(t, err)
	defer v.Close()
	for text, want := range map[string][]int32{"*": {283}, "\xd6\xcd": {259, 217, 208}, "": {}} {
		if ids, err := v.Tokenize(text); err != nil || !slices.Equal(ids, want) {
			t.Errorf("%q: %v (%v)", text, ids, err)
		}
	}
}

// Any number of goroutines read one vocabulary; Close waits for them.
func TestVocabIsShared(t *testing.T) {
	v := vocab(t, []string{"a", "b"}, nil, -1, -1)
	var group sync.WaitGroup
	for range 8 {
		group.Add(1)
		go func() {
			defer group.Done()
			for range 2000 {
				if piece, err := v.Piece(1); err == nil && piece != "b" {
					t.Errorf("%q", piece)
				}
			}
		}()
	}
	v.Close()
	group.Wait()
	_, err := v.Piece(1)
	fails(t, err, bankml.ErrClosed, "Vocab.Piece")
}
