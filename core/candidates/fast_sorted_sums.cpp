// Sums in sorted order: see fast_sorted_sums.h.
//
// No term of either sum is negative, so each passes its powers of two one after the other, and behind the last of them the order of
// the terms hardly ever matters. So the head of the order is laid out in buckets, and everything below it is added in id order,
// straight from the row, where that is proven to be the same (exp_sum_below, entropy_below). How deep the last power of two lies
// is not known before; the head is extended where it was guessed too short. Once S is known it stays.
// Inside the head a bucket is sorted only where its terms do not add up alike in every order.
//
// Tested by tests/candidates/fast_sorted_sums.cpp
#include "core/math/fp_env.h"

#include "core/candidates/fast_sorted_sums.h"

#include <algorithm>
#include <limits>

#include "core/candidates/bucket_edge.h"
#include "core/candidates/fast_row_scan.h"
#include "core/candidates/sort.h"

namespace bankml {

namespace fast_sorted_sums_detail {

constexpr size_t chunk = 256;
constexpr size_t small_row = 8192;  // all of it is laid out as soon as a part
constexpr float infinity = std::numeric_limits<float>::infinity();

// Calls add(floats, n) for each block of the row until it answers false.
template <class Add>
inline bool each_block(const Row& row, const simd::Kernels& kernels, Add add) noexcept {
  const size_t block = FastScratch::block_of(row.n), blocks = simd::row_blocks(row.logits, row.n, block);
  for (size_t b = 0; b < blocks; ++b) {
    const simd::BlockRange range = simd::row_block(row.logits, row.n, block, b);
    float copy[chunk];
    if (!add(fast_view_block(row, range, copy, kernels), range.last - range.first)) return false;
  }
  return true;
}

// Exact terms of n <= chunk logits.
inline void fill_terms(const float* logits, size_t n, float maximum, float divisor, const simd::Kernels& kernels,
                       float* terms) noexcept {
  float logarithm[chunk];
  kernels.exp_shift(logits, terms, 1, n, maximum);
  for (size_t i = 0; i < n; ++i) terms[i] /= divisor;
  kernels.log(terms, logarithm, n);
  for (size_t i = 0; i < n; ++i) terms[i] = terms[i] > 0.0f ? -(terms[i] * logarithm[i]) : 0.0f;
}

// Goes on from `entropy` with bucket b. Bounds of terms are too wide for a bucket whose few terms are large.
inline float add_bucket(FastBuckets& buckets, int b, float maximum, float divisor, const simd::Kernels& kernels,
                        float entropy) noexcept {
  const size_t count = buckets.end(b) - buckets.begin(b);
  if (count == 0) return entropy;
  float logits[chunk], terms[chunk];
  const auto part = [&](size_t first) {
    const size_t n = std::min(chunk, buckets.end(b) - first);
    for (size_t i = 0; i < n; ++i) logits[i] = buckets.logit(first + i);
    return n;
  };
  float total = entropy;
  bool proven = true;
  for (size_t first = buckets.begin(b); first < buckets.end(b) && proven; first += chunk) {
    const size_t n = part(first);
    if (count < chunk) {
      fill_terms(logits, n, maximum, divisor, kernels, terms);
      proven = kernels.sum_any_order(terms, n, total);
    } else {
      proven = kernels.entropy_below(logits, n, infinity, maximum, divisor, total);
    }
  }
  if (proven) return total;
  buckets.sort(b);
  total = entropy;
  for (size_t first = buckets.begin(b); first < buckets.end(b); first += chunk) {
    const size_t n = part(first);
    fill_terms(logits, n, maximum, divisor, kernels, terms);
    total = kernels.sum(terms, n, total);
  }
  return total;
}

// The lowest bucket that is laid out in full, and its lower edge: what the tail lies below.
inline float tail_edge(const FastBuckets& buckets) noexcept {
  int lowest = 127;
  while (lowest > 0 && buckets.begin(lowest - 1) < buckets.laid_out()) --lowest;
  return lowest > 0 ? bucket_edge(lowest) : -infinity;
}

}  // namespace fast_sorted_sums_detail

bool fast_sorted_sums(const Row& row, FastScratch& scratch, Candidates& room, FastBuckets& buckets, SortedSums& sums) noexcept {
  using namespace fast_sorted_sums_detail;
  const simd::Kernels& kernels = *room.kernels;
  const float maximum = scratch.maximum;
  bool summed = false;
  bool filled = false;
  for (const float depth : {10.0f, 12.0f, 14.0f, 17.0f, infinity}) {
    const bool whole = depth == infinity;
    if (!whole && row.n < small_row) continue;
    if (filled) {
      buckets.extend(maximum - depth);
    } else if (!buckets.fill(row, 1.0f, maximum - depth, scratch, room)) {
      return false;
    }
    filled = true;
    const float edge = tail_edge(buckets);
    if (!summed) {
      float sum = buckets.exp_sum(buckets.laid_out(), maximum);
      summed = whole ||
               each_block(row, kernels, [&](const float* x, size_t n) { return kernels.exp_sum_below(x, n, edge, maximum, sum); });
      sums.sum = sum;
    }
    if (!summed) continue;
    float entropy = 0.0f;
    for (int b = 127; b >= 0 && buckets.begin(b) < buckets.laid_out(); --b) {
      entropy = add_bucket(buckets, b, maximum, sums.sum, kernels, entropy);
    }
    sums.entropy = entropy;
    if (whole || each_block(row, kernels, [&](const float* x, size_t n) {
          return kernels.entropy_below(x, n, edge, maximum, sums.sum, sums.entropy);
        })) {
      room.work->exps += 2 * row.n;
      return true;
    }
  }
  return false;
}

}  // namespace bankml
