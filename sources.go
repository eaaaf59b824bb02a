// Package bankmlsources makes the library's C++ sources part of the Go module.
//
// It is no API. The binding (bindings/go/bankml) compiles these files through an #include, which the go command does not see:
// without the embed an edited file would not rebuild the package, and `go mod vendor` would leave the files behind. Nothing reads
// the variable, so the linker drops the bytes.
package bankmlsources

import "embed"

// Files are the sources that bindings/go/bankml/native.cpp includes.
//
//go:embed core capi/include capi/src
var Files embed.FS
