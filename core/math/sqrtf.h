// Square root of a float, correctly rounded.
//
// Why the standard library here and nowhere else: IEEE 754 asks for a correctly rounded square root, compilers turn std::sqrt of a
// float into the CPU's instruction, and every libm rounds it correctly too; there is only one possible result.
//
// Tested by tests/math/one_argument.cpp
#pragma once

#include "core/math/fp_env.h"

#include <cmath>

namespace bankml::math {

inline float sqrtf(float x) noexcept { return std::sqrt(x); }

}  // namespace bankml::math
