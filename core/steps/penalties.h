// penalties: makes tokens of the recent history less likely (repeat, frequency and presence penalty).
//
// Tested by tests/steps/penalties.cpp
#pragma once

#include "core/math/fp_env.h"

#include "core/candidates/token_window.h"
#include "core/steps/saved_state.h"
#include "core/steps/step.h"

namespace bankml {

class Penalties : public Step {
 public:
  // last_n: length of the history looked at. repeat: finite, > 0, divides positive logits and multiplies the others. frequency:
  // taken off once per occurrence. presence: taken off once.
  Penalties(size_t last_n, float repeat, float frequency, float presence)
      : repeat_(repeat), frequency_(frequency), presence_(presence), window_(last_n) {}
  static bool off(int64_t last_n, float repeat, float frequency, float presence) noexcept {
    return last_n == 0 || (repeat == 1.0f && frequency == 0.0f && presence == 0.0f);
  }

  const char* name() const noexcept override { return "penalties"; }
  Status apply(Candidates& set, ErrorText& error) noexcept override;
  bool edit(Row& row, Work& work) noexcept override;
  // Windows that outgrow what is allocated at construction have no bound that an edit list could be built for.
  size_t edit_capacity() const noexcept override { return window_.length() <= TokenWindow::preallocated ? window_.length() : 0; }
  void reserve(size_t n) override { window_.reserve(n); }
  void accept(int32_t token) noexcept override { window_.accept(token); }
  void reset(uint32_t) noexcept override { window_.reset(); }
  void save_state(StateWriter& out) const override { save_window(out, window_); }
  void load_state(StateReader& in, size_t n_vocab) override { load_window(in, n_vocab, window_); }
  std::unique_ptr<Step> clone() const override { return std::make_unique<Penalties>(*this); }
  size_t bytes() const noexcept override { return window_.bytes(); }

  const TokenWindow& window() const noexcept { return window_; }

 private:
  float penalised(float logit, uint32_t count) const noexcept;

  float repeat_;
  float frequency_;
  float presence_;
  TokenWindow window_;
};

}  // namespace bankml
