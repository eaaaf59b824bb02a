// The exponential that exp and pow share, over a policy for the fused multiply-add.
//
// Method (Szabolcs Nagy, ARM optimized-routines): x * 128 / ln 2 = k + r * 128 / ln 2, k the nearest integer and r formed with ln 2
// in two parts; e^x = 2^(k/128) * e^r, the first factor from a table as head * (1 + tail), e^r by a quintic. Results outside the
// normal range are scaled in two steps, and a subnormal is rounded once: its lower half is folded in before the scaling.
// The operations written as Fma::fma are those that the reference's compiler contracted; its other products stand alone. Plain
// operations would change the last bit of one result in 2,000, so there is no shortcut as for expf.
// Range of the fused operands (for SoftwareFma): outside the exits for tiny and huge x, 2^-54 <= |x| < 1024, |r| < 2^-8; r is 0 or
// above 2^-115, the scale is within 2^±744; products and their error terms stay far inside the doubles.
//
// Tested by tests/math/exp.cpp
#pragma once

#include "core/math/fp_env.h"

#include <cstdint>
#include <limits>

#include "core/math/bits.h"
#include "core/math/fma.h"
#include "core/math/tables/exp2_128.h"

namespace bankml::math {

struct ExpConstants {
  static constexpr double inverse_ln2_128 = 0x1.71547652b82fep+7;  // 128 / ln 2
  static constexpr double minus_ln2_128_high = -0x1.62e42fefap-8;
  static constexpr double minus_ln2_128_low = -0x1.cf79abc9e3b3ap-47;
  static constexpr double shift = 0x1.8p52;  // x + shift has ulp 1, so the addition rounds to an integer
  static constexpr double c2 = 0x1.ffffffffffdbdp-2;
  static constexpr double c3 = 0x1.555555555543cp-3;
  static constexpr double c4 = 0x1.55555cf172b91p-5;
  static constexpr double c5 = 0x1.1111167a4d017p-7;
};

// scale + scale * t where the result may leave the normal range. `scale_bits` has the exponent wrapped; k >= 0 tells a large one.
template <class Fma>
__attribute__((always_inline)) inline double scale_outside_normal(double t, uint64_t scale_bits, bool large) noexcept {
  if (large) {
    const double scale = double_of(scale_bits - (uint64_t{1009} << 52));
    return 0x1p1009 * Fma::fma(scale, t, scale);
  }
  const double scale = double_of(scale_bits + (uint64_t{1022} << 52));  // negative for pow of a negative base
  const double term = scale * t;
  double y = scale + term;
  if (y < 1.0 && y > -1.0) {
    // The result is subnormal: round y to a multiple of 2^-52, its last place after the scaling, with the rounding error of y taken
    // in.
    const double one = y < 0.0 ? -1.0 : 1.0;
    const double low = scale - y + term;
    const double high = one + y;
    const double rest = one - high + y + low;
    y = (high + rest) - one;
    if (y == 0.0) y = double_of(bits_of(scale) & 0x8000000000000000u);
  }
  return 0x1p-1022 * y;
}

// e^(x + x_low), with the sign of a negative pow if `sign` is 1 << 18, else 0. `with_low` is false for exp, which has no x_low to
// add.
template <class Fma, bool with_low>
__attribute__((always_inline)) inline double exp_parts(double x, double x_low, uint64_t sign) noexcept {
  using C = ExpConstants;
  const uint32_t exponent = static_cast<uint32_t>(bits_of(x) >> 52) & 0x7FFu;
  bool near_edge = false;
  if (exponent - 0x3C9u >= 0x3Fu) {
    if (exponent < 0x3C9u) return sign != 0 ? -(1.0 + x) : 1.0 + x;  // |x| < 2^-54
    if (exponent >= 0x409u) {                                        // |x| >= 1024
      const double magnitude = x < 0.0 ? 0.0 : std::numeric_limits<double>::infinity();
      return sign != 0 ? -magnitude : magnitude;
    }
    near_edge = true;  // |x| >= 512
  }
  const double shifted = Fma::fma(C::inverse_ln2_128, x, C::shift);
  const uint64_t k = bits_of(shifted);
  const double k_value = shifted - C::shift;
  double r = Fma::fma(k_value, C::minus_ln2_128_low, Fma::fma(k_value, C::minus_ln2_128_high, x));
  if constexpr (with_low) r = x_low + r;
  const ExpPart128& part = exp2_128[k % 128];
  const uint64_t scale_bits = part.head_bits + ((k + sign) << 45);
  const double r2 = r * r;
  const double low = Fma::fma(Fma::fma(r, C::c3, C::c2), r2, r + part.tail);
  const double t = Fma::fma(r2 * r2, Fma::fma(r, C::c5, C::c4), low);
  if (near_edge) return scale_outside_normal<Fma>(t, scale_bits, (k & 0x80000000u) == 0);
  const double scale = double_of(scale_bits);
  return Fma::fma(scale, t, scale);
}

template <class Fma>
__attribute__((always_inline)) inline double exp_by(double x) noexcept {
  if (x != x) return 1.0 + x;
  return exp_parts<Fma, false>(x, 0.0, 0);
}

}  // namespace bankml::math
