// Bound, gather, rank: see fast_gather.h.
//
// Every block whose maximum reaches a bound holds a token that does, so a bound that k block maxima reach leaves at least k tokens,
// and for logits without much structure hardly more: about blocks * ln(blocks / (blocks - k)) of them. Bisection finds such a
// bound; it need not be the best one. The rank of a token is the number of greater ones; if the k best have k different ranks, keys
// are distinct and every correct algorithm, the reference's too, leaves this one order.
//
// Tested by tests/candidates/fast_gather.cpp
#include "core/math/fp_env.h"

#include "core/candidates/fast_gather.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "core/candidates/fast_row_scan.h"

namespace bankml {

namespace fast_gather_detail {

constexpr float infinity = std::numeric_limits<float>::infinity();

// The smallest of maxima[0], maxima[step], ... that is above -inf; +inf if there is none.
inline float smallest_finite(const float* maxima, size_t n, size_t step) noexcept {
  float smallest = infinity;
  for (size_t i = 0; i < n; i += step) {
    if (maxima[i] < smallest && maxima[i] > -infinity) smallest = maxima[i];
  }
  return smallest;
}

// A bound between low, which `reached` >= wanted of x[0..n) reach, and high, that about as many reach as are wanted.
inline float bisect(const float* x, size_t n, size_t wanted, float low, size_t reached, float high,
                    const simd::Kernels& kernels) noexcept {
  const size_t enough = wanted + wanted / 4 + 2;
  for (int round = 0; round < 16 && reached > enough; ++round) {
    const float middle = low * 0.5f + high * 0.5f;
    const size_t here = kernels.count_reaching(x, n, middle);
    if (here >= wanted) {
      low = middle;
      reached = here;
    } else {
      high = middle;
    }
  }
  return low;
}

// Takes edited tokens out of the raw gathering and puts those whose new logit reaches the bound in, keeping id order.
inline size_t merge_edits(const Edits& edits, float bound, size_t count, FastScratch& scratch) noexcept {
  const Edit* const first = edits.begin();
  const Edit* const end = edits.end();
  const Edit* edit = first;
  size_t kept = 0, entering = 0;
  for (size_t i = 0; i < count; ++i) {
    while (edit != end && edit->id < scratch.index[i]) ++edit;
    scratch.index[kept] = scratch.index[i];
    scratch.value[kept] = scratch.value[i];
    kept += edit == end || edit->id != scratch.index[i];
  }
  for (edit = first; edit != end; ++edit) entering += edit->logit >= bound;
  const size_t total = kept + entering;
  if (total > scratch.index.size()) return total;
  for (size_t to = total; entering > 0;) {  // from the back, so that nothing is overwritten before it has moved
    --edit;
    if (!(edit->logit >= bound)) continue;
    while (kept > 0 && scratch.index[kept - 1] > edit->id) {
      --to;
      --kept;
      scratch.index[to] = scratch.index[kept];
      scratch.value[to] = scratch.value[kept];
    }
    --to;
    --entering;
    scratch.index[to] = edit->id;
    scratch.value[to] = edit->logit;
  }
  return total;
}

}  // namespace fast_gather_detail

bool fast_find_bound(const Row& row, size_t wanted, const FastScratch& scratch, const simd::Kernels& kernels,
                     float& bound) noexcept {
  namespace detail = fast_gather_detail;
  const float* const maxima = scratch.maxima.data();
  const size_t blocks = simd::row_blocks(row.logits, row.n, FastScratch::block_of(row.n));
  if (blocks < wanted) return false;
  float low = detail::smallest_finite(maxima, blocks, 1 + blocks / 24);
  size_t reached = low < detail::infinity ? kernels.count_reaching(maxima, blocks, low) : 0;
  if (reached < wanted) {
    low = detail::smallest_finite(maxima, blocks, 1);
    reached = kernels.count_reaching(maxima, blocks, low);
    if (reached < wanted) return false;
  }
  bound = detail::bisect(maxima, blocks, wanted, low, reached, scratch.maximum, kernels);
  return true;
}

bool fast_find_small_bound(const Row& row, size_t wanted, const FastScratch& scratch, const simd::Kernels& kernels,
                           float& bound) noexcept {
  namespace detail = fast_gather_detail;
  if (row.n > small_bound_row) return false;
  float copy[small_bound_row];
  const float* floats = row.logits;
  if (row.mask != nullptr || (row.edits != nullptr && row.edits->size() > 0)) {
    for (size_t first = 0; first < row.n; first += 256) {
      kernels.copy_allowed(row.logits, first, std::min(first + 256, row.n), row.mask, copy + first);
    }
    if (row.edits != nullptr) {
      for (const Edit& edit : *row.edits) copy[edit.id] = edit.logit;
    }
    floats = copy;
  }
  // The smallest block maximum bounds nothing here, but it is near the middle of the row.
  const size_t blocks = simd::row_blocks(row.logits, row.n, FastScratch::block_of(row.n));
  float low = detail::smallest_finite(scratch.maxima.data(), blocks, 1);
  size_t reached = low < detail::infinity ? kernels.count_reaching(floats, row.n, low) : 0;
  for (float step = 1.0f; reached < wanted; step *= 4.0f) {
    low -= step;
    if (!(low > -1e6f)) return false;
    reached = kernels.count_reaching(floats, row.n, low);
  }
  bound = detail::bisect(floats, row.n, wanted, low, reached, scratch.maximum, kernels);
  return true;
}

size_t fast_gather(const Row& row, float bound, FastScratch& scratch, const simd::Kernels& kernels) noexcept {
  const size_t capacity = scratch.index.size();
  const size_t count = kernels.collect_reaching(row.logits, row.n, row.mask, FastScratch::block_of(row.n), scratch.maxima.data(),
                                                bound, scratch.index.data(), scratch.value.data(), capacity);
  if (count > capacity || row.edits == nullptr || row.edits->size() == 0) return count;
  return fast_gather_detail::merge_edits(*row.edits, bound, count, scratch);
}

bool fast_place_distinct(size_t count, size_t k, FastScratch& scratch, const simd::Kernels& kernels, Candidate* out) noexcept {
  kernels.rank(scratch.value.data(), count, scratch.rank.data());
  for (size_t i = 0; i < k; ++i) out[i].id = -1;
  size_t taken = 0;
  for (size_t i = 0; i < count; ++i) {
    const size_t rank = scratch.rank[i];
    if (rank >= k) continue;
    if (out[rank].id >= 0) return false;
    out[rank] = {scratch.index[i], scratch.value[i], 0.0f};
    ++taken;
  }
  return taken == k;
}

}  // namespace bankml
