// top_p: keeps the smallest set of most likely candidates whose probabilities sum to p.
//
// Tested by tests/steps/top_p.cpp
#pragma once

#include "core/math/fp_env.h"

#include "core/steps/step.h"

namespace bankml {

class TopP : public Step {
 public:
  // p: mass to keep, off at 1 or more. min_keep: candidates that always stay.
  TopP(float p, size_t min_keep) : p_(p), min_keep_(min_keep) {}
  static bool off(float p) noexcept { return p >= 1.0f; }

  const char* name() const noexcept override { return "top_p"; }
  Status apply(Candidates& set, ErrorText& error) noexcept override;
  std::unique_ptr<Step> clone() const override { return std::make_unique<TopP>(*this); }

  float p() const noexcept { return p_; }
  size_t min_keep() const noexcept { return min_keep_; }

 private:
  float p_;
  size_t min_keep_;
};

}  // namespace bankml
