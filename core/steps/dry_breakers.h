// Sequence breakers of DRY as token sequences, looked up by their first token.
//
// Built once from a list and shared by every sampler that uses it. DRY asks at each token of its window whether a breaker begins
// there, so the question has a bit per token of the vocabulary; the tails are read only where the bit is set. Memory: two bits a
// token up to the highest head, and 4 bytes a tail token.
//
// Tested by tests/steps/dry_breakers.cpp
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/vocab/breakers.h"

namespace bankml {

struct DryBreaker {
  int32_t head;
  std::vector<int32_t> tail;  // in reading order; empty: the head alone is the breaker
};

class DryBreakers {
 public:
  DryBreakers() = default;
  // A list of anything with a `head` and a `tail`, such as DryBreaker. Heads outside [0, n_vocab) can never be met and are dropped;
  // with untrusted lists n_vocab bounds the memory. Duplicates do not matter.
  template <class List>
  explicit DryBreakers(const List& list, size_t n_vocab = 0x7FFFFFFF) {
    for (const auto& breaker : list) {
      if (breaker.head >= 0 && static_cast<size_t>(breaker.head) < n_vocab) add(breaker.head, breaker.tail);
    }
    order();
  }

  // Whether a breaker begins with `token`.
  bool is_head(int32_t token) const noexcept { return bit(heads_, token); }
  // Whether `token` alone is a breaker.
  bool is_single(int32_t token) const noexcept { return bit(singles_, token); }

  static constexpr size_t no_match = static_cast<size_t>(-1);
  // t lists tokens backwards in time; a breaker begins at t[i]. The length of its longest tail of at most i tokens that equals t[i
  // - 1], t[i - 2], ...; no_match if there is none.
  size_t longest_tail(const int32_t* t, size_t i) const noexcept;

  size_t size() const noexcept { return entries_.size(); }
  size_t bytes() const noexcept {
    return (heads_.capacity() + singles_.capacity()) * sizeof(uint64_t) + entries_.capacity() * sizeof(Entry) +
           tokens_.capacity() * sizeof(int32_t);
  }

 private:
  struct Entry {
    int32_t head;
    uint32_t length;
    size_t offset;  // of the tail in tokens_
  };

  void add(int32_t head, const std::vector<int32_t>& tail);
  void order();

  static bool bit(const std::vector<uint64_t>& bits, int32_t token) noexcept {
    const auto i = static_cast<uint32_t>(token);
    return (i >> 6) < bits.size() && ((bits[i >> 6] >> (i & 63)) & 1u) != 0;
  }

  std::vector<uint64_t> heads_;
  std::vector<uint64_t> singles_;
  std::vector<Entry> entries_;  // by head, longest tail first
  std::vector<int32_t> tokens_;
};

}  // namespace bankml
