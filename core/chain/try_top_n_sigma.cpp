// The cut of top_n_sigma from moments, then top_k: see try_top_n_sigma.h.
//
// The step compares logits with maximum - n * deviation, whose float sums depend on every addition. But only the tokens that it
// lets pass are wanted. One pass gives count, sum P and sum of squares Q in double; what the reference's sums may be off is
// bounded:
// * An addition of floats is off by at most 2^-24 of its result. Partial sums inside a block of c logits are at most
//   |P before| + sqrt(c * Q of the block), so c times that, summed over the blocks, bounds the error E of the sum, and
//   E / count + 2^-23 |mean| the error e of the mean.
// * The squared distances from the reference's mean sum to W = Q - P^2 / count, plus count * e^2 at most. Their running float sum
//   only grows, so c times its value at the end of each block bounds its rounding; each distance is off by 2^-24 itself. The sum of
//   those values is linear in the sums of P, Q and count at the ends of the blocks.
// * Rounding in double is at most count * 2^-52 of what is added.
// That gives two floats with the reference's cut between them. If no token lies there, either is the cut; else the reference's own
// sums are formed, in its order (signed_sum, squares_sum of core/simd).
// Source: Tang et al. (2024) for the step; the bounds are Wilkinson's forward analysis.
//
// Tested by tests/chain/try_top_n_sigma.cpp
#include "core/math/fp_env.h"

#include "core/chain/try_top_n_sigma.h"

#include <cmath>
#include <limits>

#include "core/candidates/fast_row_scan.h"
#include "core/candidates/fast_top_k.h"
#include "core/math/sqrtf.h"

namespace bankml {

namespace try_top_n_sigma_detail {

constexpr double eps = 0x1p-24 * (1 + 0x1p-12);  // of a float operation, and what second order terms add
constexpr double tiny = 0x1p-140;                // of a float operation that may be subnormal
constexpr double overflow = 0x1p120;             // below this no float on the way to the cut overflows

struct Cut {
  double low, high;
  double count;  // of the finite logits
};

struct Blocks {
  const Row& row;
  const simd::Kernels& kernels;
  size_t block = FastScratch::block_of(row.n);
  size_t count = simd::row_blocks(row.logits, row.n, block);

  simd::Moments moments(size_t b) const noexcept {
    const simd::BlockRange range = simd::row_block(row.logits, row.n, block, b);
    float copy[256];
    return kernels.moments(fast_view_block(row, range, copy, kernels), range.last - range.first);
  }
  // Calls add(floats, n) for each block.
  template <class Add>
  void each(Add add) const noexcept {
    for (size_t b = 0; b < count; ++b) {
      const simd::BlockRange range = simd::row_block(row.logits, row.n, block, b);
      float copy[256];
      add(fast_view_block(row, range, copy, kernels), range.last - range.first);
    }
  }
  // Whether a logit lies in [low, high).
  bool any_between(float low, float high, const FastScratch& scratch) const noexcept {
    for (size_t b = 0; b < count; ++b) {
      if (scratch.maxima[b] < low) continue;
      const simd::BlockRange range = simd::row_block(row.logits, row.n, block, b);
      const size_t length = range.last - range.first;
      float copy[256];
      const float* const floats = fast_view_block(row, range, copy, kernels);
      if (kernels.count_reaching(floats, length, low) != kernels.count_reaching(floats, length, high)) return true;
    }
    return false;
  }
};

// The reference's cut lies in [low, high]; false if it may overflow.
inline bool bound_cut(const Row& row, float n, float maximum, const simd::Kernels& kernels, Cut& cut) noexcept {
  const Blocks blocks{row, kernels};
  const double length = static_cast<double>(blocks.block);
  double sum = 0, squares = 0, count = 0, sum_error = 0;
  double sums = 0, all_squares = 0, counts = 0;  // of what they were at the end of each block
  for (size_t b = 0; b < blocks.count; ++b) {
    const simd::Moments m = blocks.moments(b);
    const double here = static_cast<double>(m.count);
    sum_error += eps * here * (std::fabs(sum) + sum_error + std::sqrt(here * m.squares) + tiny);
    sum += m.sum;
    squares += m.squares;
    count += here;
    sums += sum;
    all_squares += squares;
    counts += count;
  }
  if (!(squares < overflow)) return false;
  const double doubled = static_cast<double>(row.n) * 0x1p-52;  // of the sums in double
  sum_error += doubled * std::sqrt(count * squares);
  const double mean = sum / count;
  const double mean_error = (sum_error + 2 * eps * (std::fabs(sum) + sum_error)) / count + tiny;
  const double spread = squares - sum * mean;
  const double spread_error = 4 * doubled * squares + count * mean_error * mean_error;
  const double spreads = all_squares - 2 * mean * sums + mean * mean * counts;
  const double spreads_error = 4 * doubled * (all_squares + mean * mean * counts) + counts * mean_error * mean_error;
  const double growth = 1 + 2 * eps * static_cast<double>(row.n);  // the running sum's own errors are rounded too
  const double rounding = eps * length * growth * (spreads + spreads_error) + count * tiny;

  const double least = std::fmax(0.0, (spread - spread_error) * (1 - 4 * eps) - rounding);
  const double most = (spread + spread_error) * (1 + 4 * eps) + rounding;
  const double deviations = static_cast<double>(n);
  const double narrow = deviations * std::sqrt(least / count) * (1 - 8 * eps);
  const double wide = deviations * std::sqrt(most / count) * (1 + 8 * eps) + tiny;
  const double top = static_cast<double>(maximum);
  const double last = 2 * eps * (std::fabs(top) + wide) + tiny;
  cut = {top - wide - last, top - narrow + last, count};
  return cut.low > -overflow;
}

// The reference's cut, as core/steps/top_n_sigma.cpp computes it.
inline float exact_cut(const Row& row, float n, float maximum, float count, const simd::Kernels& kernels) noexcept {
  const Blocks blocks{row, kernels};
  float sum = 0.0f;
  blocks.each([&](const float* x, size_t length) { sum = kernels.signed_sum(x, length, sum); });
  const float mean = sum / count;
  float squares = 0.0f;
  blocks.each([&](const float* x, size_t length) { squares = kernels.squares_sum(x, length, mean, squares); });
  return maximum - n * math::sqrtf(squares / count);
}

}  // namespace try_top_n_sigma_detail

bool try_top_n_sigma(const Row& row, float n, size_t k, Candidates& out, FastScratch& scratch) noexcept {
  namespace detail = try_top_n_sigma_detail;
  const simd::Kernels& kernels = *out.kernels;
  if (row.n < 2 || row.n > 0x1000000 || !fast_apply_edits(row, scratch, kernels)) return false;
  detail::Cut cut{};
  if (!detail::bound_cut(row, n, scratch.maximum, kernels, cut)) return false;

  // No float lies between a double and its nearest float, so rounding neither adds nor loses a token.
  float low = static_cast<float>(cut.low);
  if (detail::Blocks{row, kernels}.any_between(low, static_cast<float>(cut.high), scratch)) {
    low = detail::exact_cut(row, n, scratch.maximum, static_cast<float>(cut.count), kernels);
  }
  return fast_top_k(row, k, out, scratch, low);
}

}  // namespace bankml
