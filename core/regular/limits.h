// How large an automaton may become before a construction gives up with a Failure of Status::limit. Counts, never a clock, so the
// same input gives the same answer everywhere.
// Tested by tests/regular/limits.cpp
#pragma once

#include <cstdint>

namespace bankml::regular {

struct Limits {
  uint32_t states = 100000;    // states of one automaton
  uint64_t work = 8000000;     // edges looked at in one construction: memory and time are bounded by it
  uint32_t parts = 50000;      // instructions of one pattern, repetitions written out
  uint32_t remainders = 20000; // states of one multipleOf
};

}  // namespace bankml::regular
