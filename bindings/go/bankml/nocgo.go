//go:build !cgo

package bankml

// The library is C++. A build without cgo stops here, with the remedy as the name that the compiler does not know.
var _ = bankml_needs_cgo__set_CGO_ENABLED_1_and_install_a_cxx20_compiler_such_as_gpp
