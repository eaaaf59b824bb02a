// dry: takes logits off tokens that would continue a repetition of the recent text, more for each token it is long.
//
// Tested by tests/steps/dry.cpp
#pragma once

#include "core/math/fp_env.h"

#include <memory>
#include <vector>

#include "core/candidates/token_window.h"
#include "core/steps/dry_breakers.h"
#include "core/steps/saved_state.h"
#include "core/steps/step.h"

namespace bankml {

class Dry : public Step {
 public:
  // multiplier: what the first penalised length costs. base: factor for each further token, >= 1. allowed_length: repeats shorter
  // than this cost nothing. last_n: length of the history looked at. breakers: sequences that a repeat cannot reach across; null =
  // none.
  Dry(float multiplier, float base, size_t allowed_length, size_t last_n, std::shared_ptr<const DryBreakers> breakers);
  static bool off(float multiplier, float base, int64_t last_n) noexcept {
    return multiplier == 0.0f || base < 1.0f || last_n == 0;
  }

  const char* name() const noexcept override { return "dry"; }
  Status apply(Candidates& set, ErrorText& error) noexcept override;
  bool edit(Row& row, Work& work) noexcept override;
  size_t edit_capacity() const noexcept override { return window_.length() <= TokenWindow::preallocated ? window_.length() : 0; }
  void reserve(size_t n) override;
  void accept(int32_t token) noexcept override { window_.accept(token); }
  void reset(uint32_t) noexcept override { window_.reset(); }
  void save_state(StateWriter& out) const override { save_window(out, window_); }
  void load_state(StateReader& in, size_t n_vocab) override;
  std::unique_ptr<Step> clone() const override { return std::make_unique<Dry>(*this); }
  size_t bytes() const noexcept override;

  const TokenWindow& window() const noexcept { return window_; }

 private:
  struct Penalty {
    int32_t token;
    uint32_t length;  // of the repeat that the token would continue
    float off;        // from its logit
  };

  bool find_penalties(Work& work) noexcept;
  size_t repeat_limit(size_t n, Work& work) const noexcept;
  void match_lengths(size_t n, size_t limit, Work& work) noexcept;
  float penalty(size_t length) const noexcept;

  float multiplier_;
  float base_;
  size_t allowed_;
  size_t exponent_cap_;
  std::shared_ptr<const DryBreakers> breakers_;
  TokenWindow window_;

  // Work space of a draw, as large as the window. Between draws `place_` is all no_place.
  std::vector<int32_t> history_;   // the window, last token first
  std::vector<uint32_t> lengths_;  // match length at each place of the history
  std::vector<uint32_t> place_;    // by the token's place in the window's list: index in penalties_
  std::vector<Penalty> penalties_;
  size_t n_penalties_ = 0;
};

}  // namespace bankml
