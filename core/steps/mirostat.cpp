// mirostat: see mirostat.h.
//
// Computes, with p sorted in descending order and floats throughout: over the first m - 1 neighbours t = logf((i + 2) / (i + 1)), b
// = logf(p[i] / p[i + 1]); s = sum of t * b / sum of t * t, the exponent of a Zipf law; epsilon = s - 1; k = powf(epsilon * powf(2,
// mu) / (1 - powf(n_vocab, -epsilon)), 1 / s). The first k stay, at least one; then the common draw. Source: Basu et al.,
// "Mirostat" (2021). Quirk kept: a k that no int holds, or NaN (a single candidate, p of zero among the first m), leaves one
// candidate.
//
// Tested by tests/steps/mirostat.cpp
#include "core/math/fp_env.h"

#include "core/steps/mirostat.h"

#include <algorithm>

#include "core/math/logf.h"
#include "core/math/powf.h"

namespace bankml {

size_t Mirostat::cut(const Candidates& set) const noexcept {
  float sum_tb = 0.0f;
  float sum_tt = 0.0f;
  for (size_t i = 0; i + 1 < m_ && i + 1 < set.size; ++i) {
    const float t = math::logf(static_cast<float>(i + 2) / static_cast<float>(i + 1));
    const float b = math::logf(set.data[i].p / set.data[i + 1].p);
    sum_tb += t * b;
    sum_tt += t * t;
  }
  const float s = sum_tb / sum_tt;
  const float epsilon = s - 1.0f;
  const float numerator = epsilon * math::powf(2.0f, state_.mu());
  const float denominator = 1.0f - math::powf(static_cast<float>(set.n_vocab), -epsilon);
  const float k = math::powf(numerator / denominator, 1.0f / s);
  if (!(k >= 1.0f && k < 0x1p31f)) return 1;
  return std::min(static_cast<size_t>(k), set.size);
}

Status Mirostat::apply(Candidates& set, ErrorText& error) noexcept {
  const Softmax whole = softmax(set, true);
  // Here and not only at the draw: where a NaN makes k NaN, the one candidate that stays would hide it.
  const Status status = check_drawable(name(), set.size, whole.maximum, static_cast<double>(whole.sum), error);
  if (status != Status::ok) return status;
  set.size = cut(set);
  return state_.draw(name(), set, error);
}

}  // namespace bankml
