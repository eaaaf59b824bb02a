// What a step that selects a token checks before it draws: that there is something to draw from.
//
// The reference selects nonsense here, or stops its process; a set can get there through a mask, a bias of +inf or parameters that
// overflow. The checks look at values the step has computed anyway.
//
// Tested by tests/steps/draw.cpp
#pragma once

#include "core/math/fp_env.h"

#include <cstddef>
#include <limits>

#include "core/base/error_text.h"
#include "core/base/status.h"

namespace bankml {

// `maximum` is the largest logit of n candidates, `sum` the sum of their exp(logit - maximum) (1 where a step needs none).
inline Status check_drawable(const char* step, size_t n, float maximum, double sum, ErrorText& error) noexcept {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  if (n == 0) return error.set(Status::no_candidate, "%s: the candidate set is empty", step);
  if (maximum == -infinity) return error.set(Status::no_candidate, "%s: all %zu candidates have logit -inf", step, n);
  if (!(maximum < infinity))
    return error.set(Status::nonfinite, "%s: the largest logit of the candidates is %g", step, static_cast<double>(maximum));
  if (!(sum > 0.0 && sum < std::numeric_limits<double>::infinity())) {
    return error.set(Status::nonfinite, "%s: a candidate's logit is NaN (the sum of the weights is %g)", step, sum);
  }
  return Status::ok;
}

}  // namespace bankml
