// Block masses and the place of a draw: see fast_mass.h.
//
// The reference forms S, the double sum of all weights in id order, and selects the first token whose running sum P is at least
// S * u. Let masses be known to within e, relatively; then T = total * u is within e of S * u, and the prefix in front of a block
// is within e of P there; inside the block the weights themselves are added. A token is certain if its P lies above T, and that of
// its predecessor below, by more than both errors. Rounding of n double additions, here and there, is part of e. With e = 2^-20
// most draws are certain; if not, masses from the exact weights leave n * 2^-52. Weights below e^-87 (-inf among them) may be
// counted as that much: `least` allows for 2^31 of them.
//
// Tested by tests/candidates/fast_mass.cpp
#include "core/math/fp_env.h"

#include "core/candidates/fast_mass.h"

#include <algorithm>

#include "core/candidates/fast_row_scan.h"

namespace bankml {

namespace fast_mass_detail {

constexpr size_t largest_block = 256;
constexpr double least = 0x1p-90;
constexpr float negligible = -87.0f;

// The weights of one block.
inline void block_weights(const RowWeights& weights, simd::BlockRange range, const simd::Kernels& kernels, float* out) noexcept {
  float copy[largest_block];
  const float* const logits = fast_view_block(weights.row, range, copy, kernels);
  const size_t n = range.last - range.first;
  for (size_t i = 0; i < n; ++i) out[i] = logits[i] / weights.t;
  kernels.exp_shift(out, out, 1, n, weights.shift);
}

inline double exact_mass(const RowWeights& weights, simd::BlockRange range, const simd::Kernels& kernels) noexcept {
  float w[largest_block] = {};
  block_weights(weights, range, kernels, w);
  double lanes[4] = {};
  for (size_t i = 0; i < largest_block; i += 4) {
    for (size_t lane = 0; lane < 4; ++lane) lanes[lane] += static_cast<double>(w[i + lane]);
  }
  return (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]);
}

}  // namespace fast_mass_detail

double fast_masses(const RowWeights& weights, bool exact, FastScratch& scratch, const simd::Kernels& kernels,
                   double& error) noexcept {
  namespace detail = fast_mass_detail;
  const Row& row = weights.row;
  const size_t block = FastScratch::block_of(row.n), blocks = simd::row_blocks(row.logits, row.n, block);
  double total = 0;
  for (size_t b = 0; b < blocks; ++b) {
    double mass = 0;
    if (scratch.maxima[b] / weights.t - weights.shift > detail::negligible) {
      const simd::BlockRange range = simd::row_block(row.logits, row.n, block, b);
      if (exact) {
        mass = detail::exact_mass(weights, range, kernels);
      } else {
        float copy[detail::largest_block];
        mass = static_cast<double>(
            kernels.exp_mass(fast_view_block(row, range, copy, kernels), range.last - range.first, weights.t, weights.shift));
      }
    }
    scratch.mass[b] = mass;
    total += mass;
  }
  error = (exact ? 0.0 : simd::mass_error) + static_cast<double>(row.n) * 0x1p-52;
  return total;
}

bool fast_locate(const RowWeights& weights, double u, double total, double error, const FastScratch& scratch,
                 const simd::Kernels& kernels, size_t& token) noexcept {
  namespace detail = fast_mass_detail;
  const Row& row = weights.row;
  const size_t block = FastScratch::block_of(row.n), blocks = simd::row_blocks(row.logits, row.n, block);
  const double target = total * u;
  double before = 0;
  size_t b = 0;
  while (b < blocks && before + scratch.mass[b] < target) before += scratch.mass[b++];
  if (b == blocks) return false;

  const simd::BlockRange range = simd::row_block(row.logits, row.n, block, b);
  float w[detail::largest_block];
  detail::block_weights(weights, range, kernels, w);
  double reached = before;
  double last = before;
  size_t i = range.first;
  for (; i < range.last; ++i) {
    last = reached;
    reached += static_cast<double>(w[i - range.first]);
    if (reached >= target) break;
  }
  const double doubt = error * (reached + target) + detail::least;
  if (i == range.last || reached - target <= doubt || (i > 0 && target - last <= doubt)) return false;
  token = i;
  return true;
}

}  // namespace bankml
