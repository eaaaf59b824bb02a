// A draw by weights as libstdc++'s discrete_distribution<int> makes it.
//
// Computes: with fewer than two weights, index 0 and no random output. Else the weights as double are divided by their double sum,
// their partial sums are formed in order, the last of them is taken to be exactly 1, and the index is the first whose partial sum
// is not less than one uniform double.
// Why not an array of partial sums: a walk that stops at the first one forms the same doubles and needs no memory.
// Quirk kept: each quotient is rounded before it is added, so the partial sums may pass 1 or fall short of it before the last.
//
// Tested by tests/random/discrete.cpp
#pragma once

#include "core/math/fp_env.h"

#include <cstddef>

#include "core/random/engine.h"

namespace bankml::random {

// Draws an index below n by the float weights p[0], p[stride], p[2 * stride], ... (stride in floats: a field of an array of
// structs). Weights are not negative and their sum is positive and finite.
size_t discrete(const float* p, size_t n, size_t stride, Engine& engine) noexcept;

}  // namespace bankml::random
