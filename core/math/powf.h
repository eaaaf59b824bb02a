// powf with the bits of glibc 2.36 on an x86-64 CPU with FMA, on every CPU. Method: powf_method.h.
//
// Valid range: all pairs; zeros, infinities, NaN and negative bases as C's Annex F says.
//
// Tested by tests/math/powf.cpp
#pragma once

namespace bankml::math {

float powf(float x, float y) noexcept;

}  // namespace bankml::math
