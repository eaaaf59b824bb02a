// adaptive_p: selects tokens whose probability lies near a target, which moves against the average of what was chosen before.
//
// Tested by tests/steps/adaptive_p.cpp
#pragma once

#include "core/math/fp_env.h"

#include "core/random/engine.h"
#include "core/steps/saved_state.h"
#include "core/steps/step.h"

namespace bankml {

class AdaptiveP : public Step {
 public:
  // target: wanted probability, clamped to at most 1; below 0 the step is a plain draw. decay: weight of the past in the average,
  // clamped to [0, 0.99].
  AdaptiveP(float target, float decay, uint32_t seed);

  const char* name() const noexcept override { return "adaptive_p"; }
  Status apply(Candidates& set, ErrorText& error) noexcept override;
  void accept(int32_t token) noexcept override;
  void reset(uint32_t seed) noexcept override;
  void seed(uint32_t seed) noexcept override { engine_.seed(seed); }
  void mark() noexcept override;
  void rewind() noexcept override;
  void save_state(StateWriter& out) const override {
    out.f32(weighted_);
    out.f32(total_);
    out.i32(pending_.token);
    out.f32(pending_.p);
    save_engine(out, engine_);
  }
  void load_state(StateReader& in, size_t n_vocab) override {
    weighted_ = in.f32();
    total_ = in.f32();
    pending_.token = load_token(in, n_vocab);
    pending_.p = in.f32();
    marked_pending_ = pending_;
    load_engine(in, engine_);
  }
  std::unique_ptr<Step> clone() const override { return std::make_unique<AdaptiveP>(*this); }

  random::Engine& engine() noexcept { return engine_; }
  float weighted() const noexcept { return weighted_; }
  float total() const noexcept { return total_; }

 private:
  // The token drawn last and its probability before the transformation, until a token is accepted.
  struct Pending {
    int32_t token = -1;
    float p = 0.0f;
  };

  Status draw(Candidates& set, float maximum, float sum, ErrorText& error) noexcept;

  float target_;
  float decay_;
  float weighted_;  // sum of the accepted p, each weighted by decay^age
  float total_;     // sum of those weights
  Pending pending_;
  Pending marked_pending_;
  random::Engine engine_;
};

}  // namespace bankml
