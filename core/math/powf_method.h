// powf over a policy for the fused multiply-add.
//
// Method (Szabolcs Nagy, ARM optimized-routines): x^y = 2^(y * log2 x) in double; log2 x = k + log2 c + log2(z/c) as log2f does,
// with a quintic, and 2^t as expf does, without its scaling of the argument. The result is rounded to float once.
// The operations written as Fma::fma are those that the reference's compiler contracted. With two arguments no exhaustive check
// can show that plain operations give the same floats, so they are kept.
// Range of the fused operands (for SoftwareFma): all below 2^8 and their error terms above 2^-700.
//
// Tested by tests/math/powf.cpp
#pragma once

#include "core/math/fp_env.h"

#include <cstdint>
#include <limits>

#include "core/math/bits.h"
#include "core/math/expf.h"
#include "core/math/fma.h"
#include "core/math/log_reduction.h"
#include "core/math/pow_edges.h"

namespace bankml::math {

struct PowfConstants {
  static constexpr double a0 = 0x1.27616c9496e0bp-2;
  static constexpr double a1 = -0x1.71969a075c67ap-2;
  static constexpr double a2 = 0x1.ec70a6ca7baddp-2;
  static constexpr double a3 = -0x1.7154748bef6c8p-1;
  static constexpr double a4 = 0x1.71547652ab82bp+0;
  static constexpr double shift_32 = 0x1.8p47;  // x + shift_32 has ulp 1/32
  static constexpr double c0 = 0x1.c6af84b912394p-5;
  static constexpr double c1 = 0x1.ebfce50fac4f3p-3;
  static constexpr double c2 = 0x1.62e42ff0c52d6p-1;
  static constexpr double overflow_above = 0x1.fffffffd1d571p+6;
};

// log2 of the positive number with these bits (of a subnormal: scaled_subnormal's).
template <class Fma>
__attribute__((always_inline)) inline double powf_log2(uint32_t x_bits) noexcept {
  using C = PowfConstants;
  const LogReduction reduced = reduce_log(x_bits);
  const double r = Fma::fma(reduced.z, reduced.part.reciprocal, -1.0);
  const double y0 = reduced.part.log2 + reduced.k;
  const double r2 = r * r;
  const double high = Fma::fma(C::a0, r, C::a1);
  const double middle = Fma::fma(C::a2, r, C::a3);
  const double low = Fma::fma(middle, r2, Fma::fma(C::a4, r, y0));
  return Fma::fma(high, r2 * r2, low);
}

// 2^t as a float, negative if `sign` is 1 << 16, else 0.
template <class Fma>
__attribute__((always_inline)) inline float powf_exp2(double t, uint64_t sign) noexcept {
  using C = PowfConstants;
  const double shifted = t + C::shift_32;
  const uint64_t k = bits_of(shifted);
  const double r = t - (shifted - C::shift_32);
  const double scale = double_of(exp2_32[k % 32] + ((k + sign) << 47));
  const double high = Fma::fma(C::c0, r, C::c1);
  const double low = Fma::fma(C::c2, r, 1.0);
  return static_cast<float>(Fma::fma(high, r * r, low) * scale);
}

template <class Fma>
__attribute__((always_inline)) inline float powf_by(float x, float y) noexcept {
  if (is_zero_inf_nan(x) || is_zero_inf_nan(y)) return pow_edge(x, y);
  uint64_t sign = 0;
  if (x < 0.0f) {
    const Parity parity = parity_of(y);
    if (parity == Parity::not_integer) return invalid_float();
    if (parity == Parity::odd) sign = uint64_t{1} << 16;
    x = -x;
  }
  const uint32_t x_bits = x < 0x1p-126f ? scaled_subnormal(x) : bits_of(x);
  const double t = static_cast<double>(y) * powf_log2<Fma>(x_bits);
  if (t >= 126.0 || t <= -126.0) {
    float magnitude = -1.0f;
    if (t > PowfConstants::overflow_above) magnitude = std::numeric_limits<float>::infinity();
    if (t <= -150.0) magnitude = 0.0f;
    // Above half of the least subnormal; 2^t itself could have been rounded down to that half.
    if (t > -150.0 && t < -149.0) magnitude = 0x1p-149f;
    if (magnitude >= 0.0f) return sign != 0 ? -magnitude : magnitude;
  }
  return powf_exp2<Fma>(t, sign);
}

}  // namespace bankml::math
