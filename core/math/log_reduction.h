// What the float logarithms share: x = 2^k * z with z in [0x1.66p-1, 0x1.66p0), the part of that interval that z lies in, and the
// inputs that have no logarithm.
//
// Tested by tests/math/one_argument.cpp
#pragma once

#include "core/math/fp_env.h"

#include <cstdint>
#include <limits>

#include "core/math/bits.h"
#include "core/math/tables/log_16.h"

namespace bankml::math {

inline bool is_positive_normal(uint32_t x_bits) noexcept { return x_bits - 0x00800000u < 0x7F000000u; }
inline bool is_positive_subnormal(uint32_t x_bits) noexcept { return x_bits - 1u < 0x007FFFFFu; }

// The bits of a positive subnormal as if its exponent had no lower bound.
inline uint32_t scaled_subnormal(float x) noexcept { return bits_of(x * 0x1p23f) - (23u << 23); }

// Logarithm of what is neither normal nor subnormal and positive.
inline float log_of_edge(float x) noexcept {
  if (x == 0.0f) return -std::numeric_limits<float>::infinity();
  if (x != x) return x + x;
  return x > 0.0f ? x : invalid_float();
}

struct LogReduction {
  double z;
  double k;
  const LogPart16& part;
};

inline LogReduction reduce_log(uint32_t x_bits) noexcept {
  const uint32_t offset = x_bits - 0x3F330000u;  // 0x1.66p-1 begins the interval
  const uint32_t z_bits = x_bits - (offset & 0xFF800000u);
  const int32_t k = static_cast<int32_t>(offset) >> 23;
  return {static_cast<double>(float_of(z_bits)), static_cast<double>(k), log_16[(offset >> 19) % 16]};
}

}  // namespace bankml::math
