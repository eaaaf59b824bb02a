// The sort of libstdc++ (std::sort) on words of a 32-bit key and an index: introsort's result, three to four times as fast.
//
// Computes: the array that introsort(first, last, LowerKey) leaves, equal keys included. Floats map to keys in the same order, so a
// caller sorts 8 bytes an element whatever it orders, and fetches the elements by index afterwards.
// Why it may move differently: integers are an order without exception (no NaN), so the closing insertion sort never moves an
// element over a cut. It is a stable sort of each small part, which any other stable sort may replace: here the place of an element
// is the number of those that come before it, counted without branches. Partitions run without branches too (block_partition.h).
// Pivots, depth limit and heap sort are introsort's.
//
// Tested by tests/order/words.cpp
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "core/order/block_partition.h"
#include "core/order/heap.h"
#include "core/order/introsort.h"

namespace bankml::order {

using Word = uint64_t;

inline Word word(uint32_t key, size_t index) noexcept { return Word{key} << 32 | static_cast<uint32_t>(index); }
inline uint32_t key_of(Word w) noexcept { return static_cast<uint32_t>(w >> 32); }
inline uint32_t index_of(Word w) noexcept { return static_cast<uint32_t>(w); }

// Orders by key; the index does not count.
struct LowerKey {
  bool operator()(Word a, Word b) const noexcept { return key_of(a) < key_of(b); }
};

// Keys in the order of the floats; equal floats (+0 and -0) have equal keys. NaN has no meaningful key.
inline uint32_t ascending_key(float x) noexcept {
  const uint32_t bits = std::bit_cast<uint32_t>(x + 0.0f);  // -0 becomes +0
  return bits ^ ((0u - (bits >> 31)) | 0x80000000u);
}
inline uint32_t descending_key(float x) noexcept { return ~ascending_key(x); }

// Sorts at most introsort_small words, equal keys in the order they come in.
inline void sort_small_part(Word* first, std::ptrdiff_t n) noexcept {
  uint32_t key[introsort_small];
  Word before[introsort_small];
  uint8_t place[introsort_small] = {};
  for (std::ptrdiff_t i = 0; i < n; ++i) {
    before[i] = first[i];
    key[i] = key_of(first[i]);
  }
  for (std::ptrdiff_t i = 1; i < n; ++i) {
    const uint32_t mine = key[i];
    unsigned ahead = 0;  // of the earlier ones, those that stay ahead of i; i goes ahead of the others
    for (std::ptrdiff_t j = 0; j < i; ++j) {
      const unsigned stays = key[j] <= mine ? 1 : 0;
      ahead += stays;
      place[j] = static_cast<uint8_t>(place[j] + 1 - stays);
    }
    place[i] = static_cast<uint8_t>(ahead);
  }
  for (std::ptrdiff_t i = 0; i < n; ++i) first[place[i]] = before[i];
}

inline bool all_keys_equal(const Word* first, const Word* last) noexcept {
  const uint32_t key = key_of(*first);
  return std::all_of(first + 1, last, [key](Word w) { return key_of(w) == key; });
}

// A part of equal keys needs no comparison: the pivot is the middle element, every element is a stop from both sides, so that the
// partition turns the part around, and the closing sort moves nothing. Logits on a coarse grid fill whole buckets with one key.
inline void sort_equal_words(Word* first, Word* last, int depth) noexcept {
  while (last - first > introsort_small) {
    if (depth == 0) {
      bankml::order::partial_sort(first, last, last, LowerKey{});
      return;
    }
    --depth;
    std::swap(*first, first[(last - first) / 2]);
    std::reverse(first + 1, last);
    Word* const cut = first + 1 + (last - first - 1) / 2;
    bankml::order::sort_equal_words(cut, last, depth);
    last = cut;
  }
}

// Sorts [first, last) with `depth` levels of partitioning left.
inline void sort_words(Word* first, Word* last, int depth) noexcept {
  constexpr Word low = 0xffffffff;
  while (last - first > introsort_small) {
    if (all_keys_equal(first, last)) return bankml::order::sort_equal_words(first, last, depth);
    if (depth == 0) {
      bankml::order::partial_sort(first, last, last, LowerKey{});
      return;
    }
    --depth;
    bankml::order::median_to_first(first, first + 1, first + (last - first) / 2, last - 1, LowerKey{});
    const Word least = *first & ~low;  // of the words with the pivot's key
    const Word most = *first | low;
    Word* cut = bankml::order::block_partition_by(
        first + 1, last, [least](Word w) { return w >= least; }, [most](Word w) { return w <= most; });
    if (last - cut < cut - first) {
      bankml::order::sort_words(cut, last, depth);
      last = cut;
    } else {
      bankml::order::sort_words(first, cut, depth);
      first = cut;
    }
  }
  bankml::order::sort_small_part(first, last - first);
}

inline void sort_words(Word* first, Word* last) noexcept {
  bankml::order::sort_words(first, last, depth_limit(static_cast<size_t>(last - first)));
}

}  // namespace bankml::order
