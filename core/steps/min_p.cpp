// min_p: see min_p.h.
//
// Computes: the bound max + logf(p) on the logits, so no probabilities are needed. Unsorted: the candidates not below the bound
// stay, in their order, if at least one and at least min_keep do; the set is still unsorted. Otherwise the set is sorted and cut at
// the first candidate, after the first one and after min_keep, that lies below the bound. Source: Nguyen et al., "Turning Up the
// Heat: Min-p Sampling" (2024). Quirk kept: the maximum of the unsorted form starts from the lowest float, so a set of -inf alone
// goes to the sorted form.
//
// Tested by tests/steps/min_p.cpp
#include "core/math/fp_env.h"

#include "core/steps/min_p.h"

#include <algorithm>
#include <limits>

#include "core/candidates/softmax.h"
#include "core/candidates/sort.h"
#include "core/math/logf.h"

namespace bankml {

Status MinP::apply(Candidates& set, ErrorText&) noexcept {
  if (off(p_) || set.size == 0) return Status::ok;
  const float range = math::logf(p_);
  if (!set.sorted) {
    const float bound = std::max(std::numeric_limits<float>::lowest(), maximum_logit(set)) + range;
    size_t kept = 0;
    for (size_t i = 0; i < set.size; ++i) {
      if (set.data[i].logit >= bound) set.scratch[kept++] = set.data[i];
    }
    if (kept > 0 && kept >= min_keep_) {
      set.swap_scratch();
      set.size = kept;
      return Status::ok;
    }
    sort_in_place(set, set.size);
  }
  const float bound = set.data[0].logit + range;
  size_t kept = 1;
  while (kept < set.size && !(set.data[kept].logit < bound && kept >= min_keep_)) ++kept;
  set.size = kept;
  return Status::ok;
}

}  // namespace bankml
