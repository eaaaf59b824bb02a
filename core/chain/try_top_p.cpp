// top_p over lazy buckets: see try_top_p.h.
//
// The denominator is a float sum in id order (the exp_sum kernel). The running sum of p follows the sorted order: a bucket is added
// as a whole, unsorted, where its additions do not depend on their order; only the bucket in which the sum reaches p has to be
// walked, and sums of terms that are not negative only grow, so it is the first after which the sum is large enough. Quirk of the
// step: of more than 1,024 tokens the first 256 come from a sort that orders equal logits of its last bucket in another way. Where
// the kept tokens end there and two of them, or the last and the first dropped, are equal, the plain step runs. The denominator is
// known first, so what the dropped tokens weigh is too: a sample (core/candidates/fast_edge.h) says where the head may end.
//
// Tested by tests/chain/try_top_p.cpp
#include "core/math/fp_env.h"

#include "core/chain/try_top_p.h"

#include <algorithm>
#include <limits>

#include "core/candidates/fast_buckets.h"
#include "core/candidates/fast_edge.h"
#include "core/candidates/fast_row_scan.h"
#include "core/chain/try_xtc.h"

namespace bankml {

namespace try_top_p_detail {

constexpr size_t probe = 256;
constexpr size_t probed_above = 1024;
constexpr size_t few = 1024;

inline float denominator(const Row& row, float maximum, const simd::Kernels& kernels) noexcept {
  if (row.mask == nullptr && (row.edits == nullptr || row.edits->size() == 0)) {
    return kernels.exp_sum(row.logits, row.n, maximum, 0.0f);
  }
  const size_t block = FastScratch::block_of(row.n), blocks = simd::row_blocks(row.logits, row.n, block);
  float sum = 0.0f;
  for (size_t b = 0; b < blocks; ++b) {
    const simd::BlockRange range = simd::row_block(row.logits, row.n, block, b);
    float copy[256];
    sum = kernels.exp_sum(fast_view_block(row, range, copy, kernels), range.last - range.first, maximum, sum);
  }
  return sum;
}

// How many tokens stay; false if the sum ends before, or ties of the probe matter.
inline bool count_kept(FastBuckets& buckets, const TopP& step, float maximum, float divisor, size_t& kept) noexcept {
  float sum = 0.0f;
  for (int b = 127; b >= 0; --b) {
    const float whole = buckets.add_p(b, maximum, divisor, sum);
    if (!(whole >= step.p()) || buckets.end(b) < step.min_keep()) {
      sum = whole;
      continue;
    }
    buckets.sort(b);
    float p[256];
    for (size_t i = buckets.begin(b); i < buckets.end(b); ++i) {
      const size_t at = (i - buckets.begin(b)) % 256;
      if (at == 0) buckets.exps(i, std::min<size_t>(256, buckets.end(b) - i), maximum, p);
      sum += p[at] / divisor;
      if (!(sum >= step.p() && i + 1 >= step.min_keep())) continue;
      kept = i + 1;
      if (buckets.n() <= probed_above || kept > probe) return true;
      for (size_t j = buckets.begin(b); j < kept && j + 1 < buckets.end(b); ++j) {
        if (buckets.logit(j) == buckets.logit(j + 1)) return buckets.end(b) < probe;  // then b is sorted in full there too
      }
      return true;
    }
  }
  return false;
}

}  // namespace try_top_p_detail

bool try_top_p(const Row& row, const TopP& step, float t, Dist* dist, Candidates& out, FastScratch& scratch, bool& drawn) noexcept {
  using namespace try_top_p_detail;
  if (!fast_apply_edits(row, scratch, *out.kernels)) return false;
  const float maximum = scratch.maximum;
  const float divisor = denominator(row, maximum, *out.kernels);
  const FastEdge edge(row, 1.0f, scratch, *out.kernels);
  FastBuckets buckets;
  const double rest = (1.0 - static_cast<double>(step.p())) * static_cast<double>(divisor);
  if (!buckets.fill(row, 1.0f, edge.of_rest(rest), scratch, out)) return false;
  size_t kept = 0;
  bool found = count_kept(buckets, step, maximum, divisor, kept);
  while (!found && buckets.laid_out() < row.n) {
    buckets.extend_to(buckets.laid_out());
    found = count_kept(buckets, step, maximum, divisor, kept);
  }
  if (!found) return false;
  out.work->exps += row.n + kept;
  drawn = dist != nullptr && kept > few && draw_places(buckets, 0, kept, t, *dist, out);
  if (drawn) return true;
  buckets.sort_first(kept);
  buckets.copy_first(kept, out);
  out.kernels->exp_shift(&out.data->logit, &out.data->p, sizeof(Candidate) / sizeof(float), kept, maximum);
  for (size_t i = 0; i < kept; ++i) out.data[i].p /= divisor;
  return true;
}

}  // namespace bankml
