// infill: see infill.h.
//
// Computes, with n candidates in the sorted softmax and float sums in array order: text and end mass. If 3 * end * n > text only
// the end tokens stay. Else a token whose piece is a prefix of another's is merged with it, into the likelier of the two; tokens
// with p < 0.2 that are no end tokens leave; if no text token is left the set becomes one end-of-turn token; else p is divided by
// its sum, text tokens below 1 / (their number + 1) leave, and p is divided by its new sum. Source: the infill sampler of llama.cpp
// (for its fill-in-the-middle clients); never part of the server's default chain. Quirks kept: the order of merging is the order of
// the set, so a merged token can absorb or be absorbed later; a dead token's logit is -inf but an end token stays in the set even
// when dead; the end-of-turn token takes slot 0 with the p that stands there and logit 1; `sorted` stays true though a first
// candidate may have been merged away.
//
// Tested by tests/steps/infill.cpp
#include "core/math/fp_env.h"

#include "core/steps/infill.h"

#include <limits>
#include <string_view>

#include "core/candidates/softmax.h"
#include "core/steps/by_id.h"

namespace bankml {

namespace infill_detail {

inline void divide(Candidates& set, float sum) noexcept {
  for (size_t i = 0; i < set.size; ++i) set.data[i].p /= sum;
}

}  // namespace infill_detail

void Infill::keep_ends(Candidates& set) const noexcept {
  size_t kept = 0;
  float sum = 0.0f;
  for (size_t i = 0; i < set.size; ++i) {
    if (!is_end(set.data[i].id)) continue;
    sum += set.data[i].p;
    set.data[kept++] = set.data[i];
  }
  set.size = kept;
  infill_detail::divide(set, sum);
}

void Infill::merge_prefixes(Candidates& set) const noexcept {
  for (size_t i = 0; i < set.size; ++i) {
    Candidate& a = set.data[i];
    const std::string_view prefix = piece(a.id);
    if (prefix.empty()) continue;
    for (size_t j = 0; j < set.size && !is_banned(a.logit); ++j) {
      Candidate& b = set.data[j];
      if (i == j || is_banned(b.logit) || !piece(b.id).starts_with(prefix)) continue;
      Candidate& winner = b.p > a.p ? b : a;
      Candidate& loser = b.p > a.p ? a : b;
      winner.p += loser.p;
      loser.logit = -std::numeric_limits<float>::infinity();
      loser.p = 0.0f;
    }
  }
}

Status Infill::apply(Candidates& set, ErrorText& error) noexcept {
  if (set.size == 0) return Status::ok;
  softmax(set, true);
  float text = 0.0f;
  float end = 0.0f;
  for (size_t i = 0; i < set.size; ++i) (is_end(set.data[i].id) ? end : text) += set.data[i].p;
  if (3.0f * end * static_cast<float>(set.size) > text) {
    keep_ends(set);
    return Status::ok;
  }
  merge_prefixes(set);

  size_t kept = 0;
  size_t n_text = 0;
  float sum = 0.0f;
  for (size_t i = 0; i < set.size; ++i) {
    const bool ends = is_end(set.data[i].id);
    if (set.data[i].p < 0.2f && !ends) continue;
    if (!ends) ++n_text;
    sum += set.data[i].p;
    set.data[kept++] = set.data[i];
  }
  set.size = kept;
  if (n_text == 0) {
    const int32_t token = vocab_->eot() >= 0 ? vocab_->eot() : vocab_->eos();
    if (token < 0)
      return error.set(Status::no_candidate,
                       "infill: no text token is left and the vocabulary has no end-of-turn or end-of-sequence token");
    set.size = 1;
    set.data[0].id = token;
    set.data[0].logit = 1.0f;
    return Status::ok;
  }
  infill_detail::divide(set, sum);

  const float threshold = static_cast<float>(1.0 / static_cast<double>(n_text + 1));
  kept = 0;
  sum = 0.0f;
  for (size_t i = 0; i < set.size; ++i) {
    if (set.data[i].p < threshold && !is_end(set.data[i].id)) continue;
    sum += set.data[i].p;
    set.data[kept++] = set.data[i];
  }
  set.size = kept;
  infill_detail::divide(set, sum);
  return Status::ok;
}

}  // namespace bankml
