// The two plain draws that end a chain: dist, by probability, and greedy, the largest logit.
//
// Tested by tests/steps/draw.cpp
#pragma once

#include "core/math/fp_env.h"

#include "core/random/engine.h"
#include "core/steps/saved_state.h"
#include "core/steps/step.h"

namespace bankml {

class Dist : public Step {
 public:
  explicit Dist(uint32_t seed) : engine_(seed) {}

  const char* name() const noexcept override { return "dist"; }
  Status apply(Candidates& set, ErrorText& error) noexcept override;
  void reset(uint32_t seed) noexcept override { engine_.seed(seed); }
  void seed(uint32_t seed) noexcept override { engine_.seed(seed); }
  void mark() noexcept override { engine_.mark(); }
  void rewind() noexcept override { engine_.rewind(); }
  void save_state(StateWriter& out) const override { save_engine(out, engine_); }
  void load_state(StateReader& in, size_t) override { load_engine(in, engine_); }
  std::unique_ptr<Step> clone() const override { return std::make_unique<Dist>(*this); }

  random::Engine& engine() noexcept { return engine_; }

 private:
  random::Engine engine_;
};

class Greedy : public Step {
 public:
  const char* name() const noexcept override { return "greedy"; }
  Status apply(Candidates& set, ErrorText& error) noexcept override;
  std::unique_ptr<Step> clone() const override { return std::make_unique<Greedy>(*this); }
};

}  // namespace bankml
