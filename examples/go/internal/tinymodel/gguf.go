package tinymodel

import (
	"encoding/binary"
	"fmt"
	"math"
)

// Reads a GGUF v3 file: header, metadata, tensor table, then tensors (F32 and Q8_0) on demand. Format: the ggml project's
// description of GGUF. bankml itself reads vocabularies and defaults from such files, never tensors.

type ggufFile struct {
	bytes   []byte
	at      int
	numbers map[string]uint64
	lists   map[string][]string
	tensors map[string]tensorPlace
}

type tensorPlace struct{ count, kind, offset int }

type malformedFile string

func malformed(format string, args ...any) { panic(malformedFile(fmt.Sprintf(format, args...))) }

const (
	ggufText  = 8
	ggufArray = 9
	float32s  = 0
	q8Blocks  = 8 // blocks of 32: a half-precision scale, then 32 signed bytes
)

// Bytes of a value of each type; those of texts and arrays are in the value.
var width = [...]int{1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8}

func readGGUF(bytes []byte) *ggufFile {
	f := &ggufFile{bytes, 0, map[string]uint64{}, map[string][]string{}, map[string]tensorPlace{}}
	if string(f.take(4)) != "GGUF" || f.integer(4) != 3 {
		malformed("not GGUF of version 3")
	}
	nTensors, nValues := f.integer(8), f.integer(8)
	for range nValues {
		key := f.text()
		f.value(key, f.integer(4))
	}
	for range nTensors {
		name, place := f.text(), tensorPlace{count: 1}
		for range f.integer(4) {
			place.count *= int(f.integer(8))
		}
		place.kind, place.offset = int(f.integer(4)), int(f.integer(8))
		f.tensors[name] = place
	}
	const alignment = 32
	data := (f.at + alignment - 1) / alignment * alignment
	for name, place := range f.tensors {
		place.offset += data
		f.tensors[name] = place
	}
	return f
}

func (f *ggufFile) take(n int) []byte {
	if n < 0 || n > len(f.bytes)-f.at {
		malformed("it ends too early, at byte %d", f.at)
	}
	f.at += n
	return f.bytes[f.at-n : f.at]
}

func (f *ggufFile) integer(bytes int) uint64 {
	var all [8]byte
	copy(all[:], f.take(bytes))
	return binary.LittleEndian.Uint64(all[:])
}

func (f *ggufFile) text() string { return string(f.take(int(f.integer(8)))) }

func (f *ggufFile) value(key string, kind uint64) {
	switch {
	case kind == ggufText:
		f.text()
	case kind == ggufArray:
		element, n := f.integer(4), int(f.integer(8))
		if element == ggufText {
			for range n {
				f.lists[key] = append(f.lists[key], f.text())
			}
		} else {
			f.take(n * f.width(element))
		}
	default:
		f.numbers[key] = f.integer(f.width(kind))
	}
}

func (f *ggufFile) width(kind uint64) int {
	if kind >= uint64(len(width)) || width[kind] == 0 {
		malformed("unknown value type %d", kind)
	}
	return width[kind]
}

func (f *ggufFile) number(key string) int {
	n, found := f.numbers[key]
	if !found {
		malformed("no %s", key)
	}
	return int(n)
}

func (f *ggufFile) tensor(name string, count int) []float32 {
	place, found := f.tensors[name]
	if !found || place.count != count || place.kind != float32s && place.kind != q8Blocks {
		malformed("no tensor %s of %d values in F32 or Q8_0", name, count)
	}
	f.at = place.offset
	values := make([]float32, 0, count)
	for len(values) < count {
		if place.kind == float32s {
			values = append(values, math.Float32frombits(uint32(f.integer(4))))
			continue
		}
		scale := half(uint32(f.integer(2)))
		for _, q := range f.take(32) {
			values = append(values, scale*float32(int8(q)))
		}
	}
	return values
}

// half is the value of a half-precision number.
func half(bits uint32) float32 {
	exponent, fraction := int(bits>>10&31), float64(bits&1023)
	value := math.Ldexp(fraction, -24)
	if exponent != 0 {
		value = math.Ldexp(1024+fraction, exponent-25)
	}
	if bits>>15 != 0 {
		value = -value
	}
	return float32(value)
}
