// adaptive_p: see adaptive_p.h.
//
// Computes: softmax without sorting; goal = 2 * T - weighted / total, clamped to [0, 1], with T the clamped target; every logit
// that is not -inf becomes 5 - 10 * d * d / (1 + d), d = |(p - goal) / 0.3|, near the goal a parabola, far from it a slope; softmax
// again; a draw by the float p. Accepting the drawn token moves the averages by its p from before the transformation. Source:
// adaptive-p by MrJackSpade and ddh0 (llama.cpp pull request 17927). Quirks kept: d is a product with 1/0.3 rounded to float;
// `sorted` stays as it is, so after a sorting step the second softmax subtracts the first logit even where it is no longer the
// largest; the averages start as if the target had always been met. Not kept: the reference's clone restarts the engine from the
// seed; here a clone goes on where the original stands.
//
// Tested by tests/steps/adaptive_p.cpp
#include "core/math/fp_env.h"

#include "core/steps/adaptive_p.h"

#include <algorithm>
#include <cmath>

#include "core/candidates/softmax.h"
#include "core/random/discrete.h"
#include "core/steps/by_id.h"
#include "core/steps/drawable.h"

namespace bankml {

namespace adaptive_p_detail {

constexpr float per_width = 1.0f / 0.3f;
constexpr float peak = 5.0f;
constexpr float sharpness = 10.0f;

}  // namespace adaptive_p_detail

AdaptiveP::AdaptiveP(float target, float decay, uint32_t seed)
    : target_(target),
      decay_(std::clamp(decay, 0.0f, 0.99f)),
      weighted_(target / (1.0f - decay_)),
      total_(1.0f / (1.0f - decay_)),
      engine_(seed) {}

void AdaptiveP::reset(uint32_t seed) noexcept {
  weighted_ = target_ / (1.0f - decay_);
  total_ = 1.0f / (1.0f - decay_);
  pending_ = marked_pending_ = Pending{};
  engine_.seed(seed);
}

void AdaptiveP::mark() noexcept {
  marked_pending_ = pending_;
  engine_.mark();
}

void AdaptiveP::rewind() noexcept {
  pending_ = marked_pending_;
  engine_.rewind();
}

Status AdaptiveP::draw(Candidates& set, float maximum, float sum, ErrorText& error) noexcept {
  const Status status = check_drawable("adaptive_p", set.size, maximum, static_cast<double>(sum), error);
  if (status != Status::ok) return status;
  const uint64_t before = engine_.outputs();
  set.selected = random::discrete(&set.data[0].p, set.size, sizeof(Candidate) / sizeof(float), engine_);
  set.work->random_outputs += engine_.outputs() - before;
  return Status::ok;
}

Status AdaptiveP::apply(Candidates& set, ErrorText& error) noexcept {
  using namespace adaptive_p_detail;
  const Softmax before = softmax(set, false);
  if (target_ < 0.0f) return draw(set, before.maximum, before.sum, error);
  const Status status = check_drawable("adaptive_p", set.size, before.maximum, static_cast<double>(before.sum), error);
  if (status != Status::ok) return status;

  const float target = std::clamp(target_, 0.0f, 1.0f);
  const float goal = std::clamp(total_ == 0.0f ? target : 2.0f * target - weighted_ / total_, 0.0f, 1.0f);
  for (size_t i = 0; i < set.size; ++i) {
    set.scratch[i].p = set.data[i].p;
    if (is_banned(set.data[i].logit)) continue;
    const float d = std::fabs((set.data[i].p - goal) * per_width);
    set.data[i].logit = peak - sharpness * d * d / (1.0f + d);
  }
  const Softmax after = softmax(set, false);
  const Status drawn = draw(set, after.maximum, after.sum, error);
  if (drawn == Status::ok) pending_ = {set.data[set.selected].id, set.scratch[set.selected].p};
  return drawn;
}

void AdaptiveP::accept(int32_t token) noexcept {
  if (pending_.token == token && token >= 0) {
    weighted_ = pending_.p + decay_ * weighted_;
    total_ = 1.0f + decay_ * total_;
  }
  pending_ = Pending{};
}

}  // namespace bankml
