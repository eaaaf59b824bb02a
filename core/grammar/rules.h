// What a grammar text says, after parsing: rules as flat runs of elements, the form that every later stage works on.
//
// An element's index doubles as a *state*: "the next thing to match is element i". A rule is a list of alternatives, an alternative
// a run of elements that ends with `end`. Repetitions are already written out as the reference writes them out (gbnf_parser.cpp),
// so the numbering of rules, the limits and the answers about left recursion are the reference's.
//
// `repeats` remembers which parts were written out from one repetition. Two states at the same place of two copies behave alike for
// every text that is shorter than the copies left; masks use that (machine.h).
// Tested by tests/grammar/gbnf_parser.cpp
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace bankml::grammar {

// The code points lo ... hi. lo > hi (from `[z-a]`) holds none, but takes part in the test of unfinished characters.
struct CharRange {
  uint32_t lo;
  uint32_t hi;
  bool operator==(const CharRange&) const = default;
};

// A class of code points: those in some range, or those in none. `.` is "in none of no ranges".
struct CharSet {
  bool negated = false;
  std::vector<CharRange> ranges;
  bool operator==(const CharSet&) const = default;
};

struct Element {
  enum Kind : uint8_t {
    end,        // the alternative is complete
    chars,      // one code point of sets[value]
    rule,       // all of rule `value`
    token,      // exactly the token `value`
    not_token,  // any one token but `value`
  };
  Kind kind;
  uint32_t value;
  bool operator==(const Element&) const = default;
};

// `count` copies of `length` elements each, one after another from element `begin` on. If the copies are rules that call each other
// in a chain (Rk calls Rk-1), `rules` is true, `begin` is R1 and length is not used.
struct Repeat {
  bool rules;
  uint32_t begin;
  uint32_t length;
  uint32_t count;
};

struct Rules {
  std::vector<CharSet> sets;
  std::vector<Element> elements;
  std::vector<uint32_t> alternatives;  // first element of each alternative, rule after rule
  std::vector<uint32_t> first;         // of each rule: its first alternative; one more at the end
  std::vector<std::string> names;      // of each rule
  std::vector<Repeat> repeats;
  uint32_t root = 0;

  size_t size() const noexcept { return names.size(); }
  size_t bytes() const noexcept;
};

}  // namespace bankml::grammar
