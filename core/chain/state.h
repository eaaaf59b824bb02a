// A sampler's state as bytes: engines, windows, mu, averages, and whose they are. Loading replaces the state of a sampler of the
// same parameters and vocabulary size, on any platform, which then draws what the saved one would have drawn.
//
// Version 1: "bkmlsmp1", fingerprint of the parameters (what names no state: no seed, no switched-off shortcuts), n_vocab, seed in
// use, seed asked for, the number of steps, each step's state in the chain's order, FNV-1a 64 of all before it. Tested by
// tests/chain/state.cpp
#pragma once

#include <cstdint>

#include "core/params/params.h"

namespace bankml {

uint64_t state_fingerprint(const Params& params);

}  // namespace bankml
