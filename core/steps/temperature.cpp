// temperature: see temperature.h.
//
// Computes: scale(t): t <= 0 makes every logit but the first largest -inf, else logit /= t. With range > 0 the temperature is
//   min + (max - min) * powf(entropy / log n, exponent), min = max(0, t - range), max = t + range,
// with the entropy of the sorted softmax; then the p of the scaled logits are formed in double.
// Source: dynamic temperature by kalomaze (2023), as llama.cpp runs it.
// Quirks kept: `sorted` stays as it is; log n is -logf(1/n) with 1/n rounded to float; the p of the dynamic form are rounded to
// float before they are divided, while their sum is of the unrounded doubles. Not kept: a quotient of the largest logit that
// overflows would leave nothing but infinities, so such a t acts as 0.
//
// Tested by tests/steps/temperature.cpp
#include "core/math/fp_env.h"

#include "core/steps/temperature.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/candidates/softmax.h"
#include "core/math/exp.h"
#include "core/math/logf.h"
#include "core/math/powf.h"

namespace bankml {

namespace temperature_detail {

constexpr size_t run = 256;  // logarithms a kernel call

inline void keep_first_largest(Candidates& set) noexcept {
  if (set.size == 0) return;
  constexpr float banned = -std::numeric_limits<float>::infinity();
  size_t best = 0;
  float largest = set.data[0].logit;
  for (size_t i = 1; i < set.size; ++i) {
    if (set.data[i].logit > largest) {
      set.data[best].logit = banned;
      best = i;
      largest = set.data[i].logit;
    } else {
      set.data[i].logit = banned;
    }
  }
}

// Division by 1 or more cannot overflow.
inline bool overflows(const Candidates& set, float t) noexcept {
  if (!(t < 1.0f)) return false;
  const float largest = maximum_logit(set);
  return std::isfinite(largest) && std::isinf(largest / t);
}

inline void scale(Candidates& set, float t) noexcept {
  if (t <= 0.0f || overflows(set, t)) {
    keep_first_largest(set);
    return;
  }
  for (size_t i = 0; i < set.size; ++i) set.data[i].logit /= t;
}

}  // namespace temperature_detail

float Temperature::dynamic_t(float entropy, size_t n) const noexcept {
  const float lowest = std::max(0.0f, t_ - range_);
  const float highest = t_ + range_;
  const float largest_entropy = -math::logf(1.0f / static_cast<float>(n));
  return lowest + (highest - lowest) * math::powf(entropy / largest_entropy, exponent_);
}

void Temperature::scale_dynamic(Candidates& set) const noexcept {
  if (set.size <= 1) return;
  softmax(set, true);
  float entropy = 0.0f;
  for (size_t begin = 0; begin < set.size; begin += temperature_detail::run) {
    const size_t length = std::min(temperature_detail::run, set.size - begin);
    float logarithm[temperature_detail::run];
    for (size_t i = 0; i < length; ++i) logarithm[i] = set.data[begin + i].p;
    set.kernels->log(logarithm, logarithm, length);
    for (size_t i = 0; i < length; ++i) {
      const float p = set.data[begin + i].p;
      if (p > 0.0f) entropy -= p * logarithm[i];
    }
  }
  temperature_detail::scale(set, dynamic_t(entropy, set.size));
}

void Temperature::apply_dynamic(Candidates& set) const noexcept {
  if (set.size <= 1) return;
  scale_dynamic(set);
  const double first = static_cast<double>(set.data[0].logit);
  double sum = 0.0;
  for (size_t i = 0; i < set.size; ++i) {
    const double p = math::exp(static_cast<double>(set.data[i].logit) - first);
    set.data[i].p = static_cast<float>(p);
    sum += p;
  }
  for (size_t i = 0; i < set.size; ++i) set.data[i].p = static_cast<float>(static_cast<double>(set.data[i].p) / sum);
  set.work->exps += set.size;
}

Status Temperature::apply(Candidates& set, ErrorText&) noexcept {
  if (dynamic()) {
    apply_dynamic(set);
  } else {
    temperature_detail::scale(set, t_);
  }
  return Status::ok;
}

}  // namespace bankml
