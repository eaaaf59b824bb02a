package tinymodel

import (
	"slices"
	"strings"
	"testing"
)

func load(t *testing.T) *Model {
	t.Helper()
	m, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestTokenizerGoesThereAndBack(t *testing.T) {
	m := load(t)
	for _, text := range []string{"Once upon a time", "two  spaces, 12 eggs.\n\n", "\u00e4\u20ac\x00", ""} {
		var back strings.Builder
		ids := m.Tokenize(text)
		for _, id := range ids {
			back.WriteString(m.Piece(id))
		}
		if back.String() != text {
			t.Errorf("%q became %q", text, back.String())
		}
	}
	if ids := m.Tokenize("Once upon a time"); len(ids) > 6 {
		t.Errorf("%d tokens for four words", len(ids))
	}
}

// A row of logits belongs to the sequence alone, and a known story goes on as told.
func TestContext(t *testing.T) {
	m := load(t)
	one, two := m.NewContext(), m.NewContext()
	ids := m.Tokenize("Once upon a time there was a gentle painter named")
	for _, id := range ids {
		one.Step(id)
	}
	logits := two.Step(ids...)
	if !slices.Equal(one.Logits(), logits) {
		t.Error("token by token the logits are others")
	}
	best := slices.Index(logits, slices.Max(logits))
	if piece := m.Piece(int32(best)); !strings.HasPrefix(piece, " ") || piece[1] < 'A' || piece[1] > 'Z' {
		t.Errorf("%q is no name", piece)
	}
}

func TestHalf(t *testing.T) {
	for bits, want := range map[uint32]float32{0x3c00: 1, 0xc000: -2, 0x0001: 0x1p-24, 0x7bff: 65504, 0x8000: 0} {
		if got := half(bits); got != want {
			t.Errorf("%04x is %g", bits, got)
		}
	}
}
