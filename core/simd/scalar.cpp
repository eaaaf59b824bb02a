// The scalar kernels: the definition of each, and what runs on a CPU without a twin.
//
// Tested by tests/simd/kernels.cpp, tests/simd/exp_shift.cpp
#include "core/math/fp_env.h"

#include <cstddef>
#include <cstdint>
#include <limits>

#include "core/math/bits.h"
#include "core/math/expf.h"
#include "core/math/logf.h"
#include "core/simd/kernels.h"
#include "core/simd/levels.h"

namespace bankml::simd::scalar {

constexpr float lowest = -std::numeric_limits<float>::infinity();

inline bool allowed(const uint32_t* mask, size_t i) noexcept { return mask == nullptr || (mask[i / 32] >> i % 32 & 1u) != 0; }

static void exp_shift(const float* in, float* out, size_t stride, size_t n, float shift) noexcept {
  for (size_t i = 0; i < n; ++i) out[i * stride] = math::expf(in[i * stride] - shift);
}

// The greatest of x[0..n). Eight maxima side by side: one chain of comparisons would wait for itself at every element.
inline float greatest(const float* x, size_t n) noexcept {
  float best[8];
  for (float& lane : best) lane = lowest;
  size_t i = 0;
  for (; i + 8 <= n; i += 8) {
    for (size_t j = 0; j < 8; ++j) best[j] = x[i + j] > best[j] ? x[i + j] : best[j];
  }
  for (; i < n; ++i) best[0] = x[i] > best[0] ? x[i] : best[0];
  for (size_t j = 1; j < 8; ++j) best[0] = best[j] > best[0] ? best[j] : best[0];
  return best[0];
}

static float maximum(const float* x, size_t n) noexcept { return greatest(x, n); }

// Chosen by bits, not by a branch: a mask's bits cannot be predicted.
static void copy_allowed(const float* x, size_t first, size_t last, const uint32_t* mask, float* out) noexcept {
  const uint32_t forbidden = math::bits_of(lowest);
  for (size_t i = first; i < last; ++i) {
    const uint32_t keep = 0u - static_cast<uint32_t>(allowed(mask, i));
    out[i - first] = math::float_of((math::bits_of(x[i]) & keep) | (forbidden & ~keep));
  }
}

static bool block_maxima(const float* x, size_t n, const uint32_t* mask, size_t block, float* maxima) noexcept {
  uint32_t nans = 0;
  for (size_t b = 0; b < row_blocks(x, n, block); ++b) {
    const BlockRange range = row_block(x, n, block, b);
    const size_t length = range.last - range.first;
    float copy[256];
    const float* values = x + range.first;
    if (mask != nullptr) {
      copy_allowed(x, range.first, range.last, mask, copy);
      values = copy;
    }
    maxima[b] = greatest(values, length);
    for (size_t i = 0; i < length; ++i) nans |= static_cast<uint32_t>(values[i] != values[i]);
  }
  return nans == 0;
}

static size_t count_reaching(const float* x, size_t n, float bound) noexcept {
  size_t count = 0;
  for (size_t i = 0; i < n; ++i) count += x[i] >= bound;
  return count;
}

static size_t collect_reaching(const float* x, size_t n, const uint32_t* mask, size_t block, const float* maxima, float bound,
                               int32_t* index, float* value, size_t capacity) noexcept {
  size_t count = 0;
  for (size_t b = 0; b < row_blocks(x, n, block); ++b) {
    if (!(maxima[b] >= bound)) continue;
    const BlockRange range = row_block(x, n, block, b);
    for (size_t i = range.first; i < range.last; ++i) {
      if (!(x[i] >= bound) || !allowed(mask, i)) continue;
      if (count == capacity) return capacity + 1;
      index[count] = static_cast<int32_t>(i);
      value[count] = x[i];
      ++count;
    }
  }
  return count;
}

static void hits_above(const float* x, size_t n, float bound, uint64_t hits[4]) noexcept {
  for (size_t u = 0; u < 4; ++u) hits[u] = 0;
  for (size_t i = 0; i < n; ++i) hits[i / 64] |= static_cast<uint64_t>(x[i] > bound) << i % 64;
}

static size_t find_equal(const float* x, size_t n, float value) noexcept {
  size_t i = 0;
  while (i < n && x[i] != value) ++i;
  return i;
}

static void rank(const float* x, size_t n, uint32_t* ranks) noexcept {
  for (size_t i = 0; i < n; ++i) {
    uint32_t above = 0;
    for (size_t j = 0; j < n; ++j) above += x[j] > x[i];
    ranks[i] = above;
  }
}

static float sum(const float* x, size_t n, float start) noexcept {
  for (size_t i = 0; i < n; ++i) start += x[i];
  return start;
}

static float exp_sum(const float* x, size_t n, float shift, float start) noexcept {
  for (size_t i = 0; i < n; ++i) start += math::expf(x[i] - shift);
  return start;
}

// One order is no proof.
static bool sum_any_order(const float*, size_t, float&) noexcept { return false; }
static bool exp_sum_any_order(const float*, size_t, float, float&) noexcept { return false; }

static void bucket_places(const float* x, size_t n, float divisor, float* quotient, uint8_t* place) noexcept {
  for (size_t i = 0; i < n; ++i) {
    quotient[i] = x[i] / divisor;
    const float p = 6.4f * quotient[i] + 64.0f;
    place[i] = p >= 0.0f ? p < 127.0f ? static_cast<uint8_t>(p) : 127 : 0;
  }
}

static size_t quotients_between(const float* x, size_t n, float divisor, float low, float high, int32_t first, float* quotient,
                                int32_t* index) noexcept {
  size_t count = 0;
  for (size_t i = 0; i < n; ++i) {
    const float q = x[i] / divisor;
    quotient[count] = q;
    index[count] = first + static_cast<int32_t>(i);
    count += static_cast<size_t>(q >= low && q < high);
  }
  return count;
}

static void quotients_below(const float* x, size_t n, float divisor, float bound, float* out) noexcept {
  for (size_t i = 0; i < n; ++i) {
    const float q = x[i] / divisor;
    out[i] = q < bound ? q : lowest;
  }
}

static float exp_mass(const float* x, size_t n, float divisor, float shift) noexcept {
  double total = 0;
  for (size_t i = 0; i < n; ++i) total += static_cast<double>(math::expf(x[i] / divisor - shift));
  return static_cast<float>(total);
}

static Moments moments(const float* x, size_t n) noexcept {
  Moments m{0, 0, 0};
  for (size_t i = 0; i < n; ++i) {
    if (!(x[i] > lowest)) continue;
    const double v = static_cast<double>(x[i]);
    m.sum += v;
    m.squares += v * v;
    ++m.count;
  }
  return m;
}

static void log(const float* x, float* out, size_t n) noexcept {
  for (size_t i = 0; i < n; ++i) out[i] = math::logf(x[i]);
}

static bool exp_sum_below(const float*, size_t, float, float, float&) noexcept { return false; }
static bool entropy_below(const float*, size_t, float, float, float, float&) noexcept { return false; }

static float signed_sum(const float* x, size_t n, float start) noexcept {
  for (size_t i = 0; i < n; ++i) {
    if (x[i] > lowest) start += x[i];
  }
  return start;
}

static float squares_sum(const float* x, size_t n, float mean, float start) noexcept {
  for (size_t i = 0; i < n; ++i) {
    if (!(x[i] > lowest)) continue;
    const double distance = static_cast<double>(x[i] - mean);
    start = static_cast<float>(static_cast<double>(start) + distance * distance);
  }
  return start;
}

}  // namespace bankml::simd::scalar

namespace bankml::simd {

const Kernels scalar_kernels = {Level::scalar,
                                "scalar",
                                scalar::exp_shift,
                                scalar::maximum,
                                scalar::block_maxima,
                                scalar::count_reaching,
                                scalar::collect_reaching,
                                scalar::copy_allowed,
                                scalar::hits_above,
                                scalar::find_equal,
                                scalar::rank,
                                scalar::sum,
                                scalar::exp_sum,
                                scalar::sum_any_order,
                                scalar::exp_sum_any_order,
                                scalar::exp_mass,
                                scalar::moments,
                                scalar::bucket_places,
                                scalar::log,
                                scalar::exp_sum_below,
                                scalar::entropy_below,
                                scalar::signed_sum,
                                scalar::squares_sum,
                                scalar::quotients_between,
                                scalar::quotients_below};

}  // namespace bankml::simd
