// xtc: now and then drops the most likely candidates but keeps the last that is likely enough ("exclude top choices").
//
// Tested by tests/steps/xtc.cpp
#pragma once

#include "core/math/fp_env.h"

#include "core/random/engine.h"
#include "core/steps/saved_state.h"
#include "core/steps/step.h"

namespace bankml {

class Xtc : public Step {
 public:
  // probability: chance of acting, off at 0 or less. threshold: p from which a candidate counts as a top choice, off above 0.5.
  // min_keep: candidates that must remain, else nothing is dropped.
  Xtc(float probability, float threshold, size_t min_keep, uint32_t seed)
      : probability_(probability), threshold_(threshold), min_keep_(min_keep), engine_(seed) {}
  static bool off(float probability, float threshold) noexcept { return probability <= 0.0f || threshold > 0.5f; }

  const char* name() const noexcept override { return "xtc"; }
  Status apply(Candidates& set, ErrorText& error) noexcept override;
  void reset(uint32_t seed) noexcept override { engine_.seed(seed); }
  void seed(uint32_t seed) noexcept override { engine_.seed(seed); }
  void mark() noexcept override { engine_.mark(); }
  void rewind() noexcept override { engine_.rewind(); }
  void save_state(StateWriter& out) const override { save_engine(out, engine_); }
  void load_state(StateReader& in, size_t) override { load_engine(in, engine_); }
  std::unique_ptr<Step> clone() const override { return std::make_unique<Xtc>(*this); }

  float probability() const noexcept { return probability_; }
  float threshold() const noexcept { return threshold_; }
  size_t min_keep() const noexcept { return min_keep_; }
  random::Engine& engine() noexcept { return engine_; }

 private:
  float probability_;
  float threshold_;
  size_t min_keep_;
  random::Engine engine_;
};

}  // namespace bankml
