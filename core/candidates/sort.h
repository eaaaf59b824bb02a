// Orders of the candidate set by logit, descending, with ties where the reference's algorithms leave them.
//
// Two methods, by how many are asked for: a heap up to 128 (libstdc++'s partial_sort), 128 buckets above (a histogram over [-10,
// 10), then libstdc++'s sort inside each bucket). Which one ran decides the order of equal logits, hence which token is drawn.
//
// Tested by tests/candidates/sort.cpp
#pragma once

#include "core/math/fp_env.h"

#include <cstddef>

#include "core/candidates/candidates.h"

namespace bankml {

// "Comes before": the larger logit. Any comparison with NaN is false.
struct LargerLogit {
  bool operator()(const Candidate& a, const Candidate& b) const noexcept { return a.logit > b.logit; }
};

// The largest k that the heap orders.
inline constexpr size_t heap_limit = 128;

// Where a logit lies on the scale of the buckets, before rounding.
inline float bucket_place(float logit) noexcept { return 6.4f * logit + 64.0f; }

// The bucket of a logit, 0...127: its place truncated toward zero and clamped. As on x86, a value that no int32 holds (NaN,
// infinite, 2^31 or more) counts as the smallest int, hence bucket 0, on every CPU.
inline int bucket_of(float logit) noexcept {
  const float x = bucket_place(logit);
  const int b = x >= 0.0f && x < 0x1p31f ? static_cast<int>(x) : 0;
  return b < 127 ? b : 127;
}

// Writes to `out` (room for n) every candidate of the top buckets that together hold at least k of them, the first k in order;
// returns how many were written. 0 < k <= n; `in` and `out` do not overlap.
size_t bucket_sort(const Candidate* in, size_t n, size_t k, Candidate* out, const simd::Kernels& kernels) noexcept;

// Leaves the k largest in order, cuts the set to them and sets `sorted`. k <= size. Uses scratch and may swap it with data.
void sort_in_place(Candidates& set, size_t k) noexcept;

// Counts one ordering of k candidates in the perf counters, if it is of more than half the vocabulary.
inline void count_sort(const Candidates& set, size_t k) noexcept {
  if (2 * k > set.n_vocab) ++set.work->full_sorts;
}

}  // namespace bankml
