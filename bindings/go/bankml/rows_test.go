package bankml_test

import (
	"errors"
	"math"
	"math/rand"
	"testing"

	"github.com/bankml/bankml/bindings/go/bankml"
)

// Rows of logits and samplers that several tests share; every value is fixed, so that expectations are.

var inf = float32(math.Inf(1))

// row is like a model's: normal scores with a few high ones.
func row(n int, seed int64) []float32 {
	random := rand.New(rand.NewSource(seed))
	logits := make([]float32, n)
	for i := range logits {
		logits[i] = float32(random.NormFloat64()) * 2
	}
	for range 5 {
		logits[random.Intn(n)] += 6
	}
	return logits
}

func made(t testing.TB, options ...bankml.Option) *bankml.Sampler {
	t.Helper()
	s, err := bankml.New(options...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// neutral has a chain in which nothing but what the options turn on changes the logits.
func neutral(t testing.TB, n int, options ...bankml.Option) *bankml.Sampler {
	t.Helper()
	off := bankml.WithRequest(`{"top_k": 0, "top_p": 1, "min_p": 0, "temperature": 1}`)
	base := []bankml.Option{bankml.WithNVocab(n), off}
	return made(t, append(base, options...)...)
}

func sample(t testing.TB, s *bankml.Sampler, logits []float32) int32 {
	t.Helper()
	token, err := s.Sample(logits)
	if err != nil {
		t.Fatal(err)
	}
	return token
}

// flat draws count tokens of a row without preference, accepting none.
func flat(t testing.TB, s *bankml.Sampler, count int) []int32 {
	t.Helper()
	logits := make([]float32, s.NVocab())
	tokens := make([]int32, count)
	for i := range tokens {
		tokens[i] = sample(t, s, logits)
	}
	return tokens
}

// stream draws and accepts count tokens, from rows first, first + 1, ...
func stream(t testing.TB, s *bankml.Sampler, first, count int) []int32 {
	t.Helper()
	tokens := make([]int32, count)
	for i := range tokens {
		tokens[i] = sample(t, s, row(s.NVocab(), int64(first+i)))
		succeed(t, s.Accept(tokens[i]))
	}
	return tokens
}

func succeed(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// fails expects an error of this code, with a text that has all the parts.
func fails(t testing.TB, err error, code bankml.Code, parts ...string) {
	t.Helper()
	var detail *bankml.Error
	if !errors.Is(err, code) || !errors.As(err, &detail) {
		t.Fatalf("the error is %v, not %q", err, code.Error())
	}
	for _, part := range parts {
		if !contains(err.Error(), part) {
			t.Errorf("the error %q does not say %q", err, part)
		}
	}
}
