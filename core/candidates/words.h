// Room for a word a candidate (core/order/words.h) inside an array of candidates.
//
// The words lie at the end of the array, so that the candidates they point at can be written from its beginning, in the order of
// the words: candidate j ends at byte 12 j + 12, and word j + 1 < n begins at byte 4 n - 4 + 8 (j + 1) or later, which is not less.
//
// Tested by tests/candidates/sort.cpp
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/candidates/candidates.h"
#include "core/order/words.h"

namespace bankml {

// Where n words lie in array[0..n); not yet written. Aligned for words wherever the array begins.
inline order::Word* word_space(Candidate* array, size_t n) noexcept {
  static_assert(sizeof(order::Word) == 8 && alignof(order::Word) <= 8 && sizeof(Candidate) == 12 && alignof(Candidate) == 4);
  unsigned char* const end = reinterpret_cast<unsigned char*>(array + n);
  return reinterpret_cast<order::Word*>(end - reinterpret_cast<uintptr_t>(end) % 8 - n * sizeof(order::Word));
}

}  // namespace bankml
