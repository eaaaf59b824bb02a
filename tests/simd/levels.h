// The kernel tables to test: each level that this machine can run, scalar first.
#pragma once

#include <random>
#include <vector>

#include "core/simd/kernels.h"

namespace bankml::testing {

inline std::vector<const simd::Kernels*> levels() {
  std::vector<const simd::Kernels*> found;
  for (const simd::Level level : {simd::Level::scalar, simd::Level::avx2, simd::Level::avx512, simd::Level::neon}) {
    if (const simd::Kernels* kernels = simd::kernels_of(level)) found.push_back(kernels);
  }
  return found;
}

// A seeded source of small numbers for cases.
class Dice {
 public:
  explicit Dice(uint64_t seed) : engine_(seed) {}
  uint64_t bits() { return engine_(); }
  size_t below(size_t n) { return static_cast<size_t>(engine_() % n); }
  bool once_in(size_t n) { return below(n) == 0; }
  // Uniform in [low, high).
  float between(float low, float high) { return low + (high - low) * static_cast<float>(engine_() >> 40) * 0x1p-24f; }

 private:
  std::mt19937_64 engine_;
};

}  // namespace bankml::testing
