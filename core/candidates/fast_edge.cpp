// A row's mass by buckets, estimated: see fast_edge.h.
//
// The few largest tokens weigh so much that a sample must not miss one, so they are gathered: those that reach what some hundred
// block maxima reach. Of the rest every 16th block is counted by buckets, and a bucket's tokens weigh what one in its middle would.
// For 150,000 tokens that leaves an error of one or two in a hundred, less than what one bucket more or less holds.
//
// Tested by tests/candidates/fast_edge.cpp
#include "core/math/fp_env.h"

#include "core/candidates/fast_edge.h"

#include <cmath>
#include <limits>

#include "core/candidates/fast_gather.h"
#include "core/candidates/fast_row_scan.h"
#include "core/candidates/sort.h"
#include "core/math/expf.h"

namespace bankml {

namespace fast_edge_detail {

constexpr size_t gathered = 128;
constexpr size_t stride = 16;
constexpr size_t least_row = FastScratch::small_row;  // what a sample costs must be little beside the row
constexpr double margin = 1.01;
constexpr float infinity = std::numeric_limits<float>::infinity();

}  // namespace fast_edge_detail

FastEdge::FastEdge(const Row& row, float t, FastScratch& scratch, const simd::Kernels& kernels) noexcept {
  using namespace fast_edge_detail;
  const float maximum = scratch.maximum / t;
  float bound = infinity;
  if (row.n < least_row || !fast_find_bound(row, gathered, scratch, kernels, bound)) return;
  const size_t count = fast_gather(row, bound, scratch, kernels);
  if (count > scratch.index.size()) return;
  for (size_t i = 0; i < count; ++i) {
    const float quotient = scratch.value[i] / t;
    mass_[bucket_of(quotient)] += static_cast<double>(math::expf(quotient - maximum));
  }
  const size_t block = FastScratch::block_of(row.n), blocks = simd::row_blocks(row.logits, row.n, block);
  uint32_t counts[2][ranks] = {};
  size_t seen = 0;
  for (size_t b = 1; b < blocks; b += stride) {
    const simd::BlockRange range = simd::row_block(row.logits, row.n, block, b);
    float copy[256], quotient[256];
    uint8_t place[256];
    const float* const logits = fast_view_block(row, range, copy, kernels);
    const size_t here = range.last - range.first;
    kernels.bucket_places(logits, here, t, quotient, place);
    seen += here;
    for (size_t i = 0; i < here; ++i) {
      if (logits[i] < bound) ++counts[i % 2][place[i]];
    }
  }
  const double scale = static_cast<double>(row.n) / static_cast<double>(seen);
  for (int b = 0; b < ranks; ++b) {
    const float middle = edge(b) + 0.5f / 6.4f;
    if (middle > maximum + 1.0f) break;
    mass_[b] += scale * (counts[0][b] + counts[1][b]) * static_cast<double>(math::expf(middle - maximum));
  }
}

float FastEdge::edge(int bucket) noexcept { return static_cast<float>(bucket - 64) / 6.4f; }

float FastEdge::of_sum() const noexcept {
  using namespace fast_edge_detail;
  double total = 0;
  for (const double mass : mass_) total += mass;
  if (!(total > 0)) return -infinity;
  const double binade = std::ldexp(1.0, std::ilogb(total));
  double above = 0;
  for (int b = ranks - 1; b > 1; --b) {
    above += mass_[b];
    if (above >= margin * binade) return edge(b - 1);
  }
  return -infinity;
}

float FastEdge::of_rest(double mass) const noexcept {
  using namespace fast_edge_detail;
  double below = 0;
  for (int b = 0; b < ranks; ++b) {
    below += mass_[b];
    if (below * margin >= mass) return b > 1 ? edge(b - 1) : -infinity;
  }
  return -infinity;
}

}  // namespace bankml
