// min_p: keeps the candidates that are at least p times as likely as the most likely one.
//
// Tested by tests/steps/min_p.cpp
#pragma once

#include "core/math/fp_env.h"

#include "core/steps/step.h"

namespace bankml {

class MinP : public Step {
 public:
  // p: share of the largest probability, off at 0 or less. min_keep: candidates that always stay.
  MinP(float p, size_t min_keep) : p_(p), min_keep_(min_keep) {}
  static bool off(float p) noexcept { return p <= 0.0f; }

  const char* name() const noexcept override { return "min_p"; }
  Status apply(Candidates& set, ErrorText& error) noexcept override;
  std::unique_ptr<Step> clone() const override { return std::make_unique<MinP>(*this); }

  float p() const noexcept { return p_; }
  size_t min_keep() const noexcept { return min_keep_; }

 private:
  float p_;
  size_t min_keep_;
};

}  // namespace bankml
