// What masks need to know of a vocabulary, whatever the grammar: the trie of its pieces as code points, pieces that may end a
// character, and *regions*: for a set of code points that a grammar may repeat without end (the inside of a string, an identifier),
// the tokens that stay inside, as mask words, and a trie over what the other tokens have behind their first part inside.
//
// So a mask inside a string is one copy and a walk of a small trie. Regions are found as grammars need them and kept, the last
// `kept_regions` of them, behind a lock; they depend on the set alone, so grammars share them.
// Tested by tests/vocab/char_trie.cpp
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <vector>

#include "core/vocab/char_trie.h"

namespace bankml {

// Code points from `lowest` to before `behind`.
struct CharSpan {
  uint32_t lowest;
  uint64_t behind;
  bool operator==(const CharSpan&) const = default;
};

struct Region {
  std::vector<CharSpan> spans;  // ascending
  std::vector<uint32_t> stay;   // mask words
  CharTrie rest;                // of each other token: its end, from the first code point outside on
  std::vector<bool> pure;       // of each node of the vocabulary's trie: below it nothing is outside or unfinished
};

class CharTables {
 public:
  explicit CharTables(const Vocab& vocab);

  const CharTrie& trie() const noexcept { return trie_; }
  // Tokens whose piece begins inside a character, ascending: what may follow an unfinished one.
  const std::vector<int32_t>& continuations() const noexcept { return continuations_; }
  const std::vector<uint32_t>& root_children() const noexcept { return root_children_; }  // nodes
  uint32_t longest() const noexcept { return longest_; }  // code points of a piece that is longest, at least 1
  size_t words() const noexcept { return words_; }        // of a mask

  std::shared_ptr<const Region> region(const std::vector<CharSpan>& spans) const;

  size_t bytes() const noexcept;

 private:
  static constexpr size_t kept_regions = 16;
  std::shared_ptr<const Region> make_region(const std::vector<CharSpan>& spans) const;

  CharTrie trie_;
  std::vector<int32_t> continuations_;
  std::vector<uint32_t> root_children_;
  uint32_t longest_ = 1;
  size_t words_;
  mutable std::mutex mutex_;
  mutable std::list<std::shared_ptr<const Region>> regions_;  // the last used first
};

}  // namespace bankml
