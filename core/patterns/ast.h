// A pattern as a tree. Its leaves are sets of numbers: the front end decides what the numbers are (bytes for std::regex's reading
// of a text, code points for others), so one tree serves a search over bytes and an automaton over characters alike.
//
// Nodes stand behind their children. Tested by tests/patterns/parser.cpp
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace bankml::patterns {

struct Range {
  uint32_t lo;
  uint32_t hi;  // included
  bool operator==(const Range&) const = default;
};
using Set = std::vector<Range>;  // ascending, disjoint, not touching; empty = matches nothing

struct Node {
  enum Kind : uint8_t {
    empty,
    set,          // one number of sets[value]
    sequence,     // the children one after another
    alternation,  // the first child that leads to a match
    group,        // the child, remembered as capture `value` (1, 2, ...)
    repeat,       // the child min ... max times
    assertion,    // a condition on the place; value is an Assertion
  };
  Kind kind;
  bool lazy = false;    // repeat: as few as possible
  bool looped = false;  // repeat: `+`, whose first pass and later ones are the same part; `{1,}` is two parts
  uint32_t value = 0;
  uint32_t min = 0;
  uint32_t max = 0;    // or `unbounded`
  uint32_t first = 0;  // children: child[first] ... child[first + count - 1]
  uint32_t count = 0;
  uint32_t height = 0;  // groups and repetitions inside one another, from here down
};

constexpr uint32_t unbounded = 0xFFFFFFFFu;

enum Assertion : uint32_t { at_begin, at_end, at_word_border, inside_or_outside_word };

struct Ast {
  std::vector<Node> nodes;
  std::vector<uint32_t> children;
  std::vector<Set> sets;
  uint32_t root = 0;
  uint32_t groups = 0;
};

}  // namespace bankml::patterns
