// dist and greedy: see draw.h.
//
// dist computes: p = expf(logit - max) as float and their double sum in array order; r = one uniform double; the first index whose
// running double sum of the p is at least sum * r is selected (the last one if none); then p = float(double(p) / sum).
// Quirks kept: with a single candidate one double is drawn all the same, and thrown away; p = 1. A single candidate is selected
// even if its logit is -inf: XTC behind temperature 0 drops the maximum and leaves one of the others (row X0664 of the vectors).
// greedy selects the first index of the largest logit and leaves p alone.
//
// Tested by tests/steps/draw.cpp
#include "core/math/fp_env.h"

#include "core/steps/draw.h"

#include <algorithm>
#include <limits>

#include "core/candidates/softmax.h"
#include "core/steps/drawable.h"

namespace bankml {

namespace draw_detail {

constexpr size_t stride = sizeof(Candidate) / sizeof(float);
constexpr size_t run = 512;  // exponentials a kernel call, so that the sum finds them in the first cache level

}  // namespace draw_detail

Status Dist::apply(Candidates& set, ErrorText& error) noexcept {
  using namespace draw_detail;
  const size_t n = set.size;
  const float maximum = maximum_logit(set);
  if (n <= 1) {
    const bool banned = n == 1 && maximum == -std::numeric_limits<float>::infinity();
    const Status status = banned ? Status::ok : check_drawable("dist", n, maximum, 1.0, error);
    if (status != Status::ok) return status;
    engine_.uniform_double();
    set.work->random_outputs += 2;
    set.data[0].p = 1.0f;
    set.selected = 0;
    return Status::ok;
  }

  double sum = 0.0;
  for (size_t begin = 0; begin < n; begin += run) {
    const size_t length = std::min(run, n - begin);
    Candidate* part = set.data + begin;
    set.kernels->exp_shift(&part->logit, &part->p, stride, length, maximum);
    for (size_t i = 0; i < length; ++i) sum += static_cast<double>(part[i].p);
  }
  set.work->exps += n;
  const Status status = check_drawable("dist", n, maximum, sum, error);
  if (status != Status::ok) return status;

  const double target = sum * engine_.uniform_double();
  set.work->random_outputs += 2;
  size_t selected = n - 1;
  double running = 0.0;
  for (size_t i = 0; i < n; ++i) {
    running += static_cast<double>(set.data[i].p);
    if (running >= target) {
      selected = i;
      break;
    }
  }
  for (size_t i = 0; i < n; ++i) set.data[i].p = static_cast<float>(static_cast<double>(set.data[i].p) / sum);
  set.selected = selected;
  return Status::ok;
}

Status Greedy::apply(Candidates& set, ErrorText& error) noexcept {
  size_t best = 0;
  bool ordered = true;  // no NaN
  for (size_t i = 0; i < set.size; ++i) {
    ordered &= set.data[i].logit == set.data[i].logit;
    if (set.data[i].logit > set.data[best].logit) best = i;
  }
  const float largest = set.size == 0 ? 0.0f : set.data[best].logit;
  const Status status = check_drawable("greedy", set.size, largest, ordered ? 1.0 : 0.0, error);
  if (status == Status::ok) set.selected = best;
  return status;
}

}  // namespace bankml
