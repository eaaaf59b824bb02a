//go:build cgo && bankml_system

package bankml

// For packagers: links the installed library that pkg-config finds, shared with other programs.

/*
#cgo pkg-config: bankml
*/
import "C"
