// What powf and pow share outside their arithmetic: zeros, infinities, NaN and negative bases, as C's Annex F says and with the
// reference's bits.
//
// Tested by tests/math/pow.cpp
#pragma once

#include "core/math/fp_env.h"

#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "core/math/bits.h"

namespace bankml::math {

template <class Real>
struct FloatLayout {
  using Bits = std::conditional_t<sizeof(Real) == 4, uint32_t, uint64_t>;
  static constexpr int mantissa = std::numeric_limits<Real>::digits - 1;
  static constexpr int bias = std::numeric_limits<Real>::max_exponent - 1;
  static constexpr Bits sign_bit = Bits{1} << (sizeof(Real) * 8 - 1);
  static constexpr Bits quiet_bit = Bits{1} << (mantissa - 1);
};

template <class Real>
bool is_negative(Real x) noexcept {
  return (bits_of(x) & FloatLayout<Real>::sign_bit) != 0;
}

template <class Real>
bool is_signaling(Real x) noexcept {
  return x != x && (bits_of(x) & FloatLayout<Real>::quiet_bit) == 0;
}

template <class Real>
bool is_zero_inf_nan(Real x) noexcept {
  return x == Real{0} || !(x - x == Real{0});
}

// The NaN that an operation on x and y gives where at least one is NaN: the first of them, quieted. By bits, since a compiler may
// exchange the operands of an addition.
template <class Real>
Real nan_of(Real x, Real y) noexcept {
  return std::bit_cast<Real>(bits_of(x != x ? x : y) | FloatLayout<Real>::quiet_bit);
}

enum class Parity { not_integer, odd, even };

// Whether a number other than 0, inf and NaN is an odd or an even integer; for those three the answer is "even" or "not an
// integer".
template <class Real>
Parity parity_of(Real y) noexcept {
  using L = FloatLayout<Real>;
  using Bits = typename L::Bits;
  const Bits bits = bits_of(y);
  const int exponent = static_cast<int>((bits & ~L::sign_bit) >> L::mantissa);
  if (exponent < L::bias) return Parity::not_integer;
  if (exponent > L::bias + L::mantissa) return Parity::even;
  const Bits unit = Bits{1} << (L::bias + L::mantissa - exponent);
  if ((bits & (unit - 1)) != 0) return Parity::not_integer;
  return (bits & unit) != 0 ? Parity::odd : Parity::even;
}

// x to the y where x or y is 0, an infinity or NaN.
template <class Real>
Real pow_edge(Real x, Real y) noexcept {
  const Real one{1};
  if (is_zero_inf_nan(y)) {
    if (y == Real{0}) return is_signaling(x) ? nan_of(x, y) : one;
    if (x == one) return is_signaling(y) ? nan_of(x, y) : one;
    if (x != x || y != y) return nan_of(x, y);
    if (x == -one) return one;
    const bool shrinks = x < one && x > -one;
    return shrinks == (y > Real{0}) ? Real{0} : std::numeric_limits<Real>::infinity();
  }
  const bool odd_negative = is_negative(x) && parity_of(y) == Parity::odd;
  if (x == Real{0} && is_negative(y)) {
    const Real inf = std::numeric_limits<Real>::infinity();
    return odd_negative ? -inf : inf;
  }
  const Real square = odd_negative ? -(x * x) : x * x;  // a NaN's sign follows, too
  return is_negative(y) ? one / square : square;
}

}  // namespace bankml::math
