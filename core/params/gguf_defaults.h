// The sampling defaults that a model file carries: metadata general.sampling.*.
//
// A key holds a number of any GGUF type, `sequence` a string of step names separated by ';'. A value of another type, a fraction
// where an integer is needed, or one that the native setters refuse is ignored with a warning, as is an unknown step. Quirk kept:
// the reference reads the metadata through text with six decimals, so a float32 of 0.3333333 is 0.333333. Source: llama.cpp b11192,
// common. Tested by tests/params/gguf_defaults.cpp
#pragma once

#include "core/formats/gguf.h"
#include "core/params/loaded.h"

namespace bankml {

Loaded load_gguf_defaults(const Params& base, const gguf::File& file);

}  // namespace bankml
