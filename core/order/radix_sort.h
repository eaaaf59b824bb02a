// A sort of words that owes nothing to comparisons: for keys that are all different, where every correct sort leaves one order.
//
// Computes: the words of `in` in `out`, ascending by key, equal keys in the order they come in. That is the reference's order only
// if no two keys are equal: sort_distinct_words says so, and leaves the array alone otherwise.
// Why: introsort's comparisons depend on each other and on the data; counting does not, and costs the same for every array. Four
// bytes a key, least significant first (Seward 1954); a byte that all keys share is skipped.
//
// Tested by tests/order/words.cpp
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "core/order/words.h"

namespace bankml::order {

// out and spare hold n words each; n < 2^32. The result is in `out`.
inline void radix_sort_words(const Word* in, size_t n, Word* out, Word* spare) noexcept {
  uint32_t counts[4][256] = {};
  for (size_t i = 0; i < n; ++i) {
    const uint32_t key = key_of(in[i]);
    for (unsigned byte = 0; byte < 4; ++byte) ++counts[byte][key >> 8 * byte & 255];
  }
  const Word* from = in;
  Word* to = out;
  for (unsigned byte = 0; byte < 4; ++byte) {
    uint32_t* const next = counts[byte];
    if (n == 0 || next[key_of(in[0]) >> 8 * byte & 255] == n) continue;
    uint32_t total = 0;
    for (unsigned digit = 0; digit < 256; ++digit) {
      const uint32_t here = next[digit];
      next[digit] = total;
      total += here;
    }
    for (size_t i = 0; i < n; ++i) to[next[key_of(from[i]) >> 8 * byte & 255]++] = from[i];
    from = to;
    to = to == out ? spare : out;
  }
  if (from != out) std::copy(from, from + n, out);
}

// Sorts words[0..n) if no two keys are equal; else false, with nothing changed. As radix_sort_words for the two arrays.
inline bool sort_distinct_words(Word* words, size_t n, Word* sorted, Word* spare) noexcept {
  radix_sort_words(words, n, sorted, spare);
  for (size_t i = 1; i < n; ++i) {
    if (key_of(sorted[i - 1]) == key_of(sorted[i])) return false;
  }
  std::copy(sorted, sorted + n, words);
  return true;
}

}  // namespace bankml::order
