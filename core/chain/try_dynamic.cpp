// Dynamic temperature over lazy buckets: see try_dynamic.h.
//
// The temperature follows from two float sums in sorted order, S and the entropy of the p = e / S. Neither needs the order inside
// most buckets (core/candidates/fast_buckets.h); no term of either is negative. Then dist draws along the order, at that
// temperature.
//
// Tested by tests/chain/try_dynamic.cpp
#include "core/math/fp_env.h"

#include "core/chain/try_dynamic.h"

#include <limits>

#include "core/candidates/fast_buckets.h"
#include "core/candidates/fast_row_scan.h"
#include "core/chain/try_xtc.h"

namespace bankml {

bool try_dynamic(const Row& row, const Temperature& step, Dist& dist, Candidates& out, FastScratch& scratch) noexcept {
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
