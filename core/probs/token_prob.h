// A token and its probability, and the logarithm that replies report.
//
// Tested by tests/probs/raw.cpp
#pragma once

#include "core/math/fp_env.h"

#include <cstdint>
#include <limits>

#include "core/math/logf.h"

namespace bankml {

struct TokenProb {
  int32_t id;
  float p;
};
static_assert(sizeof(TokenProb) == 8);

// logf(p) as llama-server reports it: a p of zero gives the lowest float.
inline float logprob(float p) noexcept { return p == 0.0f ? std::numeric_limits<float>::lowest() : math::logf(p); }

}  // namespace bankml
