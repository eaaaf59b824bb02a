// mirostat_v2: keeps the surprise of the text near a target by cutting candidates that would surprise more than mu (version 2).
//
// Tested by tests/steps/mirostat_v2.cpp
#pragma once

#include "core/math/fp_env.h"

#include "core/steps/mirostat_state.h"
#include "core/steps/step.h"

namespace bankml {

class MirostatV2 : public Step {
 public:
  // tau: target surprise in bits. eta: learning rate.
  MirostatV2(float tau, float eta, uint32_t seed) : state_(tau, eta, seed) {}

  const char* name() const noexcept override { return "mirostat_v2"; }
  Status apply(Candidates& set, ErrorText& error) noexcept override;
  void reset(uint32_t seed) noexcept override { state_.reset(seed); }
  void seed(uint32_t seed) noexcept override { state_.engine().seed(seed); }
  void mark() noexcept override { state_.mark(); }
  void rewind() noexcept override { state_.rewind(); }
  void save_state(StateWriter& out) const override { state_.save(out); }
  void load_state(StateReader& in, size_t) override { state_.load(in); }
  std::unique_ptr<Step> clone() const override { return std::make_unique<MirostatV2>(*this); }

  MirostatState& state() noexcept { return state_; }

 private:
  MirostatState state_;
};

}  // namespace bankml
