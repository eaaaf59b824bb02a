// logf with the bits of glibc 2.36 on x86-64, on every CPU.
//
// Method (Szabolcs Nagy, ARM optimized-routines): x = 2^k * z with z in [0x1.66p-1, 0x1.66p0); a table gives 1/c and ln c for a c
// near z; ln x = k ln 2 + ln c + ln(1 + r), r = z/c - 1, the last by a cubic, all in double. With and without fused operations the
// float is the same for all inputs, so there is one path.
// Valid range: all floats. ±0 gives -inf, negative numbers the invalid NaN, +inf stays, NaN stays NaN; 1 gives +0.
//
// Tested by tests/math/one_argument.cpp
#pragma once

#include "core/math/fp_env.h"

#include <cstdint>
#include <limits>

#include "core/math/bits.h"
#include "core/math/log_reduction.h"

namespace bankml::math {

// The constants, for vector twins.
struct LogfConstants {
  static constexpr double ln2 = 0x1.62e42fefa39efp-1;
  static constexpr double a0 = -0x1.00ea348b88334p-2;
  static constexpr double a1 = 0x1.5575b0be00b6ap-2;
  static constexpr double a2 = -0x1.ffffef20a4123p-2;
};

inline float logf(float x) noexcept {
  using C = LogfConstants;
  uint32_t x_bits = bits_of(x);
  if (x_bits == 0x3F800000u) return 0.0f;
  if (!is_positive_normal(x_bits)) {
    if (!is_positive_subnormal(x_bits)) return log_of_edge(x);
    x_bits = scaled_subnormal(x);
  }
  const LogReduction reduced = reduce_log(x_bits);
  const double r = reduced.z * reduced.part.reciprocal - 1.0;
  const double y0 = reduced.k * C::ln2 + reduced.part.ln;
  const double r2 = r * r;
  const double y = C::a0 * r2 + (C::a1 * r + C::a2);
  return static_cast<float>(y * r2 + (y0 + r));
}

}  // namespace bankml::math
