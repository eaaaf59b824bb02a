// What the math tests share: the machine's libm behind pointers that no compiler sees through, whether it is the reference, sample
// numbers that are the same on every machine, and a fingerprint of results.
//
// Where the machine's libm is not the reference (another architecture, another libc, no FMA), the recorded fingerprints still hold:
// they were made where every single result had been compared with it.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <string>
#include <vector>

#if defined(__GLIBC__)
#include <gnu/libc-version.h>
#endif

#include "core/math/bits.h"

namespace math_samples {

namespace math = bankml::math;

inline float (*volatile const libm_expf)(float) = ::expf;
inline float (*volatile const libm_logf)(float) = ::logf;
inline float (*volatile const libm_log2f)(float) = ::log2f;
inline float (*volatile const libm_sqrtf)(float) = ::sqrtf;
inline float (*volatile const libm_powf)(float, float) = ::powf;
inline double (*volatile const libm_exp)(double) = ::exp;
inline double (*volatile const libm_pow)(double, double) = ::pow;
inline double (*volatile const libm_fma)(double, double, double) = ::fma;

// glibc's functions as of 2.28 to 2.40, on x86-64. Before and after, other methods are used.
inline bool libm_has_the_methods() {
#if defined(__GLIBC__) && defined(__x86_64__)
  const std::string version = gnu_get_libc_version();
  const int minor = std::atoi(version.c_str() + version.find('.') + 1);
  return version.rfind("2.", 0) == 0 && minor >= 28 && minor <= 40;
#else
  return false;
#endif
}
// And they run their FMA variants: one of the two inputs of expf that tell.
inline bool libm_is_the_reference() { return libm_has_the_methods() && math::bits_of(libm_expf(0x1.04845ep+5f)) == 0x56fc9f1cu; }
inline const char* const not_the_reference =
    "this machine's libm is not glibc 2.28 to 2.40 on x86-64 with FMA: only recorded fingerprints are checked";

inline bool long_run() { return std::getenv("BANKML_TEST_LONG") != nullptr; }

// splitmix64 (Steele, Lea and Flood 2014).
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}
  uint64_t next() {
    uint64_t z = state_ += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
  }
  // In [low, high), computed without a choice of rounding that could differ.
  double between(double low, double high) { return low + static_cast<double>(next() >> 11) * 0x1p-53 * (high - low); }

 private:
  uint64_t state_;
};

// log2 |x| within 0.09, the same on every machine; of a subnormal, too large.
inline double rough_log2(double x) {
  const uint64_t bits = math::bits_of(x) & 0x7FFFFFFFFFFFFFFFu;
  return static_cast<double>(bits) * 0x1p-52 - 1023.0;
}

// FNV-1a 64 over result bits; every NaN counts as the same.
class Fingerprint {
 public:
  void add(float x) { add_bits(x != x ? 0x7FC00000u : math::bits_of(x)); }
  void add(double x) { add_bits(x != x ? 0x7FF8000000000000u : math::bits_of(x)); }
  uint64_t value() const { return hash_; }

 private:
  void add_bits(uint64_t bits) {
    for (int i = 0; i < 8; ++i) hash_ = (hash_ ^ ((bits >> (8 * i)) & 0xFF)) * 0x100000001b3u;
  }
  uint64_t hash_ = 0xcbf29ce484222325u;
};

// Zeros, ones, extremes, infinities and NaN of both signs, quiet and signaling, and integers and halves of both parities.
template <class Real>
std::vector<Real> special_values() {
  using Limits = std::numeric_limits<Real>;
  std::vector<Real> values = {Real(0),
                              Limits::denorm_min(),
                              Limits::min(),
                              Limits::max(),
                              Limits::infinity(),
                              Limits::quiet_NaN(),
                              Limits::epsilon(),
                              std::nextafter(Limits::min(), Real(0)),
                              std::nextafter(Real(1), Real(0)),
                              std::nextafter(Real(1), Real(2)),
                              Real(0.5),
                              Real(1),
                              Real(1.5),
                              Real(2),
                              Real(3),
                              Real(4),
                              Real(1e5),
                              std::ldexp(Real(1), Limits::digits),
                              std::ldexp(Real(1), Limits::digits) - 1,
                              std::ldexp(Real(1), Limits::digits - 1) + 1,
                              std::ldexp(Real(1), Limits::digits + 1),
                              std::ldexp(Real(1), 64),
                              std::ldexp(Real(1), -65),
                              std::ldexp(Real(1), -66),
                              Real(126),
                              Real(127.99999),
                              Real(128),
                              Real(149),
                              Real(149.5),
                              Real(150),
                              Real(151),
                              Real(1023),
                              Real(1024),
                              Real(1074),
                              Real(1075)};
  for (size_t i = 0, n = values.size(); i < n; ++i) values.push_back(-values[i]);
  return values;
}

}  // namespace math_samples
