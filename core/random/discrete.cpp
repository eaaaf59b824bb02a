// The weighted draw: see discrete.h.
//
// Tested by tests/random/discrete.cpp
#include "core/math/fp_env.h"

#include "core/random/discrete.h"

namespace bankml::random {

size_t discrete(const float* p, size_t n, size_t stride, Engine& engine) noexcept {
  if (n < 2) return 0;
  double total = 0.0;
  for (size_t i = 0; i < n; ++i) total += static_cast<double>(p[i * stride]);
  const double draw = engine.uniform_double();
  // Weights are not negative, so the partial sums ascend and a binary search would stop where this walk does. Only the last one,
  // set to 1, can be below its neighbour; it is above every draw all the same.
  double partial = 0.0;
  for (size_t i = 0; i + 1 < n; ++i) {
    partial += static_cast<double>(p[i * stride]) / total;
    if (!(partial < draw)) return i;
  }
  return n - 1;
}

}  // namespace bankml::random
