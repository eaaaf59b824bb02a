// Probabilities and candidates at the border.
//
// Tested by tests/capi/sampler.c and tests/capi/refusals.c
#include <algorithm>
#include <cstddef>

#include "capi/src/alone.h"
#include "capi/src/handles.h"
#include "core/math/fp_mode.h"
#include "core/probs/post.h"
#include "core/probs/raw.h"

namespace bankml::capi {

static_assert(sizeof(bankml_token_prob) == sizeof(TokenProb) && offsetof(bankml_token_prob, p) == offsetof(TokenProb, p));
static_assert(sizeof(bankml_candidate) == sizeof(Candidate) && offsetof(bankml_candidate, logit) == offsetof(Candidate, logit) &&
              offsetof(bankml_candidate, p) == offsetof(Candidate, p));

// `count` entries are to be written to a buffer of `cap`.
Status check_room(const void* out, size_t cap, size_t count, ErrorText& error) noexcept {
  if (out == nullptr && cap > 0) return error.set(Status::arg, "out is NULL, but cap is %zu", cap);
  if (count > cap) return error.set(Status::buffer, "%zu entries, the buffer has room for %zu", count, cap);
  return Status::ok;
}

}  // namespace bankml::capi

extern "C" {

bankml_status bankml_sampler_candidates(bankml_sampler* s, bankml_candidate* out, size_t cap, size_t* count) noexcept {
  return bankml::capi::alone(s, [&](bankml::Sampler& sampler, bankml::ErrorText& error) {
    if (count == nullptr) return error.set(bankml::Status::arg, "count is NULL");
    return sampler.with_kept(error, [&](const bankml::Candidates& set) {
      *count = set.size;
      const bankml::Status room = bankml::capi::check_room(out, cap, set.size, error);
      if (room != bankml::Status::ok) return room;
      std::transform(set.data, set.data + set.size, out, [](const bankml::Candidate& c) {
        return bankml_candidate{c.id, c.logit, c.p};
      });
      return bankml::Status::ok;
    });
  });
}

bankml_status bankml_sampler_post_probs(bankml_sampler* s, size_t n_top, bankml_token_prob* out, size_t cap,
                                        size_t* count) noexcept {
  return bankml::capi::alone(s, [&](bankml::Sampler& sampler, bankml::ErrorText& error) {
    if (count == nullptr) return error.set(bankml::Status::arg, "count is NULL");
    return sampler.with_kept(error, [&](const bankml::Candidates& set) {
      *count = std::min(n_top, set.size);
      const bankml::Status room = bankml::capi::check_room(out, cap, *count, error);
      if (room != bankml::Status::ok) return room;
      *count = bankml::post_probs(set, n_top, reinterpret_cast<bankml::TokenProb*>(out));
      ++sampler.perf.prob_calls;
      return bankml::Status::ok;
    });
  });
}

bankml_status bankml_sampler_token_probs(bankml_sampler* s, const float* logits, size_t n, int32_t sampled, size_t n_top,
                                         bankml_token_prob* out, size_t cap, size_t* count, float* sampled_p) noexcept {
  return bankml::capi::alone(s, [&](bankml::Sampler& sampler, bankml::ErrorText& error) {
    if (logits == nullptr) return error.set(bankml::Status::arg, "logits is NULL");
    if (count == nullptr) return error.set(bankml::Status::arg, "count is NULL");
    if (n != sampler.n_vocab())
      return error.set(bankml::Status::length, "n is %zu, the sampler's n_vocab is %zu", n, sampler.n_vocab());
    if (sampled < -1 || sampled >= static_cast<int64_t>(n)) {
      return error.set(bankml::Status::token, "sampled is %d, outside [0, %zu) and not -1", sampled, n);
    }
    if (sampled >= 0 && sampled_p == nullptr)
      return error.set(bankml::Status::arg, "sampled_p is NULL, but sampled is %d", sampled);
    *count = std::min(n_top, n);
    const bankml::Status room = bankml::capi::check_room(out, cap, *count, error);
    if (room != bankml::Status::ok) return room;
    const bankml::math::FpModeGuard fp_mode;
    const bankml::RawRequest request{logits, n, n_top, sampled};
    const bankml::Status status = bankml::raw_probs(request, sampler.kernels(), sampler.perf.work,
                                                    reinterpret_cast<bankml::TokenProb*>(out), sampled_p, error);
    if (status == bankml::Status::ok) ++sampler.perf.prob_calls;
    return status;
  });
}

}  // extern "C"
