// pow over a policy for the fused multiply-add.
//
// Method (Szabolcs Nagy, ARM optimized-routines): x = 2^k * z with z in [0x1.69555p-1, 0x1.69555p0); a table of 128 parts gives a
// short 1/c and ln c as head + tail; ln x = k ln 2 + ln c + ln(1 + r), r = z/c - 1 exact, is formed as a sum of two doubles with
// about 68 correct bits; times y as a sum of two doubles; then the exponential of exp_method.h.
// The operations written as Fma::fma are the fused ones of the reference; its other products stand alone.
// Range of the fused operands (for SoftwareFma): |y| < 2^65, |ln x| < 746, r is 0 or at least 2^-53 in magnitude; the smallest
// error term is above 2^-400.
//
// Tested by tests/math/pow.cpp
#pragma once

#include "core/math/fp_env.h"

#include <cstdint>
#include <limits>

#include "core/math/bits.h"
#include "core/math/exp_method.h"
#include "core/math/fma.h"
#include "core/math/pow_edges.h"
#include "core/math/tables/log_128.h"

namespace bankml::math {

struct PowConstants {
  static constexpr double ln2_high = 0x1.62e42fefa38p-1;
  static constexpr double ln2_low = 0x1.ef35793c7673p-45;
  static constexpr double a0 = -0.5;
  static constexpr double a1 = -0x1.555555555556p-1;
  static constexpr double a2 = 0x1.0000000000006p-1;
  static constexpr double a3 = 0x1.999999959554ep-1;
  static constexpr double a4 = -0x1.555555529a47ap-1;
  static constexpr double a5 = -0x1.2495b9b4845e9p+0;
  static constexpr double a6 = 0x1.0002b8b263fc3p+0;
};

struct TwoDoubles {
  double high;
  double low;
};

// ln of the positive number with these bits.
template <class Fma>
__attribute__((always_inline)) inline TwoDoubles pow_log(uint64_t x_bits) noexcept {
  using C = PowConstants;
  const uint64_t offset = x_bits - 0x3FE6955500000000u;  // 0x1.69555p-1 begins the interval
  const LogPart128& part = log_128[(offset >> 45) % 128];
  const double z = double_of(x_bits - (offset & 0xFFF0000000000000u));
  const double k = static_cast<double>(static_cast<int32_t>(static_cast<int64_t>(offset) >> 52));
  const double r = Fma::fma(z, part.reciprocal, -1.0);
  const double t1 = Fma::fma(k, C::ln2_high, part.head);
  const double t2 = t1 + r;
  const double low1 = Fma::fma(k, C::ln2_low, part.tail);
  const double low2 = t1 - t2 + r;
  const double ar = C::a0 * r;
  const double ar2 = r * ar;
  const double ar3 = r * ar2;
  const double sum = t2 + ar2;
  const double low3 = Fma::fma(ar, r, -ar2);
  const double low4 = t2 - sum + ar2;
  const double inner = Fma::fma(Fma::fma(C::a6, r, C::a5), ar2, Fma::fma(C::a4, r, C::a3));
  const double poly = Fma::fma(ar2, inner, Fma::fma(C::a2, r, C::a1));
  const double low = Fma::fma(ar3, poly, low1 + low2 + low3 + low4);
  const double high = sum + low;
  return {high, sum - high + low};
}

template <class Fma>
__attribute__((always_inline)) inline double pow_by(double x, double y) noexcept {
  if (is_zero_inf_nan(x) || is_zero_inf_nan(y)) return pow_edge(x, y);
  uint64_t sign = 0;
  if (x < 0.0) {
    const Parity parity = parity_of(y);
    if (parity == Parity::not_integer) return invalid_double();
    if (parity == Parity::odd) sign = uint64_t{1} << 18;
    x = -x;
  }
  const double y_magnitude = y < 0.0 ? -y : y;
  if (y_magnitude < 0x1p-65 || y_magnitude >= 0x1p63) {
    if (x == 1.0) return 1.0;
    if (y_magnitude < 0x1p-65) return x > 1.0 ? 1.0 + y : 1.0 - y;
    return (x > 1.0) == (y > 0.0) ? std::numeric_limits<double>::infinity() : 0.0;  // such a y is even
  }
  const uint64_t x_bits = x < 0x1p-1022 ? bits_of(x * 0x1p52) - (uint64_t{52} << 52) : bits_of(x);
  const TwoDoubles ln = pow_log<Fma>(x_bits);
  const double product = y * ln.high;
  const double product_low = Fma::fma(y, ln.low, Fma::fma(y, ln.high, -product));
  return exp_parts<Fma, true>(product, product_low, sign);
}

}  // namespace bankml::math
