//go:build cgo && !bankml_system

package bankml

/*
#cgo CPPFLAGS: -I${SRCDIR}/../../../capi/include -I${SRCDIR}/../../..
#cgo CXXFLAGS: -std=c++20 -O3 -fvisibility=hidden
#cgo 386 CXXFLAGS: -msse2 -mfpmath=sse
*/
import "C"

// The sources that native.cpp includes: build inputs and vendored files through this import.
import _ "github.com/bankml/bankml"
