// pow in double with the bits of glibc 2.36 on an x86-64 CPU with FMA, on every CPU. Method: pow_method.h.
//
// Valid range: all pairs; zeros, infinities, NaN and negative bases as C's Annex F says.
//
// Tested by tests/math/pow.cpp
#pragma once

namespace bankml::math {

double pow(double x, double y) noexcept;

}  // namespace bankml::math
