// What masks need to know of a vocabulary, whatever the grammar: the trie of its pieces as code points, pieces that may begin
// inside a character, and *regions* (char_region.h), made as grammars need them and kept behind a lock, the last used ones, up to
// `max_region_bytes`; they depend on sets of code points alone, so grammars share them. Tested by tests/vocab/char_trie.cpp
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <span>
#include <unordered_map>
#include <vector>

#include "core/vocab/char_region.h"
#include "core/vocab/char_trie.h"

namespace bankml {

class CharTables {
 public:
  CharTables(const Vocab& vocab, Decoding decoding);

  const CharTrie& trie() const noexcept { return trie_; }
  // Tokens whose piece begins inside a character, ascending: what may follow an unfinished one.
  const std::vector<int32_t>& continuations() const noexcept { return continuations_; }
  // Tokens with more than `count` bytes, longest first; all tokens with as many code points are among them.
  std::span<const int32_t> longer_than(uint32_t count) const noexcept;
  uint32_t longest() const noexcept { return longest_; }  // code points of a piece that is longest, at least 1
  size_t words() const noexcept { return words_; }        // of a mask

  // The region that `place` tells, or null where a walk is as good. `trie` is the whole one (place.trie = 0), or the `rest` of a
  // region (place.trie = its `id`).
  std::shared_ptr<const Region> region(const CharTrie& trie, const RegionPlace& place) const;

  size_t bytes() const noexcept;

 private:
  static constexpr size_t max_region_bytes = size_t{16} << 20;
  struct Kept {
    std::shared_ptr<const Region> region;
    std::list<const RegionPlace*>::iterator age;
  };

  CharTrie trie_;
  std::vector<int32_t> continuations_;
  std::vector<int32_t> by_length_;     // tokens, longest pieces first
  std::vector<uint32_t> longer_than_;  // of each count of bytes: how many of by_length_
  uint32_t longest_ = 1;
  size_t words_;
  mutable std::mutex mutex_;
  mutable std::unordered_map<RegionPlace, Kept, RegionPlace::Hash> regions_;
  mutable std::list<const RegionPlace*> ages_;  // the last used first
  mutable size_t region_bytes_ = 0;
  mutable uint64_t made_ = 0;
};

}  // namespace bankml
