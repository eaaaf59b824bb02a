// expf with the bits of glibc 2.36 on an x86-64 CPU with FMA, on every CPU.
//
// Method (Szabolcs Nagy, ARM optimized-routines): x * 32 / ln 2 = k + r in double, k the nearest integer; e^x = 2^(k/32) *
// 2^(r/32), the first factor from a table, the second a cubic in r. The double result carries some 2^-33 relative error, so that
// the float rounding is right for nearly all inputs and the bits depend on the last double operations for a few.
// Why no fused operation: the reference contracts five of these operations. Doing each in two steps changes the double, but over
// all 2^32 inputs it changes the float for two, which are set by hand. One path for every CPU is then exact, and an fma is a slow
// call where the CPU lacks it.
// Valid range: all floats. Overflow gives +inf, underflow rounds to a subnormal or 0, NaN stays NaN.
//
// Tested by tests/math/one_argument.cpp
#pragma once

#include "core/math/fp_env.h"

#include <cstdint>
#include <limits>

#include "core/math/bits.h"
#include "core/math/tables/exp2_32.h"

namespace bankml::math {

// The constants, for vector twins.
struct ExpfConstants {
  static constexpr float overflow_above = 0x1.62e42ep6f;
  static constexpr float underflow_below = -0x1.9fe368p6f;
  static constexpr double inverse_ln2_32 = 0x1.71547652b82fep+5;  // 32 / ln 2
  static constexpr double shift = 0x1.8p52;                       // x + shift has ulp 1, so the addition rounds to an integer
  static constexpr double c0 = 0x1.c6af84b912394p-20;
  static constexpr double c1 = 0x1.ebfce50fac4f3p-13;
  static constexpr double c2 = 0x1.62e42ff0c52d6p-6;
  // The two inputs whose float changes without fma, and their results.
  static constexpr uint32_t patched_input[2] = {0x4202422fu, 0xc27c65d9u};  // 0x1.04845ep+5, -0x1.f8cbb2p+5
  static constexpr uint32_t patched_result[2] = {0x56fc9f1cu, 0x11fa2993u};
};

inline float expf(float x) noexcept {
  using C = ExpfConstants;
  const uint32_t x_bits = bits_of(x);
  if ((x_bits & 0x7FFFFFFFu) >= 0x42B00000u) {  // |x| >= 88, inf or NaN
    if (x != x) return x + x;
    if (x > C::overflow_above) return std::numeric_limits<float>::infinity();
    if (x < C::underflow_below) return 0.0f;
  }
  const double z = C::inverse_ln2_32 * static_cast<double>(x);
  const double shifted = z + C::shift;
  const uint64_t k = bits_of(shifted);
  const double r = z - (shifted - C::shift);
  const double scale = double_of(exp2_32[k % 32] + (k << 47));
  const double high = C::c0 * r + C::c1;
  const double low = C::c2 * r + 1.0;
  const float y = static_cast<float>((high * (r * r) + low) * scale);
  if (x_bits == C::patched_input[0]) return float_of(C::patched_result[0]);
  if (x_bits == C::patched_input[1]) return float_of(C::patched_result[1]);
  return y;
}

}  // namespace bankml::math
