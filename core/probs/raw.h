// Probabilities of a row before sampling: the softmax of the raw logits, independent of parameters and history (n_probs, logprobs).
//
// Tested by tests/probs/raw.cpp
#pragma once

#include "core/math/fp_env.h"

#include <cstddef>
#include <cstdint>

#include "core/base/error_text.h"
#include "core/base/status.h"
#include "core/candidates/candidates.h"
#include "core/probs/token_prob.h"
#include "core/simd/kernels.h"

namespace bankml {

struct RawRequest {
  const float* logits;  // n values
  size_t n;
  size_t n_top;   // how many of the best are listed; above n means n, 0 none
  int32_t named;  // the token whose p is wanted too, or -1
};

// Writes min(n_top, n) entries to `top` in the reference's order, and the named token's p to *named_p (may be null when named is
// -1). nonfinite or no_candidate for a row with NaN or +inf, or of -inf alone; `top` is then garbage. named < n. Allocates nothing.
Status raw_probs(const RawRequest& request, const simd::Kernels& kernels, Work& work, TokenProb* top, float* named_p,
                 ErrorText& error) noexcept;

}  // namespace bankml
