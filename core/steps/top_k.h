// top_k: keeps the k candidates with the largest logits.
//
// Tested by tests/steps/top_k.cpp
#pragma once

#include "core/math/fp_env.h"

#include "core/steps/step.h"

namespace bankml {

class TopK : public Step {
 public:
  // k <= 0 keeps all and changes nothing.
  explicit TopK(int32_t k) : k_(k) {}
  static bool off(int32_t k) noexcept { return k <= 0; }

  const char* name() const noexcept override { return "top_k"; }
  Status apply(Candidates& set, ErrorText& error) noexcept override;
  std::unique_ptr<Step> clone() const override { return std::make_unique<TopK>(*this); }

  int32_t k() const noexcept { return k_; }

 private:
  int32_t k_;
};

}  // namespace bankml
