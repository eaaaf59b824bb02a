package bankml_test

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/bankml/bankml/bindings/go/bankml"
)

func params(t *testing.T) *bankml.Params {
	t.Helper()
	p, err := bankml.NewParams()
	succeed(t, err)
	t.Cleanup(func() { p.Close() })
	return p
}

func number(t *testing.T, p *bankml.Params, name string) float64 {
	t.Helper()
	x, err := p.Number(name)
	succeed(t, err)
	return x
}

func text(t *testing.T, p *bankml.Params, name string) string {
	t.Helper()
	value, err := p.JSON(name)
	succeed(t, err)
	return value
}

// Set takes numbers of every type, booleans, strings, JSON, and what encoding/json writes.
func TestSet(t *testing.T) {
	type celsius float32
	p := params(t)
	for _, one := range []any{0.5, float32(0.5), celsius(0.5)} {
		succeed(t, p.Set("temp", 1))
		succeed(t, p.Set("temp", one))
		if number(t, p, "temperature") != 0.5 {
			t.Errorf("%T", one)
		}
	}
	for _, one := range []any{7, int8(7), uint16(7), int64(7), 7.0, json.RawMessage("7")} {
		succeed(t, p.Set("top_k", 1))
		succeed(t, p.Set("top_k", one))
		if number(t, p, "top_k") != 7 {
			t.Errorf("%T", one)
		}
	}
	succeed(t, p.Set("ignore_eos", true))
	succeed(t, p.Set("seed", uint32(math.MaxUint32)))
	succeed(t, p.Set("samplers", "kt"))
	if text(t, p, "ignore_eos") != "true" || text(t, p, "samplers") != `["top_k","temperature"]` {
		t.Error(text(t, p, "ignore_eos"), text(t, p, "samplers"))
	}
	succeed(t, p.Set("samplers", []string{"temperature", "min_p"}))
	succeed(t, p.Set("dry_breaker_tokens", [][]int32{{1}, {2, 3}}))
	if text(t, p, "samplers") != `["temperature","min_p"]` || text(t, p, "dry_breaker_tokens") != "[[1],[2,3]]" {
		t.Error(text(t, p, "samplers"), text(t, p, "dry_breaker_tokens"))
	}
}

// A refusal names parameter and value and changes nothing.
func TestSetRefuses(t *testing.T) {
	p := params(t)
	before, err := p.ToJSON()
	succeed(t, err)
	fails(t, p.Set("warmth", 1), bankml.ErrInvalidArgument, "warmth")
	fails(t, p.Set("top_k", 0.5), bankml.ErrInvalidArgument, "top_k", "0.5")
	fails(t, p.Set("temperature", math.NaN()), bankml.ErrInvalidArgument, "temperature", "nan")
	fails(t, p.Set("temperature", nil), bankml.ErrInvalidArgument, "temperature", "nil")
	fails(t, p.Set("temperature", "hot"), bankml.ErrInvalidArgument, "temperature")
	fails(t, p.Set("top_k\x00x", 4), bankml.ErrInvalidArgument, "zero byte")
	fails(t, p.Set("logit_bias", [][]any{{1, math.NaN()}}), bankml.ErrInvalidArgument, "logit_bias", "NaN")
	fails(t, p.Set("logit_bias", make(chan int)), bankml.ErrInvalidArgument, "logit_bias", "chan")
	fails(t, p.SetJSON("top_k", "{"), bankml.ErrParse, "top_k")
	fails(t, p.SetJSON("top_k", ""), bankml.ErrParse, "top_k")
	fails(t, p.SetString("samplers", "k\x00t"), bankml.ErrInvalidArgument, "zero byte")
	if after, _ := p.ToJSON(); after != before {
		t.Errorf("%s\n%s", before, after)
	}
}

func TestRequest(t *testing.T) {
	p := params(t)
	succeed(t, p.LoadRequest(`{"temperature": 0.25, "top_k": 3, "stream": true}`))
	if number(t, p, "temp") != 0.25 || number(t, p, "top_k") != 3 {
		t.Error(p.ToJSON())
	}
	for name, origin := range map[string]string{"top_k": "request", "min_p": "default"} {
		if got, err := p.Origin(name); err != nil || got != origin {
			t.Error(name, got, err)
		}
	}
	succeed(t, p.Set("min_p", 0.1))
	if got, _ := p.Origin("min_p"); got != "set" {
		t.Error(got)
	}
	_, err := p.Origin("warmth")
	fails(t, err, bankml.ErrInvalidArgument, "warmth")
	fails(t, p.Load("yaml", "{}"), bankml.ErrInvalidArgument, "yaml")
	fails(t, p.LoadRequest(`{"top_k": `), bankml.ErrParse)
	succeed(t, p.Strict(true))
	if err := p.LoadRequest(`{"warmth": 1}`); err == nil || !contains(err.Error(), "warmth") {
		t.Error(err)
	}
}

func TestRequestWarnings(t *testing.T) {
	p := params(t)
	if p.Warnings() != nil {
		t.Error(p.Warnings())
	}
	succeed(t, p.LoadRequest(`{"samplers": ["top_k", "tfs_z"]}`))
	if lines := p.Warnings(); len(lines) != 1 || !contains(lines[0], "tfs_z") {
		t.Errorf("%q", lines)
	}
}

func TestClonedParams(t *testing.T) {
	p := params(t)
	succeed(t, p.Set("top_k", 9))
	clone, err := p.Clone()
	succeed(t, err)
	defer clone.Close()
	succeed(t, clone.Set("top_k", 4))
	if number(t, p, "top_k") != 9 || number(t, clone, "top_k") != 4 {
		t.Error("the clone is not independent")
	}
	_, err = bankml.NewProfileParams("other")
	fails(t, err, bankml.ErrInvalidArgument, "other")
	_, err = bankml.NewProfileParams("llama")
	succeed(t, err)
}

// A long value needs a second look at the buffer.
func TestLongJSON(t *testing.T) {
	p := params(t)
	pairs := make([][2]int, 500)
	for i := range pairs {
		pairs[i] = [2]int{i, 1}
	}
	succeed(t, p.Set("logit_bias", pairs))
	var back [][2]float64
	succeed(t, json.Unmarshal([]byte(text(t, p, "logit_bias")), &back))
	if len(back) != 500 || back[499] != [2]float64{499, 1} {
		t.Error(len(back))
	}
	all, err := p.ToJSON()
	succeed(t, err)
	if !json.Valid([]byte(all)) {
		t.Error(all)
	}
}

func TestOpenTexts(t *testing.T) {
	p := params(t)
	succeed(t, p.SetJSON("logit_bias", `[["a b", -1], ["c", 2]]`))
	open, err := p.OpenTexts(nil)
	succeed(t, err)
	want := []bankml.OpenText{{Text: "a b", Purpose: "logit_bias"}, {Text: "c", Purpose: "logit_bias"}}
	if !slices.Equal(open, want) {
		t.Fatal(open)
	}
	_, err = bankml.New(bankml.WithParams(p), bankml.WithNVocab(8))
	fails(t, err, bankml.ErrInvalidArgument, "a b")
	succeed(t, p.Answer(0, 4, 5))
	succeed(t, p.Answer(1, 6))
	fails(t, p.Answer(2, 6), bankml.ErrInvalidArgument)
	fails(t, p.Answer(-1, 6), bankml.ErrInvalidArgument, "-1")
	fails(t, p.Answer(1, -6), bankml.ErrToken, "-6")
	s := neutral(t, 8, bankml.WithParams(p))
	succeed(t, s.Keep(true))
	sample(t, s, make([]float32, 8))
	kept, err := s.Candidates(nil)
	succeed(t, err)
	for _, c := range kept {
		if want := map[int32]float32{4: -1, 5: -1, 6: 2}[c.ID]; c.Logit != want {
			t.Errorf("token %d has logit %g", c.ID, c.Logit)
		}
	}
}

// A model file's defaults, from a path and from memory.
func TestGGUFDefaults(t *testing.T) {
	path := "../../../examples/tiny-model/tiny-model.gguf"
	data, err := os.ReadFile(path)
	succeed(t, err)
	fromFile, fromBytes := params(t), params(t)
	succeed(t, fromFile.LoadGGUF(path))
	succeed(t, fromBytes.LoadGGUFBytes(data))
	one, _ := fromFile.ToJSON()
	two, _ := fromBytes.ToJSON()
	if origin, _ := fromFile.Origin("temperature"); one != two || !contains(origin, "gguf:") {
		t.Error(one, two, origin)
	}
	fails(t, fromFile.LoadGGUF(filepath.Join(t.TempDir(), "none")), bankml.ErrIO, "none")
	fails(t, fromFile.LoadGGUFBytes(data[:100]), bankml.ErrParse)
	fails(t, fromFile.LoadGGUFBytes(nil), bankml.ErrParse)
}
