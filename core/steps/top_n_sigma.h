// top_n_sigma: masks the candidates that lie more than n standard deviations below the largest logit.
//
// Tested by tests/steps/top_n_sigma.cpp
#pragma once

#include "core/math/fp_env.h"

#include "core/steps/step.h"

namespace bankml {

class TopNSigma : public Step {
 public:
  // n: standard deviations to keep, off at 0 or less.
  explicit TopNSigma(float n) : n_(n) {}
  static bool off(float n) noexcept { return n <= 0.0f; }

  const char* name() const noexcept override { return "top_n_sigma"; }
  Status apply(Candidates& set, ErrorText& error) noexcept override;
  std::unique_ptr<Step> clone() const override { return std::make_unique<TopNSigma>(*this); }

  float n() const noexcept { return n_; }

 private:
  float n_;
};

}  // namespace bankml
