// One caller at a time on a sampler: a second thread gets BUSY and touches nothing, the text of the first one's error included.
#pragma once

#include "capi/src/handles.h"

namespace bankml::capi {

// Runs `body(sampler, error)`, which returns a Status and may throw.
template <class Body>
bankml_status alone(bankml_sampler* s, Body&& body) noexcept {
  if (s == nullptr) return BANKML_ARG;
  const BusyScope scope(s->sampler->busy);
  if (!scope.entered()) return BANKML_BUSY;
  return guard(s->error, [&] { return body(*s->sampler, s->error); });
}

// A draw under a mask whose length is checked; the caller is alone on the sampler.
inline Status sample_masked(Sampler& sampler, const float* logits, size_t n, const uint32_t* words, size_t n_words, int32_t* token,
                            ErrorText& error) noexcept {
  const size_t needed = sampler.n_vocab() / 32 + (sampler.n_vocab() % 32 != 0);
  if (n_words < needed) return error.set(Status::length, "the mask has %zu words, %zu tokens need %zu", n_words, n, needed);
  const Status status = sampler.sample(logits, n, words, token, error);
  if (status == Status::ok) ++sampler.perf.redraws;
  return status;
}

}  // namespace bankml::capi
