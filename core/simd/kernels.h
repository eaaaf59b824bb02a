// The table of kernels that a handle works with: one function per kernel and CPU level, chosen once when the handle is made.
//
// Kernels hold no sampling rule. Every twin returns the bits of its scalar definition (simd/scalar.cpp).
#pragma once

#include <cstddef>
#include <cstdint>

namespace bankml::simd {

enum class Level : uint8_t { scalar, avx2, avx512, neon };

struct Kernels {
  Level level;
  const char* name;

  // out[i * stride] = expf(in[i * stride] - shift), i < n; expf as the reference's libm gives it. in and out may interleave
  // (fields of one struct array) but not overlap otherwise.
  void (*exp_shift)(const float* in, float* out, size_t stride, size_t n, float shift) noexcept;
};

// Kernels of the best level of this machine, or of the level forced last.
const Kernels& kernels() noexcept;
// Kernels of one level; nullptr if this machine cannot run it.
const Kernels* kernels_of(Level level) noexcept;
// Forces a level for handles made later; false if the machine lacks it. `best` undoes it.
bool force(Level level) noexcept;
void force_best() noexcept;

}  // namespace bankml::simd
