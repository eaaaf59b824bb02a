// Package tinymodel is the example model of examples/tiny-model in Go: one gated recurrent layer between an embedding and the same
// embedding as output. Example code, not part of the library; an engine of your own stands here.
package tinymodel

import (
	"fmt"
	"math"

	"github.com/bankml/bankml/examples"
)

// Model is read-only once loaded and may be shared by goroutines.
type Model struct {
	tokenizer  *tokenizer
	eos        int32
	hidden     int
	embedding  []float32 // by token
	output     matrix
	input      matrix
	state      matrix
	outputBias []float32
	inputBias  []float32
	stateBias  []float32
}

// Load reads the model that is embedded in the program.
func Load() (model *Model, err error) {
	defer func() {
		if fault, ok := recover().(malformedFile); ok {
			err = fmt.Errorf("the model file: %s", string(fault))
		}
	}()
	file := readGGUF(examples.TinyModel)
	hidden := file.number("bankml-tiny-gru.embedding_length")
	names := file.lists["tokenizer.ggml.tokens"]
	m := &Model{
		eos:        int32(file.number("tokenizer.ggml.eos_token_id")),
		hidden:     hidden,
		embedding:  file.tensor("token_embd.weight", len(names)*hidden),
		outputBias: file.tensor("output.bias", len(names)),
		inputBias:  file.tensor("gru.input.bias", 3*hidden),
		stateBias:  file.tensor("gru.state.bias", 3*hidden),
	}
	m.tokenizer = newTokenizer(names, file.lists["tokenizer.ggml.merges"], m.eos)
	m.output = byColumn(m.embedding, len(names))
	m.input = byColumn(file.tensor("gru.input.weight", 3*hidden*hidden), 3*hidden)
	m.state = byColumn(file.tensor("gru.state.weight", 3*hidden*hidden), 3*hidden)
	return m, nil
}

// GGUF is the model's file, which carries the vocabulary and the sampling defaults too.
func (m *Model) GGUF() []byte { return examples.TinyModel }

// NVocab is the number of tokens.
func (m *Model) NVocab() int { return len(m.tokenizer.pieces) }

// EOS is the token that ends a story.
func (m *Model) EOS() int32 { return m.eos }

// Piece is the text of a token; that of the end token is empty.
func (m *Model) Piece(token int32) string { return m.tokenizer.pieces[token] }

// Tokenize gives the tokens of a text, no specials.
func (m *Model) Tokenize(text string) []int32 { return m.tokenizer.encode(text) }

// Context is the state of one sequence.
type Context struct {
	model           *Model
	h, a, u, logits []float32
}

// NewContext stands at the start of a story, where another one ended.
func (m *Model) NewContext() *Context {
	c := &Context{m, make([]float32, m.hidden), make([]float32, 3*m.hidden), make([]float32, 3*m.hidden), make([]float32, m.NVocab())}
	c.Step(m.eos)
	return c
}

// Logits are those of the next token, overwritten by the next call.
func (c *Context) Logits() []float32 { return c.logits }

// Step reads tokens and returns the logits of the next.
func (c *Context) Step(tokens ...int32) []float32 {
	for _, token := range tokens {
		c.read(token)
	}
	c.model.output.times(c.h, c.model.outputBias, c.logits)
	return c.logits
}

// read is the layer alone; the output matrix is needed only where logits are wanted.
func (c *Context) read(token int32) {
	n := c.model.hidden
	c.model.input.times(c.model.embedding[int(token)*n:int(token+1)*n], c.model.inputBias, c.a)
	c.model.state.times(c.h, c.model.stateBias, c.u)
	for i := range n {
		z := sigmoid(c.a[i] + c.u[i])
		r := sigmoid(c.a[n+i] + c.u[n+i])
		fresh := float32(math.Tanh(float64(c.a[2*n+i] + float32(r*c.u[2*n+i]))))
		c.h[i] = float32((1-z)*fresh) + float32(z*c.h[i])
	}
}

func sigmoid(x float32) float32 { return 1 / (1 + float32(math.Exp(float64(-x)))) }

// matrix is stored column after column, so that a product adds columns.
type matrix struct {
	rows    int
	columns []float32
}

func byColumn(byRow []float32, rows int) matrix {
	columns := make([]float32, len(byRow))
	width := len(byRow) / rows
	for r := range rows {
		for c := range width {
			columns[c*rows+r] = byRow[r*width+c]
		}
	}
	return matrix{rows, columns}
}

// times is y = start + M x. The conversion of the product keeps Go from fusing it with the sum, so that every CPU gets the same
// logits.
func (m matrix) times(x, start, y []float32) {
	copy(y, start)
	for c, value := range x {
		for r, weight := range m.columns[c*m.rows : (c+1)*m.rows] {
			y[r] += float32(weight * value)
		}
	}
}
