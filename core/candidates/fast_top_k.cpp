// top_k (k <= 128) on a row: see fast_top_k.h.
//
// The reference fills an array with every token and runs partial_sort over it. Two ways to the same k records:
// (a) Gather the few tokens above a bound and rank them (fast_gather). Distinct keys have one order, so this is the answer.
// (b) With equal keys the order depends on every move that the heap made, so the heap is run: made from the first k tokens, then
// fed, in id
//     order, with exactly those tokens that are above its root. Blocks whose maximum is not above it are skipped; in the others
//     vectors find the hits against the root as it was when the block began, and each hit is compared again with the root as it is.
//     Only a hit can change the heap, so it goes through the reference's states. Logits of quantised or bf16 models come here.
// A cut from below makes its victims equal, so (a) answers only if k tokens reach it, and in (b) none below it is a hit.
// k = 1 needs neither: the heap of one ends as the first of the greatest.
//
// Tested by tests/candidates/fast_top_k.cpp
#include "core/math/fp_env.h"

#include "core/candidates/fast_top_k.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "core/candidates/fast_gather.h"
#include "core/candidates/fast_row_scan.h"
#include "core/candidates/sort.h"
#include "core/order/heap.h"
#include "core/simd/kernels.h"

namespace bankml {

namespace fast_top_k_detail {

struct Entry {
  float logit;
  int32_t id;
};

struct LargerEntry {
  bool operator()(const Entry& a, const Entry& b) const noexcept { return a.logit > b.logit; }
};

// order::adjust_heap(heap, 0, k, entry) for floats without NaN, move for move. The child is chosen by arithmetic: which of two
// children is greater cannot be predicted, and most of the time of the heap went into such branches.
inline void replace_root(Entry* heap, size_t k, Entry entry) noexcept {
  size_t hole = 0;
  while (2 * hole + 2 < k) {
    size_t child = 2 * hole + 2;
    child -= static_cast<size_t>(heap[child].logit > heap[child - 1].logit);
    heap[hole] = heap[child];
    hole = child;
  }
  if (2 * hole + 2 == k) {  // a last inner node with a left child only
    heap[hole] = heap[k - 1];
    hole = k - 1;
  }
  while (hole > 0) {
    const size_t parent = (hole - 1) / 2;
    if (!(heap[parent].logit > entry.logit)) break;
    heap[hole] = heap[parent];
    hole = parent;
  }
  heap[hole] = entry;
}

struct View {
  const Row& row;
  FastScratch& scratch;
  const simd::Kernels& kernels;
  float cut;
  float below_cut = std::nextafterf(cut, -std::numeric_limits<float>::infinity());
  size_t block = FastScratch::block_of(row.n);
  size_t blocks = simd::row_blocks(row.logits, row.n, block);

  simd::BlockRange range(size_t b) const noexcept { return simd::row_block(row.logits, row.n, block, b); }
  const float* floats(simd::BlockRange r, float* copy) const noexcept { return fast_view_block(row, r, copy, kernels); }
  // What a logit must be above to enter the heap.
  float threshold(const Entry* heap) const noexcept { return std::max(heap[0].logit, below_cut); }
};

inline void take_greatest(const View& view, Candidate* out) noexcept {
  const float* const maxima = view.scratch.maxima.data();
  const simd::BlockRange range = view.range(view.kernels.find_equal(maxima, view.blocks, view.scratch.maximum));
  float copy[256];
  const float* const floats = view.floats(range, copy);
  const size_t at = view.kernels.find_equal(floats, range.last - range.first, view.scratch.maximum);
  out[0] = {static_cast<int32_t>(range.first + at), floats[at], 0.0f};
}

// Feeds the heap with the tokens of one block, ids from `from` on.
inline void feed_block(const View& view, size_t b, size_t from, Entry* heap, size_t k) noexcept {
  const simd::BlockRange range = view.range(b);
  if (range.last <= from) return;
  float copy[256];
  const float* const floats = view.floats(range, copy);
  uint64_t hits[4];
  view.kernels.hits_above(floats, range.last - range.first, view.threshold(heap), hits);
  for (size_t u = 0; u < 4; ++u) {
    for (uint64_t left = hits[u]; left != 0; left &= left - 1) {
      const size_t at = u * 64 + static_cast<size_t>(std::countr_zero(left));
      if (range.first + at < from || !(floats[at] > view.threshold(heap))) continue;
      replace_root(heap, k, {floats[at], static_cast<int32_t>(range.first + at)});
    }
  }
}

// partial_sort of all tokens; k <= n.
inline void run_heap(const View& view, size_t k, Candidate* out) noexcept {
  Entry heap[FastScratch::heap_k];
  size_t filled = 0;
  size_t b = 0;
  for (; filled < k; ++b) {
    float copy[256];
    const simd::BlockRange range = view.range(b);
    const float* const floats = view.floats(range, copy);
    for (size_t id = range.first; id < range.last && filled < k; ++id, ++filled) {
      const float logit = floats[id - range.first];
      heap[filled] = {logit < view.cut ? -std::numeric_limits<float>::infinity() : logit, static_cast<int32_t>(id)};
    }
  }
  order::make_heap(heap, heap + k, LargerEntry{});
  const float* const maxima = view.scratch.maxima.data();
  for (--b; b < view.blocks; b += 256) {  // the block that filled the heap may hold more
    uint64_t hits[4];
    view.kernels.hits_above(maxima + b, std::min<size_t>(view.blocks - b, 256), view.threshold(heap), hits);
    for (size_t u = 0; u < 4; ++u) {
      for (uint64_t left = hits[u]; left != 0; left &= left - 1) {
        const size_t at = b + u * 64 + static_cast<size_t>(std::countr_zero(left));
        if (maxima[at] > view.threshold(heap)) feed_block(view, at, k, heap, k);
      }
    }
  }
  order::sort_heap(heap, heap + k, LargerEntry{});
  for (size_t i = 0; i < k; ++i) out[i] = {heap[i].id, heap[i].logit, 0.0f};
}

}  // namespace fast_top_k_detail

bool fast_top_k(const Row& row, size_t k, Candidates& out, FastScratch& scratch, float cut) noexcept {
  namespace detail = fast_top_k_detail;
  const simd::Kernels& kernels = *out.kernels;
  if (!fast_apply_edits(row, scratch, kernels)) return false;
  k = std::min(k, row.n);
  const detail::View view{row, scratch, kernels, cut};
  float bound = 0;
  size_t count = 0;
  if (k == 1) {
    detail::take_greatest(view, out.data);
  } else if ((!fast_find_bound(row, k, scratch, kernels, bound) && !fast_find_small_bound(row, k, scratch, kernels, bound)) ||
             (count = fast_gather(row, std::max(bound, cut), scratch, kernels)) > scratch.index.size() || count < k ||
             !fast_place_distinct(count, k, scratch, kernels, out.data)) {
    detail::run_heap(view, k, out.data);
  }
  count_sort(out, k);
  out.size = k;
  out.sorted = true;
  out.selected = Candidates::no_selection;
  return true;
}

}  // namespace bankml
