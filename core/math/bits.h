// The bits of a float or double as an integer, and back. Values, not memory: byte order does not matter.
//
// Tested by tests/math/one_argument.cpp
#pragma once

#include "core/math/fp_env.h"

#include <bit>
#include <cstdint>

namespace bankml::math {

inline uint32_t bits_of(float x) noexcept { return std::bit_cast<uint32_t>(x); }
inline uint64_t bits_of(double x) noexcept { return std::bit_cast<uint64_t>(x); }
inline float float_of(uint32_t bits) noexcept { return std::bit_cast<float>(bits); }
inline double double_of(uint64_t bits) noexcept { return std::bit_cast<double>(bits); }

// What the reference's CPU makes of an invalid operation: a quiet NaN with the sign bit set.
inline float invalid_float() noexcept { return float_of(uint32_t{0xFFC00000u}); }
inline double invalid_double() noexcept { return double_of(uint64_t{0xFFF8000000000000u}); }

}  // namespace bankml::math
