//go:build cgo

package bankml

import (
	"encoding/json"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"
)

// Option is an argument of [New] and [NewParams]. Options are applied in the order given, after WithParams; the first that is
// refused ends the call.
type Option func(*settings)

// settings is what the options of New make: params of its own, a vocabulary, the number of logits.
type settings struct {
	base   *Params
	values []func(*Params) error
	vocab  *Vocab
	nVocab int
}

// WithParams starts from a copy of these params instead of llama-server's defaults, wherever it stands among the options.
func WithParams(p *Params) Option {
	return func(s *settings) { s.base = p }
}

// WithVocab gives the vocabulary, needed by steps that read pieces: DRY with string breakers, infill, ignore_eos.
func WithVocab(v *Vocab) Option {
	return func(s *settings) { s.vocab = v }
}

// WithNVocab gives the number of logits in a row. Without it, it is the vocabulary's size; more than that means padded rows.
func WithNVocab(n int) Option {
	return func(s *settings) { s.nVocab = n }
}

// WithRequest takes over what a llama-server request body says; see [Params.Load].
func WithRequest(body string) Option {
	return value(func(p *Params) error { return p.LoadRequest(body) })
}

// With sets any parameter by its name or an alias; see [Params.Set] for the values and [ParamTable] for the names.
func With(name string, v any) Option {
	return value(func(p *Params) error { return p.Set(name, v) })
}

// WithSeed sets the start value of the random generator. Equal seeds give equal draws; 0xFFFFFFFF, the default, is a random one,
// which [Sampler.Seed] reports.
func WithSeed(seed uint32) Option { return With("seed", seed) }

// WithTemperature divides the logits: below 1 sharpens the distribution, 0 always takes the best token. Default 0.8.
func WithTemperature(t float64) Option { return With("temperature", t) }

// WithTopK keeps the k largest logits; 0 is off. Default 40.
func WithTopK(k int) Option { return With("top_k", k) }

// WithTopP keeps the most probable tokens that together reach this probability mass; 1 is off. Default 0.95.
// Source: A. Holtzman et al., "The Curious Case of Neural Text Degeneration" (2020).
func WithTopP(p float64) Option { return With("top_p", p) }

// WithMinP keeps tokens at least this fraction as probable as the best one; 0 is off. Default 0.05.
func WithMinP(p float64) Option { return With("min_p", p) }

// WithRepeatPenalty divides positive logits of the tokens in the window and multiplies negative ones; 1, the default, is off.
// Source: N. Keskar et al., "CTRL: A Conditional Transformer Language Model" (2019).
func WithRepeatPenalty(penalty float64) Option { return With("repeat_penalty", penalty) }

// WithRepeatLastN sets the window of the penalties in tokens, prompt included; 0 is off. Default 64.
func WithRepeatLastN(n int) Option { return With("repeat_last_n", n) }

// WithSamplers lists the steps of the chain by name, in the order in which they run; a step that is not listed does not run.
func WithSamplers(names ...string) Option {
	if names == nil {
		names = []string{}
	}
	return With("samplers", names)
}

// WithLogitBias adds to single logits before all else; -Inf bans the token.
func WithLogitBias(bias map[int32]float32) Option {
	pairs := make([][2]any, 0, len(bias))
	for _, id := range slices.Sorted(maps.Keys(bias)) {
		if b := bias[id]; math.IsInf(float64(b), -1) {
			pairs = append(pairs, [2]any{id, false}) // JSON has no infinity
		} else {
			pairs = append(pairs, [2]any{id, b})
		}
	}
	return With("logit_bias", pairs)
}

func value(set func(*Params) error) Option {
	return func(s *settings) { s.values = append(s.values, set) }
}

func collect(opts []Option) (all settings) {
	for _, option := range opts {
		if option != nil {
			option(&all)
		}
	}
	return all
}

// params makes params of one's own; the caller closes them.
func (s *settings) params(op string) (p *Params, err error) {
	if s.base != nil {
		p, err = s.base.Clone()
	} else {
		p, err = newParams(op, "llama")
	}
	if err != nil {
		return nil, err
	}
	for _, set := range s.values {
		if err := set(p); err != nil {
			p.Close()
			return nil, err
		}
	}
	return p, nil
}

// Set sets one parameter, by its name or an alias, to a number of any Go type, a bool, a string (as [Params.SetString]), a
// [json.RawMessage] (as [Params.SetJSON]), or anything that encoding/json writes as the array or object that SetJSON takes, such as
// []string{"top_k", "temperature"} for samplers. [ErrInvalidArgument] names parameter and value.
func (p *Params) Set(name string, v any) error {
	const op = "Params.Set"
	switch v := v.(type) {
	case nil:
		return refused(op, ErrInvalidArgument, "%s: the value is nil", name)
	case json.RawMessage:
		return p.SetJSON(name, string(v))
	}
	switch x := reflect.ValueOf(v); {
	case x.Kind() == reflect.String:
		return p.SetString(name, x.String())
	case x.Kind() == reflect.Bool:
		if x.Bool() {
			return p.SetJSON(name, "true")
		}
		return p.SetJSON(name, "false")
	case x.CanInt():
		return p.SetNumber(name, float64(x.Int()))
	case x.CanUint():
		return p.SetNumber(name, float64(x.Uint()))
	case x.CanFloat():
		return p.SetNumber(name, x.Float())
	}
	text, err := json.Marshal(v)
	if err != nil {
		return refused(op, ErrInvalidArgument, "%s: %s", name, strings.TrimPrefix(err.Error(), "json: "))
	}
	return p.SetJSON(name, string(text))
}
