package bankml_test

import (
	"math"
	"slices"
	"strconv"
	"testing"

	"github.com/bankml/bankml/bindings/go/bankml"
)

// Every option ends up as the parameter that it names.
func TestOptions(t *testing.T) {
	for name, option := range map[string]bankml.Option{
		"seed":           bankml.WithSeed(7),
		"temperature":    bankml.WithTemperature(7),
		"top_k":          bankml.WithTopK(7),
		"top_p":          bankml.WithTopP(7),
		"min_p":          bankml.WithMinP(7),
		"repeat_penalty": bankml.WithRepeatPenalty(7),
		"repeat_last_n":  bankml.WithRepeatLastN(7),
		"n_probs":        bankml.With("logprobs", 7),
		"mirostat_tau":   bankml.WithRequest(`{"mirostat_tau": 7}`),
	} {
		p, err := bankml.NewParams(option)
		succeed(t, err)
		if got := number(t, p, name); got != 7 {
			t.Errorf("%s is %g", name, got)
		}
		p.Close()
	}
	p, err := bankml.NewParams(bankml.WithLogitBias(map[int32]float32{9: -inf, 3: 0.1}), bankml.WithSamplers())
	succeed(t, err)
	defer p.Close()
	if bias := text(t, p, "logit_bias"); bias != "[[3,0.1],[9,false]]" {
		t.Error(bias)
	}
	if steps := text(t, p, "samplers"); steps != "[]" {
		t.Error(steps)
	}
}

// Options come after WithParams, in the order given, and leave the params given alone.
func TestOptionsAndParams(t *testing.T) {
	p := params(t)
	succeed(t, p.Set("top_k", 1))
	succeed(t, p.Set("temperature", 1))
	row := []float32{1, 1.1, 1}
	s := made(t, bankml.WithNVocab(3), bankml.WithTopK(5), bankml.WithTopK(0), bankml.WithParams(p), bankml.WithMinP(0))
	alone := made(t, bankml.WithNVocab(3), bankml.WithParams(p))
	if slices.Contains(s.Steps(), "top_k") || !slices.Contains(alone.Steps(), "top_k") {
		t.Error(s.Steps(), alone.Steps())
	}
	if number(t, p, "top_k") != 1 {
		t.Error("the params were changed")
	}
	sample(t, s, row)
}

// Counts that no token id reaches; a 32-bit int cannot hold one.
func TestCountsBeyondInt32(t *testing.T) {
	if strconv.IntSize == 32 {
		return
	}
	_, err := bankml.New(bankml.WithNVocab(math.MaxInt))
	fails(t, err, bankml.ErrInvalidArgument, "NVocab", strconv.Itoa(math.MaxInt))
	_, err = bankml.NewWorkspace(math.MaxInt)
	fails(t, err, bankml.ErrInvalidArgument, "nVocab")
}

// New refuses with the option's own error.
func TestNewRefuses(t *testing.T) {
	for _, bad := range []struct {
		options []bankml.Option
		code    bankml.Code
		part    string
	}{
		{nil, bankml.ErrInvalidArgument, "n_vocab"},
		{[]bankml.Option{bankml.WithNVocab(-3)}, bankml.ErrInvalidArgument, "-3"},
		{[]bankml.Option{bankml.WithNVocab(4), bankml.With("heat", 1)}, bankml.ErrInvalidArgument, "heat"},
		{[]bankml.Option{bankml.WithNVocab(4), bankml.WithRequest("[")}, bankml.ErrParse, ""},
		{[]bankml.Option{bankml.WithNVocab(4), bankml.WithLogitBias(map[int32]float32{1: inf})}, bankml.ErrInvalidArgument, "logit_bias"},
	} {
		_, err := bankml.New(bad.options...)
		fails(t, err, bad.code, bad.part)
	}
	v, err := bankml.NewVocab([]string{"a", "b"}, nil, -1, -1)
	succeed(t, err)
	_, err = bankml.New(bankml.WithVocab(v), bankml.WithNVocab(1))
	fails(t, err, bankml.ErrInvalidArgument, "1")
	succeed(t, v.Close())
	_, err = bankml.New(bankml.WithVocab(v))
	fails(t, err, bankml.ErrClosed, "vocabulary")
	p := params(t)
	succeed(t, p.Close())
	_, err = bankml.New(bankml.WithParams(p), bankml.WithNVocab(4))
	fails(t, err, bankml.ErrClosed)
	succeed(t, made(t, nil, bankml.WithNVocab(4)).Close()) // a nil option is none
}

func TestNewParamsTakesParametersOnly(t *testing.T) {
	_, err := bankml.NewParams(bankml.WithNVocab(4))
	fails(t, err, bankml.ErrInvalidArgument, "WithNVocab")
}
