// top_n_sigma: see top_n_sigma.h.
//
// Computes, over the logits that are not -inf, in array order: their maximum, float sum and count; mean = sum / count; the float
// sum of the squared distances from the mean; deviation = sqrt(that / count). Logits below maximum - n * deviation become -inf.
// Source: Tang et al., "Top-n-sigma: Not All Logits Are You Need" (2024).
// Quirks kept: each square is taken in double and added in double, then the sum is rounded to float; nothing is removed from the
// set and `sorted` stays as it is.
//
// Tested by tests/steps/top_n_sigma.cpp
#include "core/math/fp_env.h"

#include "core/steps/top_n_sigma.h"

#include <algorithm>
#include <limits>

#include "core/math/sqrtf.h"
#include "core/steps/by_id.h"
#include "core/steps/sum_of_squares.h"

namespace bankml {

Status TopNSigma::apply(Candidates& set, ErrorText&) noexcept {
  if (off(n_) || set.size <= 1) return Status::ok;
  float maximum = set.data[0].logit;
  float sum = 0.0f;
  size_t count = 0;
  for (size_t i = 0; i < set.size; ++i) {
    const float logit = set.data[i].logit;
    if (is_banned(logit)) continue;
    maximum = std::max(maximum, logit);
    sum += logit;
    ++count;
  }
  if (count == 0) return Status::ok;
  const float mean = sum / static_cast<float>(count);

  const float squares = sum_of_squares(set.data, set.size, mean);
  const float deviation = math::sqrtf(squares / static_cast<float>(count));

  const float bound = maximum - n_ * deviation;
  for (size_t i = 0; i < set.size; ++i) {
    if (set.data[i].logit < bound) set.data[i].logit = -std::numeric_limits<float>::infinity();
  }
  return Status::ok;
}

}  // namespace bankml
