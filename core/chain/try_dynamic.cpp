// Dynamic temperature over lazy buckets: see try_dynamic.h.
//
// The temperature follows from two float sums in sorted order, S and the entropy of the p = e / S
// (core/candidates/fast_sorted_sums.h). Then dist draws along the order, at that temperature. If only the head of the order is laid
// out, the weights of all tokens are added in id order, and a draw beyond the head lays out the rest.
//
// Tested by tests/chain/try_dynamic.cpp
#include "core/math/fp_env.h"

#include "core/chain/try_dynamic.h"

#include <cmath>
#include <limits>

#include "core/candidates/fast_buckets.h"
#include "core/candidates/fast_mass.h"
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

// As draw_places of the whole row, if the draw falls among the places that are laid out; the others count in the total only.
inline bool draw_in_head(const Row& row, float t, Dist& dist, FastBuckets& buckets, Candidates& out,
                         FastScratch& scratch) noexcept {
  if (!(t > 0.0f) || !std::isfinite(scratch.maximum / t)) return false;
  const FastBuckets::Weights weights{0, buckets.laid_out(), t, scratch.maximum / t};
  const double u = dist.engine().uniform_double();
  for (const bool exact : {false, true}) {
    double error = 0;
    const double total = fast_masses({row, t, weights.shift}, exact, scratch, *out.kernels, error);
    out.work->exps += row.n;
    size_t place = 0;
    if (!buckets.locate(weights, exact, u, total, error + static_cast<double>(row.n) * 0x1p-51, place)) continue;
    out.work->random_outputs += 2;
    out.data[0] = {buckets.id(place), buckets.logit(place), 0.0f};
    out.size = 1;
    out.selected = 0;
    return true;
  }
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
  if (buckets.laid_out() < row.n) {
    if (try_dynamic_detail::draw_in_head(row, t, dist, buckets, out, scratch)) return true;
    if (!buckets.fill(row, 1.0f, -std::numeric_limits<float>::infinity(), scratch, out)) return false;
  }
  return draw_places(buckets, 0, row.n, t, dist, out);
}

}  // namespace bankml
