// A nondeterministic program over classes of code points, and its deterministic automaton. Steps that read nothing may form loops.
// Tested by tests/regular/algebra.cpp, tests/regular/ecma.cpp
#pragma once

#include <cstdint>
#include <vector>

#include "core/patterns/ast.h"
#include "core/regular/dfa.h"

namespace bankml::regular {

struct Nfa {
  struct Step {
    enum Kind : uint8_t {
      read,   // a code point of class set `what`, then `next`
      split,  // `next` or `other`
      check,  // the condition `what` (patterns::Assertion), then `next`
      match,
    };
    Kind kind;
    uint32_t next = 0;
    uint32_t other = 0;
    uint32_t what = 0;
  };
  AlphabetPtr alphabet;
  std::vector<std::vector<uint32_t>> sets;  // class sets, each ascending
  std::vector<uint32_t> word;               // classes of [A-Za-z0-9_]; needed if a check asks for them
  std::vector<Step> steps;
  uint32_t start = 0;
};

// The subset construction. `search`: a match anywhere decides for the whole text, whatever follows; the program itself looks for its
// beginnings. Otherwise a match counts at the end of the text.
Dfa determinise(const Nfa& nfa, Reading reading, const Limits& limits);

}  // namespace bankml::regular
