// Dynamic temperature over lazy buckets: see try_dynamic.h.
//
// The temperature follows from two float sums in sorted order, S and the entropy of the p = e / S. Neither needs the order inside
// most buckets (core/candidates/fast_buckets.h); no term of either is negative. Then dist draws along the order, at that
// temperature.
//
// Tested by tests/chain/try_dynamic.cpp
#include "core/math/fp_env.h"

#include "core/chain/try_dynamic.h"

#include <algorithm>
#include <limits>

#include "core/candidates/fast_buckets.h"
#include "core/candidates/fast_row_scan.h"
#include "core/chain/try_xtc.h"

namespace bankml {

namespace try_dynamic_detail {

// Up to here the plain step is faster than buckets, of which each holds little.
constexpr size_t small_row = 2048;

// The plain steps, without the p that only a caller of the candidates sees.
inline bool draw_small(const Row& row, const Temperature& step, Dist& dist, Candidates& out) noexcept {
  for (size_t first = 0; first < row.n; first += 256) {
    const simd::BlockRange range{first, std::min(first + 256, row.n)};
    float copy[256];
    const float* const floats = fast_view_block(row, range, copy, *out.kernels);
    for (size_t i = range.first; i < range.last; ++i) {
      out.data[i] = {static_cast<int32_t>(i), floats[i - range.first], 0.0f};
    }
  }
  out.size = row.n;
  out.sorted = false;
  step.scale_dynamic(out);
  ErrorText error;
  if (dist.apply(out, error) == Status::ok) return true;
  dist.rewind();
  return false;
}

}  // namespace try_dynamic_detail

bool try_dynamic(const Row& row, const Temperature& step, Dist& dist, Candidates& out, FastScratch& scratch) noexcept {
  if (row.n <= try_dynamic_detail::small_row) {
    return fast_apply_edits(row, scratch, *out.kernels) && try_dynamic_detail::draw_small(row, step, dist, out);
  }
  FastBuckets buckets;
  if (!fast_apply_edits(row, scratch, *out.kernels) ||
      !buckets.fill(row, 1.0f, -std::numeric_limits<float>::infinity(), scratch, out)) {
    return false;
  }
  const float maximum = scratch.maximum;
  const float sum = buckets.exp_sum(row.n, maximum);
  float entropy = 0.0f;
  for (int b = 127; b >= 0; --b) entropy = buckets.add_entropy(b, maximum, sum, entropy);
  out.work->exps += 2 * row.n;
  return draw_places(buckets, 0, row.n, step.dynamic_t(entropy, row.n), dist, out);
}

}  // namespace bankml
