// top_k (k > 128) on a row: see fast_bucket_top_k.h.
//
// The reference sorts whole buckets from the top until they hold k tokens; tokens of lower buckets never matter. A bound that k
// tokens reach, lowered to the edge of its bucket, therefore leaves every token that the sort will look at. If the k best are
// distinct their order is unique and ranks give it; otherwise the bucket sort itself runs over the gathered tokens, which stand in
// id order as in the full set.
//
// Tested by tests/candidates/fast_bucket_top_k.cpp
#include "core/math/fp_env.h"

#include "core/candidates/fast_bucket_top_k.h"

#include <algorithm>

#include "core/candidates/bucket_edge.h"
#include "core/candidates/fast_gather.h"
#include "core/candidates/fast_row_scan.h"
#include "core/candidates/sort.h"
#include "core/math/expf.h"
#include "core/simd/kernels.h"

namespace bankml {

namespace fast_bucket_detail {

// Ranking costs count^2 comparisons, some 16 at a time; from here on sorting is cheaper.
constexpr size_t rank_limit = 1024;
// bucket_of grows with the logit up to 2^31 / 6.4 only.
constexpr float exact_limit = 3.2e8f;

// How many block maxima a bound should be reached by, so that about k tokens reach it: tokens fall into blocks by chance, and a
// block is missed by all of them with probability exp(-k / blocks). 0 where that is too uncertain to be worthwhile.
inline size_t blocks_wanted(size_t k, size_t blocks) noexcept {
  const float missed = math::expf(-1.1f * static_cast<float>(k) / static_cast<float>(blocks));
  return missed < 0.02f ? 0 : static_cast<size_t>(static_cast<float>(blocks) * (1 - missed));
}

}  // namespace fast_bucket_detail

bool fast_bucket_top_k(const Row& row, size_t k, Candidates& out, FastScratch& scratch) noexcept {
  namespace detail = fast_bucket_detail;
  const simd::Kernels& kernels = *out.kernels;
  if (!fast_apply_edits(row, scratch, kernels) || !(scratch.maximum < detail::exact_limit)) return false;
  k = std::min(k, row.n);
  const size_t capacity = std::min(scratch.index.size(), out.capacity);
  const size_t wanted = detail::blocks_wanted(k, simd::row_blocks(row.logits, row.n, FastScratch::block_of(row.n)));
  float bound = 0;
  if ((wanted == 0 || !fast_find_bound(row, wanted, scratch, kernels, bound)) &&
      !fast_find_small_bound(row, k, scratch, kernels, bound))
    return false;
  // Where the guess left fewer than k tokens, go on bucket by bucket.
  size_t count = fast_gather(row, bound, scratch, kernels);
  int bucket = bucket_of(bound);
  bool at_edge = false;
  for (; count < k; count = fast_gather(row, bucket_edge(bucket), scratch, kernels)) {
    if (at_edge) --bucket;
    if (bucket < 1) return false;
    at_edge = true;
  }
  if (count > capacity) return false;
  if (count > detail::rank_limit || !fast_place_distinct(count, k, scratch, kernels, out.data)) {
    if (bucket < 1) return false;
    if (!at_edge) count = fast_gather(row, bucket_edge(bucket), scratch, kernels);
    if (count > capacity) return false;
    for (size_t i = 0; i < count; ++i) out.scratch[i] = {scratch.index[i], scratch.value[i], 0.0f};
    bucket_sort(out.scratch, count, k, out.data, kernels);
  }
  count_sort(out, k);
  out.size = k;
  out.sorted = true;
  out.selected = Candidates::no_selection;
  return true;
}

}  // namespace bankml
