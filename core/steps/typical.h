// typical: keeps the candidates whose surprise is closest to the expected one (the entropy), until they hold probability p.
//
// Tested by tests/steps/typical.cpp
#pragma once

#include "core/math/fp_env.h"

#include "core/steps/step.h"

namespace bankml {

class Typical : public Step {
 public:
  // p: mass to keep, off at 1 or more. min_keep: candidates that always stay.
  Typical(float p, size_t min_keep) : p_(p), min_keep_(min_keep) {}
  static bool off(float p) noexcept { return p >= 1.0f; }

  const char* name() const noexcept override { return "typical"; }
  Status apply(Candidates& set, ErrorText& error) noexcept override;
  std::unique_ptr<Step> clone() const override { return std::make_unique<Typical>(*this); }

  float p() const noexcept { return p_; }
  size_t min_keep() const noexcept { return min_keep_; }

 private:
  float p_;
  size_t min_keep_;
};

}  // namespace bankml
