// exp in double with the bits of glibc 2.36 on an x86-64 CPU with FMA, on every CPU. Method: exp_method.h.
//
// Valid range: all doubles. Overflow gives +inf, underflow a subnormal or 0, NaN stays NaN.
//
// Tested by tests/math/exp.cpp
#pragma once

namespace bankml::math {

double exp(double x) noexcept;

}  // namespace bankml::math
