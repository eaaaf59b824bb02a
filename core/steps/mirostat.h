// mirostat: keeps the surprise of the text near a target, with a cut from an estimate of how steep the distribution is (version 1).
//
// Tested by tests/steps/mirostat.cpp
#pragma once

#include "core/math/fp_env.h"

#include "core/steps/mirostat_state.h"
#include "core/steps/step.h"

namespace bankml {

class Mirostat : public Step {
 public:
  // tau: target surprise in bits. eta: learning rate. m: candidates the estimate looks at. The vocabulary's size is the set's
  // n_vocab.
  Mirostat(float tau, float eta, uint32_t seed, size_t m = 100) : m_(m), state_(tau, eta, seed) {}

  const char* name() const noexcept override { return "mirostat"; }
  Status apply(Candidates& set, ErrorText& error) noexcept override;
  void reset(uint32_t seed) noexcept override { state_.reset(seed); }
  void seed(uint32_t seed) noexcept override { state_.engine().seed(seed); }
  void mark() noexcept override { state_.mark(); }
  void rewind() noexcept override { state_.rewind(); }
  void save_state(StateWriter& out) const override { state_.save(out); }
  void load_state(StateReader& in, size_t) override { state_.load(in); }
  std::unique_ptr<Step> clone() const override { return std::make_unique<Mirostat>(*this); }

  MirostatState& state() noexcept { return state_; }

  // How many of the candidates stay: looks at the p of the first m and at the size of the sorted set.
  size_t cut(const Candidates& set) const noexcept;
  size_t m() const noexcept { return m_; }

 private:
  size_t m_;
  MirostatState state_;
};

}  // namespace bankml
