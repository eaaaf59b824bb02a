// logit_bias: see logit_bias.h.
//
// Computes: for each entry in list order, if the candidate at index `token` is that token, its logit += bias; the entries left over
// are looked for among the candidates by id. Source: llama.cpp's logit-bias sampler and OpenAI's request field of that name. Quirk
// kept: a token found at its own index gets every entry of the list, one found by search only the first. A logit of -inf stays -inf
// (the reference makes NaN of -inf plus a bias of +inf).
//
// Tested by tests/steps/logit_bias.cpp
#include "core/math/fp_env.h"

#include "core/steps/logit_bias.h"

#include <algorithm>

#include "core/steps/by_id.h"

namespace bankml {

namespace logit_bias_detail {

inline void add(float& logit, float bias) noexcept {
  if (!is_banned(logit)) logit += bias;
}

inline bool lower_token(const TokenBias& a, const TokenBias& b) noexcept { return a.token < b.token; }

}  // namespace logit_bias_detail

LogitBias::LogitBias(std::vector<TokenBias> list) : list_(std::move(list)), by_token_(list_) {
  using logit_bias_detail::lower_token;
  std::stable_sort(by_token_.begin(), by_token_.end(), lower_token);
  const auto same = [](const TokenBias& a, const TokenBias& b) { return a.token == b.token; };
  by_token_.erase(std::unique(by_token_.begin(), by_token_.end(), same), by_token_.end());
}

Status LogitBias::apply(Candidates& set, ErrorText&) noexcept {
  using namespace logit_bias_detail;
  bool search = false;
  for (const TokenBias& entry : list_) {
    if (is_at_home(set, entry.token)) {
      add(set.data[entry.token].logit, entry.bias);
    } else if (entry.token >= 0 && static_cast<size_t>(entry.token) < set.n_vocab) {
      search = true;
    }
  }
  if (!search) return Status::ok;
  for (size_t i = 0; i < set.size; ++i) {
    const TokenBias key{set.data[i].id, 0.0f};
    const auto found = std::lower_bound(by_token_.begin(), by_token_.end(), key, lower_token);
    if (found == by_token_.end() || found->token != key.token || is_at_home(set, key.token)) continue;
    add(set.data[i].logit, found->bias);
  }
  return Status::ok;
}

bool LogitBias::edit(Row& row, Work&) noexcept {
  for (const TokenBias& entry : list_) {
    if (entry.token < 0 || static_cast<size_t>(entry.token) >= row.n || !row.allowed(static_cast<size_t>(entry.token))) continue;
    float* logit = row.edits->at(entry.token, row.logits[entry.token]);
    if (logit == nullptr) return false;
    logit_bias_detail::add(*logit, entry.bias);
  }
  return true;
}

}  // namespace bankml
