// Probabilities against the plain computation that llama-server makes, done here with the standard library.
#include <algorithm>
#include <bit>
#include <cmath>

#include "tests/differential/compare.h"

namespace bankml::differential {
namespace {

using reference::PeerCandidate;

bool sound(const std::vector<float>& logits) {
  bool any = false;
  for (const float logit : logits) {
    if (!(logit < HUGE_VALF)) return false;
    any = any || logit > -HUGE_VALF;
  }
  return any;
}

// A fresh set; the n_top best in front; one softmax over all in the order that leaves.
std::vector<PeerCandidate> reference_probs(const std::vector<float>& logits, size_t n_top) {
  std::vector<PeerCandidate> set(logits.size());
  for (size_t i = 0; i < set.size(); ++i) set[i] = {static_cast<int32_t>(i), logits[i], 0.0f};
  const auto greater = [](const PeerCandidate& a, const PeerCandidate& b) { return a.logit > b.logit; };
  if (n_top > 0)
    std::partial_sort(set.begin(), set.begin() + static_cast<std::ptrdiff_t>(std::min(n_top, set.size())), set.end(), greater);
  const float greatest =
      n_top > 0 ? set[0].logit
                : std::max_element(set.begin(), set.end(), [](const auto& a, const auto& b) { return a.logit < b.logit; })->logit;
  float sum = 0.0f;
  for (PeerCandidate& candidate : set) {
    candidate.p = std::exp(candidate.logit - greatest);
    sum += candidate.p;
  }
  for (PeerCandidate& candidate : set) candidate.p /= sum;
  return set;
}

std::string show(int32_t id, float p) { return std::to_string(id) + " p bits " + std::to_string(std::bit_cast<uint32_t>(p)); }

void compare_one(const char* what, size_t i, const bankml_token_prob& ours, int32_t id, float p) {
  if (ours.id != id || std::bit_cast<uint32_t>(ours.p) != std::bit_cast<uint32_t>(p))
    throw Difference(std::string(what) + "[" + std::to_string(i) + "]: ours " + show(ours.id, ours.p) + ", expected " +
                     show(id, p));
}

}  // namespace

void compare_token_probs(bankml_sampler* sampler, const std::vector<float>& logits, size_t n_top, int32_t sampled) {
  std::vector<bankml_token_prob> top(n_top);
  size_t count = 0;
  float sampled_p = -1.0f;
  const bankml_status status =
      bankml_sampler_token_probs(sampler, logits.data(), logits.size(), sampled, n_top, top.data(), top.size(), &count, &sampled_p);
  if (!sound(logits)) {
    if (status == BANKML_OK) throw Difference("token_probs accepts a row without a softmax");
    return;
  }
  if (status != BANKML_OK) throw Difference(std::string("token_probs: ") + bankml_sampler_error(sampler));
  const std::vector<PeerCandidate> expected = reference_probs(logits, n_top);
  if (count != std::min(n_top, logits.size())) throw Difference("token_probs: " + std::to_string(count) + " entries");
  for (size_t i = 0; i < count; ++i) compare_one("token_probs", i, top[i], expected[i].id, expected[i].p);
  for (const PeerCandidate& candidate : expected)
    if (candidate.id == sampled) compare_one("sampled", 0, {sampled, sampled_p}, sampled, candidate.p);
}

void compare_post_probs(bankml_sampler* sampler, const std::vector<bankml_candidate>& candidates, bool sorted, size_t n_top) {
  std::vector<bankml_candidate> listed = candidates;
  if (!sorted)
    std::sort(listed.begin(), listed.end(), [](const bankml_candidate& a, const bankml_candidate& b) { return a.p > b.p; });
  size_t expected = 0;
  while (expected < std::min(n_top, listed.size()) && listed[expected].p != 0.0f) ++expected;
  std::vector<bankml_token_prob> top(n_top);
  size_t count = 0;
  const bankml_status status = bankml_sampler_post_probs(sampler, n_top, top.data(), top.size(), &count);
  if (status != BANKML_OK) throw Difference(std::string("post_probs: ") + bankml_sampler_error(sampler));
  if (count != expected)
    throw Difference("post_probs: " + std::to_string(count) + " entries, expected " + std::to_string(expected));
  for (size_t i = 0; i < count; ++i) compare_one("post_probs", i, top[i], listed[i].id, listed[i].p);
}

}  // namespace bankml::differential
