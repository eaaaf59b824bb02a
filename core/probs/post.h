// Probabilities after sampling: what the chain left, sorted by p.
//
// Computes: the candidates sorted by p, descending, with std::sort's order of equal p; the first n_top of them, ending before the
// first p = 0. Source: llama-server's post_sampling_probs. Quirk kept: a set that is `sorted` by logit is listed as it stands. Its
// p descend too, unless the last step was adaptive_p, which draws from transformed logits and leaves the flag; and equal p stay in
// the order of the logits.
//
// Tested by tests/probs/post.cpp
#pragma once

#include "core/math/fp_env.h"

#include <cstddef>

#include "core/candidates/candidates.h"
#include "core/probs/token_prob.h"

namespace bankml {

// set: as the last step left it; its data is not changed, its scratch is. Writes at most n_top entries to `out`; returns how many.
size_t post_probs(const Candidates& set, size_t n_top, TokenProb* out) noexcept;

}  // namespace bankml
