// Post-sampling probabilities: see post.h.
//
// Tested by tests/probs/post.cpp
#include "core/math/fp_env.h"

#include "core/probs/post.h"

#include <algorithm>

#include "core/order/introsort.h"

namespace bankml {

size_t post_probs(const Candidates& set, size_t n_top, TokenProb* out) noexcept {
  const Candidate* listed = set.data;
  if (!set.sorted) {
    std::copy_n(set.data, set.size, set.scratch);
    order::introsort(set.scratch, set.scratch + set.size, [](const Candidate& a, const Candidate& b) { return a.p > b.p; });
    listed = set.scratch;
  }
  const size_t n = std::min(n_top, set.size);
  size_t written = 0;
  while (written < n && listed[written].p > 0.0f) {
    out[written] = {listed[written].id, listed[written].p};
    ++written;
  }
  return written;
}

}  // namespace bankml
