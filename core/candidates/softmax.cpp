// Softmax over the candidate set: see softmax.h.
//
// Exponentials go through the kernel in runs that stay in the first cache level, each followed by its part of the sum, so that the
// array is read from memory twice rather than three times. The sum itself is one chain of float additions, as the reference's.
// Quirk kept: a set that says it is sorted gives its first logit as the maximum, even where a step has changed the logits since
// (adaptive_p relies on it).
//
// Tested by tests/candidates/softmax.cpp
#include "core/math/fp_env.h"

#include "core/candidates/softmax.h"

#include <algorithm>
#include <limits>

#include "core/candidates/sort.h"

namespace bankml {

namespace softmax_detail {

constexpr size_t stride = sizeof(Candidate) / sizeof(float);
constexpr size_t run = 512;

}  // namespace softmax_detail

float maximum_logit(const Candidates& set) noexcept {
  if (set.size == 0) return -std::numeric_limits<float>::infinity();
  if (set.sorted) return set.data[0].logit;
  // Four chains for speed; which of equal zeros wins does not matter to logit - max.
  float best[4] = {set.data[0].logit, set.data[0].logit, set.data[0].logit, set.data[0].logit};
  size_t i = 1;
  for (; i + 4 <= set.size; i += 4) {
    for (size_t lane = 0; lane < 4; ++lane) best[lane] = std::max(best[lane], set.data[i + lane].logit);
  }
  for (; i < set.size; ++i) best[0] = std::max(best[0], set.data[i].logit);
  return std::max(std::max(best[0], best[1]), std::max(best[2], best[3]));
}

Softmax softmax(Candidates& set, bool sort) noexcept {
  using namespace softmax_detail;
  if (set.size == 0) return {maximum_logit(set), 0.0f};
  if (sort && !set.sorted) sort_in_place(set, set.size);
  const float maximum = maximum_logit(set);
  float sum = 0.0f;
  for (size_t begin = 0; begin < set.size; begin += run) {
    const size_t n = std::min(run, set.size - begin);
    Candidate* part = set.data + begin;
    set.kernels->exp_shift(&part->logit, &part->p, stride, n, maximum);
    for (size_t i = 0; i < n; ++i) sum += part[i].p;
  }
  for (size_t i = 0; i < set.size; ++i) set.data[i].p /= sum;
  set.work->exps += set.size;
  return {maximum, sum};
}

}  // namespace bankml
