// top_k: see top_k.h.
//
// Computes: k = min(k, n); an unsorted set gets its k largest in order (sort_in_place), a sorted one is only cut.
// Source: Fan et al., "Hierarchical Neural Story Generation" (2018).
// Quirks kept: k above n still sorts; which of tied logits stay, and where, is decided by the heap or the buckets.
//
// Tested by tests/steps/top_k.cpp
#include "core/math/fp_env.h"

#include "core/steps/top_k.h"

#include <algorithm>

#include "core/candidates/sort.h"

namespace bankml {

Status TopK::apply(Candidates& set, ErrorText&) noexcept {
  if (off(k_)) return Status::ok;
  const size_t k = std::min(static_cast<size_t>(k_), set.size);
  if (!set.sorted) sort_in_place(set, k);
  set.size = k;
  return Status::ok;
}

}  // namespace bankml
