// logit_bias: adds a number to the logits of named tokens; -inf bans one. First in the chain.
//
// Tested by tests/steps/logit_bias.cpp
#pragma once

#include "core/math/fp_env.h"

#include <vector>

#include "core/steps/step.h"

namespace bankml {

struct TokenBias {
  int32_t token;
  float bias;  // not NaN
};

class LogitBias : public Step {
 public:
  // The list is applied in order; a token may occur more than once. Tokens outside the vocabulary match nothing.
  explicit LogitBias(std::vector<TokenBias> list);
  static bool off(const std::vector<TokenBias>& list) noexcept { return list.empty(); }

  const char* name() const noexcept override { return "logit_bias"; }
  Status apply(Candidates& set, ErrorText& error) noexcept override;
  bool edit(Row& row, Work& work) noexcept override;
  size_t edit_capacity() const noexcept override { return by_token_.size(); }
  std::unique_ptr<Step> clone() const override { return std::make_unique<LogitBias>(*this); }
  size_t bytes() const noexcept override { return (list_.capacity() + by_token_.capacity()) * sizeof(TokenBias); }

  const std::vector<TokenBias>& list() const noexcept { return list_; }

 private:
  std::vector<TokenBias> list_;
  std::vector<TokenBias> by_token_;  // the first entry of each token, ascending
};

}  // namespace bankml
