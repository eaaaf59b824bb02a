// temperature: divides the logits by a temperature, fixed or chosen by how uncertain the distribution is (dynamic temperature).
//
// Tested by tests/steps/temperature.cpp
#pragma once

#include "core/math/fp_env.h"

#include "core/steps/step.h"

namespace bankml {

class Temperature : public Step {
 public:
  // t: the temperature; 0 or less leaves only the first largest logit. range: > 0 lets it move in [t - range, t + range], not below
  // 0. exponent: bends how the normalised entropy maps to that interval.
  explicit Temperature(float t, float range = 0.0f, float exponent = 1.0f) : t_(t), range_(range), exponent_(exponent) {}

  const char* name() const noexcept override { return "temperature"; }
  Status apply(Candidates& set, ErrorText& error) noexcept override;
  std::unique_ptr<Step> clone() const override { return std::make_unique<Temperature>(*this); }

  float t() const noexcept { return t_; }
  bool dynamic() const noexcept { return range_ > 0.0f; }
  // What the dynamic form divides n > 1 candidates by.
  float dynamic_t(float entropy, size_t n) const noexcept;
  // The dynamic form without the p of the scaled logits, for a caller that draws right after it.
  void scale_dynamic(Candidates& set) const noexcept;

 private:
  void apply_dynamic(Candidates& set) const noexcept;

  float t_;
  float range_;
  float exponent_;
};

}  // namespace bankml
