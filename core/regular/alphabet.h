// Code points in classes: the partition that an automaton reads by. Two code points of one class are alike everywhere in it.
//
// Surrogates are no characters and belong to no set; inside they sit in the class of their lower neighbour, so that they can make no
// difference between two languages.
// Tested by tests/regular/alphabet.cpp
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/patterns/ast.h"

namespace bankml::regular {

using patterns::Range;
using patterns::Set;

constexpr uint32_t last_code = 0x10FFFF;
constexpr uint32_t first_surrogate = 0xD800;
constexpr uint32_t last_surrogate = 0xDFFF;

// Sets of code points: normal form (ascending, disjoint, not touching, no surrogates) in, normal form out.
Set normal(Set set);  // any ranges to normal form
Set all_codes();
Set without(const Set& set);  // every code point that is not in it
Set unite(const Set& a, const Set& b);
Set common(const Set& a, const Set& b);
bool contains(const Set& set, uint32_t code) noexcept;

struct Alphabet {
  std::vector<uint32_t> starts;  // ascending, the first is 0: interval i is starts[i] ... starts[i + 1] - 1
  std::vector<uint32_t> owners;  // the class of interval i; neighbours differ
  uint32_t classes = 0;
  std::array<uint32_t, 128> ascii{};  // class_of for the usual text

  uint32_t class_of(uint32_t code) const noexcept;  // of a code point up to last_code
  Set members(uint32_t cls) const;                  // its code points
  uint32_t first_member(uint32_t cls) const;        // the smallest code point that is no surrogate
  void finish();                                    // joins equal neighbours and fills `ascii`; for those who fill the lists
};
using AlphabetPtr = std::shared_ptr<const Alphabet>;

// The coarsest partition that every set is a union of classes of, and for each set the classes it consists of, ascending.
struct Partition {
  AlphabetPtr alphabet;
  std::vector<std::vector<uint32_t>> classes_of_set;
};
Partition partition(std::span<const Set> sets);

// The coarsest partition finer than both; class c of it lies in class first[c] of a and second[c] of b.
struct Refinement {
  AlphabetPtr alphabet;
  std::vector<uint32_t> first;
  std::vector<uint32_t> second;
};
Refinement refine(const AlphabetPtr& a, const AlphabetPtr& b);

}  // namespace bankml::regular
