// The tail of lazy buckets: what fast_buckets.h says about tokens that are not laid out, from the row itself.
//
// In descending order the tail comes after the head, and all its values lie below one edge. While the running sum S stays in its
// power of two, each term adds a multiple of S's ulp u that depends on the term alone, so the row may be added up in id order
// (core/simd/sum_kernels.inl). The exception is a half, a term that lies exactly between two multiples: ties-to-even asks for S's
// last bit. Halves are left out of the sum and noted by value. How far S has come when the first one is due follows from a second
// pass, over what lies at or below that value; then the half is added as a float. Equal values have equal terms, so their order
// does not matter. A tail with halves at many values (logits on a coarse grid), or one that leaves the power of two, is not summed
// here: it is laid out.
//
// Tested by tests/candidates/fast_tail.cpp, tests/candidates/fast_buckets.cpp
#include "core/math/fp_env.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "core/candidates/fast_buckets.h"
#include "core/candidates/fast_row_scan.h"

namespace bankml {

namespace fast_tail_detail {

constexpr size_t chunk = 256;
constexpr size_t most_values = 4;  // each costs a pass
constexpr float nothing = -17.5f;  // e^-17.5 is less than half an ulp of any S >= 1
constexpr float infinity = std::numeric_limits<float>::infinity();

inline float power_below(float x) noexcept { return std::bit_cast<float>(std::bit_cast<uint32_t>(x) & 0x7F800000u); }

}  // namespace fast_tail_detail

// The halves of a tail: distinct values, how often each occurs, and the term that it adds.
struct FastBuckets::Halves {
  float value[fast_tail_detail::most_values];
  float term[fast_tail_detail::most_values];
  size_t count[fast_tail_detail::most_values];
  size_t values = 0;

  bool note(float v, float w) noexcept {
    size_t i = 0;
    while (i < values && value[i] != v) ++i;
    if (i == fast_tail_detail::most_values) return false;
    if (i == values) {
      value[i] = v;
      term[i] = w;
      count[i] = 0;
      ++values;
    }
    ++count[i];
    return true;
  }
};

size_t FastBuckets::tail_block(size_t b, float bound, float* out) const noexcept {
  const simd::BlockRange range = simd::row_block(row_->logits, n_, FastScratch::block_of(n_), b);
  float copy[fast_tail_detail::chunk];
  const size_t here = range.last - range.first;
  kernels_->quotients_below(fast_view_block(*row_, range, copy, *kernels_), here, t_, bound, out);
  return here;
}

// Goes on from `sum` >= 1 with the terms of the quotients below `bound`, except halves, in any order.
bool FastBuckets::add_below(float bound, float shift, float& sum, Halves& halves) const noexcept {
  using namespace fast_tail_detail;
  const size_t blocks = simd::row_blocks(row_->logits, n_, FastScratch::block_of(n_));
  const float scale = 0x1p23f / power_below(sum);
  float total = sum;
  for (size_t b = 0; b < blocks; ++b) {
    if (scratch_->maxima[b] / t_ - shift < nothing) continue;
    float x[chunk];
    const size_t here = tail_block(b, bound, x);
    float whole = total;
    if (!kernels_->exp_sum_any_order(x, here, shift, whole)) {
      float terms[chunk];
      kernels_->exp_shift(x, terms, 1, here, shift);
      for (size_t i = 0; i < here; ++i) {
        const float ulps = terms[i] * scale;  // exact, or so small that it is no half
        if (ulps - std::floor(ulps) != 0.5f) continue;
        if (!halves.note(x[i], terms[i])) return false;
        terms[i] = 0.0f;
      }
      whole = total;
      if (!kernels_->sum_any_order(terms, here, whole)) return false;
    }
    total = whole;
  }
  sum = total;
  return true;
}

bool FastBuckets::add_tail(float shift, float& sum) const noexcept {
  using namespace fast_tail_detail;
  if (!(sum >= 1.0f && sum < 0x1p60f) || kernels_->level == simd::Level::scalar) return false;
  const float limit = 2.0f * power_below(sum);
  Halves halves;
  float all = sum;
  if (!add_below(quotient_edge_, shift, all, halves)) return false;
  float reached = sum;
  double added = 0;  // to `sum` by terms that are no halves: multiples of the ulp below 2^24 of them
  while (halves.values > 0) {
    size_t next = 0;
    for (size_t i = 1; i < halves.values; ++i) {
      if (halves.value[i] > halves.value[next]) next = i;
    }
    Halves seen;
    float below = sum;
    if (!add_below(std::nextafterf(halves.value[next], infinity), shift, below, seen)) return false;
    const double above = static_cast<double>(all) - static_cast<double>(below);
    reached += static_cast<float>(above - added);
    added = above;
    for (size_t i = 0; i < halves.count[next]; ++i) reached += halves.term[next];
    --halves.values;
    halves.value[next] = halves.value[halves.values];
    halves.term[next] = halves.term[halves.values];
    halves.count[next] = halves.count[halves.values];
  }
  reached += static_cast<float>(static_cast<double>(all) - static_cast<double>(sum) - added);
  if (!(reached < limit)) return false;
  sum = reached;
  return true;
}

double FastBuckets::mass_of_tail(const Weights& weights, bool exact) const noexcept {
  using namespace fast_tail_detail;
  const size_t blocks = simd::row_blocks(row_->logits, n_, FastScratch::block_of(n_));
  double total = 0;
  for (size_t b = 0; b < blocks; ++b) {
    float x[chunk];
    const size_t here = tail_block(b, quotient_edge_, x);
    if (!exact) {
      total += static_cast<double>(kernels_->exp_mass(x, here, weights.t, weights.shift));
      continue;
    }
    for (size_t i = 0; i < here; ++i) x[i] /= weights.t;
    kernels_->exp_shift(x, x, 1, here, weights.shift);
    for (size_t i = 0; i < here; ++i) total += static_cast<double>(x[i]);
  }
  return total;
}

}  // namespace bankml
