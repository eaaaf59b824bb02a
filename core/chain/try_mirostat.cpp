// Mirostat over lazy buckets: see try_mirostat.h.
//
// Both steps need the float sum S of expf(logit - maximum) in sorted order, then the p of a few tokens near the cut; what lies
// inside the other buckets stays unsorted (core/candidates/fast_buckets.h), and what lies below the last power of two that S
// crosses is not laid out at all, unless the cut falls there. Version 2 cuts at the first p with -log2f(p) > mu. expf, quotient,
// log2f and the subtraction in front of expf are off by less than 2^-20 * (3 + |mu| + log2 S) together, so only tokens that close
// to the cut are asked, in order. Few tokens behind the cut go through the step's own draw. Of many, the draw is located by masses
// (core/candidates/fast_mass.h); the rounding of each p adds 2^-24 to prefix and total.
//
// Tested by tests/chain/try_mirostat.cpp
#include "core/math/fp_env.h"

#include "core/chain/try_mirostat.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/candidates/fast_buckets.h"
#include "core/candidates/fast_edge.h"
#include "core/candidates/fast_row_scan.h"
#include "core/candidates/sort.h"
#include "core/math/expf.h"
#include "core/math/log2f.h"

namespace bankml {

namespace try_mirostat_detail {

constexpr double log2_e = 1.4426950408889634;
constexpr double normal_bits = 100;  // up to here p is a normal float
constexpr size_t few = 1024;

inline bool drawable(float maximum, float t) noexcept { return t > 0.0f && std::isfinite(maximum / t); }

// How many tokens version 2 keeps.
inline size_t cut_by_surprise(FastBuckets& buckets, float maximum, float sum, float mu) noexcept {
  const double limit = static_cast<double>(mu), log_sum = static_cast<double>(math::log2f(sum));
  const double doubt = 0x1p-20 * (3 + std::fabs(limit) + log_sum);
  const double top = static_cast<double>(maximum);
  // Tokens from `high` on stay, tokens below `low` do not.
  const double high = top + (log_sum + doubt - std::fmin(limit, normal_bits)) / log2_e;
  const double low = limit < normal_bits ? top + (log_sum - doubt - limit) / log2_e : -1e9;
  const int last = bucket_of(static_cast<float>(std::fmin(low, top)));
  const int first = bucket_of(static_cast<float>(std::fmin(high, top)));
  const float bound = std::nextafterf(static_cast<float>(high), std::numeric_limits<float>::infinity());
  if (buckets.row_reaches(bound)) return buckets.n();
  buckets.extend(std::min(static_cast<float>(low), maximum));
  for (int b = first; b >= last; --b) {
    if (buckets.all_reach(b, bound)) continue;
    buckets.sort(b);
    for (size_t i = buckets.begin(b); i < buckets.end(b); ++i) {
      if (-math::log2f(math::expf(buckets.logit(i) - maximum) / sum) > mu) {
        return std::max<size_t>(i, 1);
      }
    }
  }
  return std::max<size_t>(buckets.end(last), 1);
}

// `whole` is the float sum of the whole order.
template <class AnyMirostat>
bool draw(FastBuckets& buckets, size_t kept, float maximum, float whole, AnyMirostat& step, bool keep, Candidates& out) noexcept {
  if (kept <= few || keep) {
    buckets.extend_to(kept - 1);
    buckets.sort_first(kept);
    buckets.copy_first(kept, out);
    ErrorText error;
    return step.state().draw(step.name(), out, error) == Status::ok;
  }
  const float sum = kept == buckets.n() ? whole : buckets.exp_sum(kept, maximum);
  const double u = step.state().engine().uniform_double();
  for (const bool exact : {false, true}) {
    const FastBuckets::Weights weights{0, kept, 1.0f, maximum};
    const double total = buckets.mass(weights, exact);
    const double error = (exact ? 0.0 : simd::mass_error) + 0x1p-22 + static_cast<double>(kept) * 0x1p-51;
    size_t place = 0;
    if (!buckets.locate(weights, exact, u, total, error, place)) continue;
    step.state().settle(math::expf(buckets.logit(place) - maximum) / sum);
    out.work->random_outputs += 2;
    out.data[0] = {buckets.id(place), buckets.logit(place), 0.0f};
    out.size = 1;
    out.selected = 0;
    return true;
  }
  step.rewind();
  return false;
}

}  // namespace try_mirostat_detail

bool try_mirostat_v2(const Row& row, float t, MirostatV2& step, bool keep, Candidates& out, FastScratch& scratch) noexcept {
  using namespace try_mirostat_detail;
  const float mu = step.state().mu();
  if (!std::isfinite(mu) || !fast_apply_edits(row, scratch, *out.kernels) || !drawable(scratch.maximum, t)) return false;
  const float maximum = scratch.maximum / t;
  FastBuckets buckets;
  if (!buckets.fill(row, t, FastEdge(row, t, scratch, *out.kernels).of_sum(), scratch, out)) return false;
  const float sum = buckets.exp_sum(row.n, maximum);
  out.work->exps += row.n;
  return draw(buckets, cut_by_surprise(buckets, maximum, sum, mu), maximum, sum, step, keep, out);
}

bool try_mirostat(const Row& row, float t, Mirostat& step, bool keep, Candidates& out, FastScratch& scratch) noexcept {
  using namespace try_mirostat_detail;
  if (!fast_apply_edits(row, scratch, *out.kernels) || !drawable(scratch.maximum, t)) return false;
  const float maximum = scratch.maximum / t;
  FastBuckets buckets;
  if (step.m() > few || !buckets.fill(row, t, FastEdge(row, t, scratch, *out.kernels).of_sum(), scratch, out)) return false;
  const float sum = buckets.exp_sum(row.n, maximum);
  out.work->exps += row.n;

  const size_t seen = std::min(step.m(), row.n);
  buckets.extend_to(seen - 1);
  buckets.sort_first(seen);
  Candidate head[few];
  for (size_t i = 0; i < seen; ++i) head[i] = {buckets.id(i), buckets.logit(i), math::expf(buckets.logit(i) - maximum) / sum};
  Candidates whole = out;
  whole.data = head;
  whole.size = row.n;  // of which the estimate looks at the first m
  const size_t kept = step.cut(whole);
  return draw(buckets, kept, maximum, sum, step, keep, out);
}

}  // namespace bankml
