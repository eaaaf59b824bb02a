// Package other stands for whatever C++ a user's program has beside bankml.
package other

/*
#cgo CXXFLAGS: -std=c++17 -O1
#include <stdlib.h>
int other_words(const char *text);
*/
import "C"

import "unsafe"

// Words counts the words of a text; -1 if there is none.
func Words(text string) int {
	c := C.CString(text)
	defer C.free(unsafe.Pointer(c))
	return int(C.other_words(c))
}
