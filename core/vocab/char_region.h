// Regions: for a set of code points that a grammar may repeat without end (the inside of a string, an identifier), the tokens that
// stay inside, as mask words or a list, and a trie over what the other tokens have behind their part inside. So the mask of such a
// place is one copy and a walk of a small trie. A region may begin anywhere in a trie: `"` and then the inside of a string.
// Tested by tests/vocab/char_trie.cpp
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/vocab/char_trie.h"

namespace bankml {

// Code points from `lowest` to before `behind`.
struct CharSpan {
  uint32_t lowest;
  uint64_t behind;
  bool operator==(const CharSpan&) const = default;
};

struct RegionPlace {
  uint64_t trie;  // 0 = the whole one, or Region::id
  uint32_t node;
  // What stands below `node`: first a code point of `first`, then code points of `inside`; spans ascending. If `first` is empty,
  // everything below `node` belongs to the region, and what does not begin inside leaves at once.
  std::vector<CharSpan> first, inside;
  // With `some_ends`, only ends that begin with a code point of `ends` are kept, in order to have regions too where most leaves,
  // but few of it can go on (a run of blanks between two brackets).
  bool some_ends = false;
  std::vector<CharSpan> ends;
  bool operator==(const RegionPlace&) const = default;
  struct Hash {
    size_t operator()(const RegionPlace& place) const noexcept;
  };
};

// Tokens, as mask words or, where they are few, listed.
struct TokenSet {
  std::vector<uint32_t> words;
  std::vector<int32_t> few;
  TokenSet(std::vector<int32_t> tokens, size_t n_words);
  void add_to(uint32_t* mask) const noexcept;
  size_t bytes() const noexcept { return words.capacity() * sizeof(uint32_t) + few.capacity() * sizeof(int32_t); }
};

struct Region {
  uint64_t id;                       // never used twice in one vocabulary
  TokenSet stay;                     // tokens that stay inside
  std::vector<CharTrie::Tail> open;  // tokens that stay inside, but whose last character is unfinished; node = 0; by `rest`
  TokenSet whole;                    // of these, the ones that a set of all characters but ASCII ones allows
  CharTrie rest;                     // the ends of the others, from the first code point outside on
  size_t bytes() const noexcept;
};

// Null where most of it is outside, so that a region is no help.
std::shared_ptr<const Region> make_region(const CharTrie& trie, const RegionPlace& place, size_t n_words, uint64_t id);

}  // namespace bankml
