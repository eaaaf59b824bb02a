// Fused multiply-add for the functions whose bits need it: two policies with the same results.
//
// HardwareFma is one instruction, where the compiler may use it (see pow.cpp for the choice at run time). SoftwareFma computes the
// same from plain operations, after Boldo and Melquiond, "Emulation of FMA and correctly rounded sums: proved algorithms using
// rounding to odd" (2008): the product as an exact sum of two doubles (Dekker's split), two exact sums (Knuth), and the small parts
// added with rounding to odd, so that the last addition rounds as if it saw the exact value.
// Valid range of SoftwareFma: |a|, |b| < 2^990, and the product is 0 or its lowest bit is at least 2^-1074, so that every error
// term is a double; the sign of a zero result is not kept. The callers stay inside: they say so.
//
// Tested by tests/math/fma.cpp
#pragma once

#include "core/math/fp_env.h"

#include <cstdint>

#include "core/math/bits.h"

#if defined(__FMA__) || defined(__FP_FAST_FMA) || defined(__aarch64__)
#define BANKML_FMA_ALWAYS 1
#define BANKML_FMA_TARGET
#elif defined(__x86_64__) || defined(__i386__)
#define BANKML_FMA_AT_RUN_TIME 1
#define BANKML_FMA_TARGET __attribute__((target("fma")))
#endif

namespace bankml::math {

struct SoftwareFma {
  static double fma(double a, double b, double c) noexcept {
    const double product = a * b;
    const double product_error = product_low(a, b, product);
    const double t = c + product_error;
    const double t_error = sum_low(c, product_error, t);
    const double v = product + t;
    const double v_error = sum_low(product, t, v);
    return v + sum_to_odd(t_error, v_error);
  }

 private:
  // x * y - rounded(x * y), exactly.
  static double product_low(double x, double y, double product) noexcept {
    const double x_high = high_half(x), x_low = x - x_high;
    const double y_high = high_half(y), y_low = y - y_high;
    return x_low * y_low - (((product - x_high * y_high) - x_low * y_high) - x_high * y_low);
  }
  // The upper 26 bits of x.
  static double high_half(double x) noexcept {
    const double t = x * 0x1.000002p27;
    return t - (t - x);
  }
  // x + y - rounded(x + y), exactly.
  static double sum_low(double x, double y, double sum) noexcept {
    const double y_part = sum - x;
    return (x - (sum - y_part)) + (y - y_part);
  }
  // x + y; if that is not a double, the one of its two neighbours whose last bit is 1.
  static double sum_to_odd(double x, double y) noexcept {
    const double sum = x + y;
    const double error = sum_low(x, y, sum);
    const uint64_t bits = bits_of(sum);
    if (error == 0.0 || (bits & 1u) != 0) return sum;
    return double_of((error > 0.0) == (sum > 0.0) ? bits + 1 : bits - 1);
  }
};

#if defined(BANKML_FMA_TARGET)
struct HardwareFma {
  __attribute__((always_inline)) static inline double fma(double a, double b, double c) noexcept { return __builtin_fma(a, b, c); }
};
#endif

// Whether this CPU has the instruction. Any thread.
bool has_fma() noexcept;

}  // namespace bankml::math
