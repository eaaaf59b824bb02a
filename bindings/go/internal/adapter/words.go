package main

import (
	"bufio"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"io"
	"math"
	"strconv"

	"github.com/bankml/bankml/bindings/go/bankml"
)

// adapter holds the handles given out, and the request and reply under way.
type adapter struct {
	in  *bufio.Reader
	out *bufio.Writer

	vocabs   []*bankml.Vocab
	params   []*bankml.Params
	samplers []*bankml.Sampler
	grammars []*bankml.Grammar

	words []string // of the request, not yet read
	reply []string
	raw   []byte // after the reply's line
}

// malformedError ends the program: the other side broke the protocol.
type malformedError struct{ error }

func malformed(format string, args ...any) { panic(malformedError{fmt.Errorf(format, args...)}) }

func (a *adapter) word() string {
	if len(a.words) == 0 {
		malformed("a word is missing")
	}
	word := a.words[0]
	a.words = a.words[1:]
	return word
}

func (a *adapter) number() int {
	word := a.word()
	n, err := strconv.Atoi(word)
	if err != nil {
		malformed("%q is no number", word)
	}
	return n
}

func (a *adapter) ids() []int32 {
	ids := make([]int32, 0, len(a.words))
	for len(a.words) > 0 {
		ids = append(ids, int32(a.number()))
	}
	return ids
}

func (a *adapter) text() string {
	word := a.word()
	if word == "-" {
		return ""
	}
	bytes, err := hex.DecodeString(word)
	if err != nil {
		malformed("%q is no hex", word)
	}
	return string(bytes)
}

// row reads n raw floats behind the request's line.
func (a *adapter) row(n int) []float32 {
	bytes := make([]byte, 4*n)
	if _, err := io.ReadFull(a.in, bytes); err != nil {
		malformed("the row ends early")
	}
	row := make([]float32, n)
	for i := range row {
		row[i] = math.Float32frombits(binary.LittleEndian.Uint32(bytes[4*i:]))
	}
	return row
}

// handle reads a handle; "-" is the zero value, none.
func handle[T any](a *adapter, given []*T) *T {
	word := a.word()
	if word == "-" {
		return nil
	}
	n, err := strconv.Atoi(word)
	if err != nil || n < 0 || n >= len(given) {
		malformed("%q is no handle", word)
	}
	return given[n]
}

func (a *adapter) say(words ...any) {
	for _, word := range words {
		a.reply = append(a.reply, fmt.Sprint(word))
	}
}

func (a *adapter) float(x float32) {
	a.raw = binary.LittleEndian.AppendUint32(a.raw, math.Float32bits(x))
}
func (a *adapter) id(id int32) { a.raw = binary.LittleEndian.AppendUint32(a.raw, uint32(id)) }

func hexOf(text string) string {
	if text == "" {
		return "-"
	}
	return hex.EncodeToString([]byte(text))
}
