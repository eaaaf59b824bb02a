// The few tokens that can be among the k best of a row, gathered without a candidate set, and their order where no two are equal.
//
// Tested by tests/candidates/fast_gather.cpp
#pragma once

#include <cstddef>

#include "core/candidates/candidates.h"
#include "core/candidates/fast_scratch.h"
#include "core/candidates/row.h"
#include "core/simd/kernels.h"

namespace bankml {

// A bound, above -inf, that at least `wanted` block maxima reach, and not many more; false if there is none. After
// fast_apply_edits.
bool fast_find_bound(const Row& row, size_t wanted, const FastScratch& scratch, const simd::Kernels& kernels,
                     float& bound) noexcept;

// The same where the blocks are too few for that (fast_find_bound answers false): at least `wanted` tokens reach the bound, and not
// many more. Takes several looks at the whole row, so only for rows of at most small_bound_row tokens.
inline constexpr size_t small_bound_row = 4096;
bool fast_find_small_bound(const Row& row, size_t wanted, const FastScratch& scratch, const simd::Kernels& kernels,
                           float& bound) noexcept;

// Fills scratch.index and scratch.value with all tokens whose logit, masked and edited, reaches `bound` (above -inf), in id order.
// Returns how many; more than the scratch's capacity means that they do not fit.
size_t fast_gather(const Row& row, float bound, FastScratch& scratch, const simd::Kernels& kernels) noexcept;

// Writes the k best of the `count` gathered tokens to `out` in order (p = 0), if the order is unique: no two equal among the k
// best, and none outside equal to the k-th. False otherwise; `out` may then hold anything. k <= count.
bool fast_place_distinct(size_t count, size_t k, FastScratch& scratch, const simd::Kernels& kernels, Candidate* out) noexcept;

}  // namespace bankml
