// Dynamic temperature over lazy buckets: see try_dynamic.h.
//
// The temperature follows from two float sums in sorted order, S and the entropy of the p = e / S
// (core/candidates/fast_sorted_sums.h). Then dist draws along the order, at that temperature; a draw beyond the head lays out what
// lies above it.
//
// Tested by tests/chain/try_dynamic.cpp
#include "core/math/fp_env.h"

#include "core/chain/try_dynamic.h"

#include "core/candidates/fast_buckets.h"
#include "core/candidates/fast_row_scan.h"
#include "core/candidates/fast_sorted_sums.h"
#include "core/chain/fill_row.h"
#include "core/chain/try_xtc.h"

namespace bankml {

namespace try_dynamic_detail {

// Up to here the plain step is faster than buckets, of which each holds little.
constexpr size_t small_row = 2048;

// The plain steps, without the p that only a caller of the candidates sees.
inline bool draw_small(const Row& row, const Temperature& step, Dist& dist, Candidates& out) noexcept {
  fill_from_row(row, out);
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
  SortedSums sums{};
  if (!fast_apply_edits(row, scratch, *out.kernels) || !fast_sorted_sums(row, scratch, out, buckets, sums)) return false;
  const float t = step.dynamic_t(sums.entropy, row.n);
  return draw_places(buckets, 0, row.n, t, dist, out);
}

}  // namespace bankml
