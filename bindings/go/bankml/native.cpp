//go:build !bankml_system

// The library itself, compiled into this package; with the build tag bankml_system an installed one is linked instead.
// Tested by tests/replay through bindings/go/internal/adapter.
#include "../../../capi/src/bankml_unity.cpp"
