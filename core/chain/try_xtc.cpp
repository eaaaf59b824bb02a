// xtc over lazy buckets: see try_xtc.h.
//
// Where xtc does not act the draw is that of try_draw.h. Where it does, the set is sorted: S, the float sum in that order, gives
// the p of the leading run, and dist draws along the order. Both come from core/candidates/fast_buckets.h: S exactly, the draw from
// masses of buckets with the error of core/candidates/fast_mass.h, from the exact weights where that leaves a doubt.
//
// Tested by tests/chain/try_xtc.cpp
#include "core/math/fp_env.h"

#include "core/chain/try_xtc.h"

#include <cmath>

#include "core/candidates/fast_edge.h"
#include "core/candidates/fast_row_scan.h"
#include "core/chain/try_draw.h"
#include "core/math/expf.h"

namespace bankml {

namespace try_xtc_detail {

constexpr size_t longest_run = 1024;

// What xtc drops; false if the run of top choices is long.
inline bool count_dropped(FastBuckets& buckets, const Xtc& xtc, float maximum, size_t& dropped) noexcept {
  const float sum = buckets.exp_sum(buckets.n(), maximum);
  size_t run = 0;
  for (; run < buckets.n(); ++run) {
    if (run == longest_run) return false;
    buckets.extend_to(run);
    buckets.sort(buckets.bucket_at(run));
    if (!(math::expf(buckets.logit(run) - maximum) / sum >= xtc.threshold())) break;
  }
  dropped = run > 0 ? run - 1 : 0;
  if (buckets.n() - dropped < xtc.min_keep()) dropped = 0;
  return true;
}

}  // namespace try_xtc_detail

bool draw_places(FastBuckets& buckets, size_t first, size_t last, float t, Dist& dist, Candidates& out) noexcept {
  if (!(t > 0.0f) || last < first + 2) return false;
  buckets.extend_to(first);
  buckets.sort(buckets.bucket_at(first));
  const FastBuckets::Weights weights{first, last, t, buckets.logit(first) / t};
  if (!std::isfinite(weights.shift)) return false;
  const double u = dist.engine().uniform_double();
  for (const bool exact : {false, true}) {
    const double total = buckets.mass(weights, exact);
    const double error = (exact ? 0.0 : simd::mass_error) + static_cast<double>(last) * 0x1p-51;
    out.work->exps += last - first;
    size_t place = 0;
    if (!buckets.locate(weights, exact, u, total, error, place)) continue;
    out.work->random_outputs += 2;
    out.data[0] = {buckets.id(place), buckets.logit(place), 0.0f};
    out.size = 1;
    out.selected = 0;
    return true;
  }
  dist.rewind();
  return false;
}

bool try_xtc(const Row& row, Xtc& xtc, float t, Dist& dist, Candidates& out, FastScratch& scratch) noexcept {
  namespace detail = try_xtc_detail;
  if (row.n < 2) return false;
  const float chance = xtc.engine().uniform_float();
  bool drawn = false;
  if (chance > xtc.probability()) {
    drawn = try_draw(row, t, dist, out, scratch);
  } else if (fast_apply_edits(row, scratch, *out.kernels)) {
    FastBuckets buckets;
    size_t dropped = 0;
    drawn = buckets.fill(row, 1.0f, FastEdge(row, 1.0f, scratch, *out.kernels).of_sum(), scratch, out) &&
            detail::count_dropped(buckets, xtc, scratch.maximum, dropped) && draw_places(buckets, dropped, row.n, t, dist, out);
  }
  if (drawn) {
    out.work->random_outputs += 1;
  } else {
    xtc.rewind();
  }
  return drawn;
}

}  // namespace bankml
