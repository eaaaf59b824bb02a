// Package bankml draws tokens from the logits of a language model: logits in, a token out, bit for bit what llama.cpp's server
// draws with the same parameters and seed.
//
//	sampler, err := bankml.New(bankml.WithNVocab(len(logits)), bankml.WithTemperature(0.7), bankml.WithSeed(42))
//	if err != nil {
//		return err
//	}
//	defer sampler.Close()
//	token, err := sampler.Sample(logits) // []float32, one raw score for each token id
//	if err != nil {
//		return err
//	}
//	err = sampler.Accept(token) // penalties and DRY look at accepted tokens
//
// # Memory
//
// Slices are borrowed for the duration of the call: never copied, never written to (except the dst slices), never kept. Draws do
// not allocate, neither in Go nor in C. A Sampler owns native memory that Go's collector does not see, so close it when it is no
// longer needed; what is forgotten is freed some time after the collector finds it unreachable.
//
// # Threads
//
// Different samplers may be used from different threads at the same time. One sampler must not be used by two threads at once; the
// library detects overlap and returns BUSY instead of corrupting state. The library has no global mutable state. After fork() the
// child holds a copy of the RNG state and would draw the same tokens: reseed or create a new sampler.
//
// In Go every object locks itself: two goroutines that share a [Sampler] wait for each other, and Close waits for a running call.
// So [ErrBusy] is seen only where two samplers share a [Workspace] and where two goroutines draw with one [Pool]. A [Vocab] may be shared by any number of goroutines.
//
// # Errors
//
// Every error of this package is an [*Error]: its Code is one of the Err... constants, which errors.Is finds too, and its text
// names the parameter and the value. After any error the object is as it was before the call. Calls on a closed object give
// [ErrClosed]; those that have no error to return give a zero value.
//
// # Building
//
// The C++ sources are part of the module and are compiled on the first build, for which cgo and a C++20 compiler (g++ 11, clang 14
// or later) are needed. The build tag bankml_system links an installed library instead, found through pkg-config.
package bankml
