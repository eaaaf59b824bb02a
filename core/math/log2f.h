// log2f with the bits of glibc 2.36 on x86-64, on every CPU.
//
// Method (Szabolcs Nagy, ARM optimized-routines): as logf.h with log2 c from the table and a quartic for log2(1 + r). With and
// without fused operations the float is the same for all inputs, so there is one path.
// Valid range: all floats. ±0 gives -inf, negative numbers the invalid NaN, +inf stays, NaN stays NaN; 1 gives +0.
//
// Tested by tests/math/one_argument.cpp
#pragma once

#include "core/math/fp_env.h"

#include <cstdint>

#include "core/math/bits.h"
#include "core/math/log_reduction.h"

namespace bankml::math {

// The constants, for vector twins.
struct Log2fConstants {
  static constexpr double a0 = -0x1.712b6f70a7e4dp-2;
  static constexpr double a1 = 0x1.ecabf496832e0p-2;
  static constexpr double a2 = -0x1.715479ffae3dep-1;
  static constexpr double a3 = 0x1.715475f35c8b8p+0;
};

inline float log2f(float x) noexcept {
  using C = Log2fConstants;
  uint32_t x_bits = bits_of(x);
  if (x_bits == 0x3F800000u) return 0.0f;
  if (!is_positive_normal(x_bits)) {
    if (!is_positive_subnormal(x_bits)) return log_of_edge(x);
    x_bits = scaled_subnormal(x);
  }
  const LogReduction reduced = reduce_log(x_bits);
  const double r = reduced.z * reduced.part.reciprocal - 1.0;
  const double y0 = reduced.k + reduced.part.log2;
  const double r2 = r * r;
  const double y = C::a0 * r2 + (C::a1 * r + C::a2);
  return static_cast<float>(y * r2 + (C::a3 * r + y0));
}

}  // namespace bankml::math
