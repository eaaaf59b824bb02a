// Package examples holds what the Go programs in examples/go share with those of the other languages.
package examples

import _ "embed"

// TinyModel is the file of the example model; see examples/tiny-model.
//
//go:embed tiny-model/tiny-model.gguf
var TinyModel []byte
