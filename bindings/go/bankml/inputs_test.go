package bankml_test

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"syscall"
	"testing"
	"unsafe"

	"github.com/bankml/bankml/bindings/go/bankml"
)

// Whatever a slice may be, the answer is right or an error, and the next draw is unharmed. Wrong element types do not compile.
func TestRowsOfEveryKind(t *testing.T) {
	nan := inf - inf
	good := row(64, 1)
	with := func(i int, x float32) []float32 {
		bad := slices.Clone(good)
		bad[i] = x
		return bad
	}
	for name, one := range map[string]struct {
		logits []float32
		code   bankml.Code
	}{
		"nil":          {nil, bankml.ErrLength},
		"empty":        {[]float32{}, bankml.ErrLength},
		"short":        {good[:63], bankml.ErrLength},
		"long":         {append(slices.Clone(good), 0), bankml.ErrLength},
		"NaN":          {with(63, nan), bankml.ErrNonFinite},
		"all NaN":      {slices.Repeat([]float32{nan}, 64), bankml.ErrNonFinite},
		"+Inf":         {with(0, inf), bankml.ErrNonFinite},
		"nothing left": {slices.Repeat([]float32{-inf}, 64), bankml.ErrNoCandidate},
	} {
		s, twin := neutral(t, 64, bankml.WithSeed(1)), neutral(t, 64, bankml.WithSeed(1))
		token, err := s.Sample(one.logits)
		fails(t, err, one.code, "Sampler.Sample: ")
		if token != -1 {
			t.Errorf("%s: token %d beside an error", name, token)
		}
		_, _, err = s.TokenProbs(one.logits, 0, nil)
		if one.code == bankml.ErrLength {
			fails(t, err, one.code)
		}
		if a, b := stream(t, s, 0, 10), stream(t, twin, 0, 10); !slices.Equal(a, b) {
			t.Errorf("%s changed the state: %v, not %v", name, a, b)
		}
	}
}

// A part of a larger array is read from where it begins.
func TestOffset(t *testing.T) {
	rows := []float32{9, 0, 0, 0, 9, 0, 0, 0, 9}
	s := made(t, bankml.WithNVocab(3), bankml.WithTemperature(0))
	for first, want := range map[int]int32{0: 0, 2: 2, 3: 1, 6: 2} {
		if token := sample(t, s, rows[first:first+3]); token != want {
			t.Errorf("from %d: %d, not %d", first, token, want)
		}
	}
}

// Logits are read where they lie and never written: a row in a file that is mapped read-only, and no memory of the row's size is
// allocated for it, in Go or in C.
func TestZeroCopy(t *testing.T) {
	const n = 1 << 20
	logits := row(n, 1)
	path := filepath.Join(t.TempDir(), "logits")
	succeed(t, os.WriteFile(path, unsafe.Slice((*byte)(unsafe.Pointer(&logits[0])), 4*n), 0o600))
	file, err := os.Open(path)
	succeed(t, err)
	defer file.Close()
	mapped, err := syscall.Mmap(int(file.Fd()), 0, 4*n, syscall.PROT_READ, syscall.MAP_SHARED)
	succeed(t, err)
	defer syscall.Munmap(mapped)
	s, twin := made(t, bankml.WithNVocab(n), bankml.WithSeed(1)), made(t, bankml.WithNVocab(n), bankml.WithSeed(1))
	readOnly := unsafe.Slice((*float32)(unsafe.Pointer(&mapped[0])), n)
	native := s.Bytes()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range 10 {
		if a, b := sample(t, s, readOnly), sample(t, twin, logits); a != b {
			t.Errorf("%d, not %d", a, b)
		}
	}
	runtime.ReadMemStats(&after)
	if grown := after.TotalAlloc - before.TotalAlloc; grown > 4*n/10 || s.Bytes() != native || native > 4*n/10 {
		t.Errorf("%d bytes in Go, %d in C", grown, s.Bytes())
	}
}
