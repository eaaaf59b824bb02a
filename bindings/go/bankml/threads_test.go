package bankml_test

import (
	"slices"
	"sync"
	"testing"

	"github.com/bankml/bankml/bindings/go/bankml"
)

// drawsOf makes a sampler of its own, draws and accepts.
func drawsOf(t *testing.T, seed uint32, v *bankml.Vocab, rows [][]float32, count int) []int32 {
	s, err := bankml.New(bankml.WithVocab(v), bankml.WithSeed(seed), bankml.WithRepeatPenalty(1.2), bankml.WithTemperature(1.1))
	if err != nil {
		t.Error(err)
		return nil
	}
	defer s.Close()
	tokens := make([]int32, count)
	for i := range tokens {
		token, err := s.Sample(rows[i%len(rows)])
		if err == nil {
			err = s.Accept(token)
		}
		if err != nil {
			t.Error(err)
			return nil
		}
		tokens[i] = token
	}
	return tokens
}

// Eight goroutines on samplers of their own draw what one would draw, with one vocabulary and the same rows.
func TestEightGoroutines(t *testing.T) {
	const goroutines, draws, n = 8, 10000, 1000
	pieces := make([]string, n)
	for i := range pieces {
		pieces[i] = string(rune('a' + i))
	}
	v := vocab(t, pieces, nil, -1, -1)
	rows := make([][]float32, 16)
	for i := range rows {
		rows[i] = row(n, int64(i))
	}
	atOnce := make([][]int32, goroutines)
	var group sync.WaitGroup
	for g := range goroutines {
		group.Add(1)
		go func() {
			defer group.Done()
			atOnce[g] = drawsOf(t, uint32(g), v, rows, draws)
		}()
	}
	group.Wait()
	for g, tokens := range atOnce {
		if !slices.Equal(tokens, drawsOf(t, uint32(g), v, rows, draws)) {
			t.Errorf("sampler %d drew other tokens beside the others", g)
		}
	}
}
