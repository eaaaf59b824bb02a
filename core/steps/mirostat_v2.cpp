// mirostat_v2: see mirostat_v2.h.
//
// Computes: in the sorted softmax the set is cut at the first candidate whose surprise -log2f(p) is above mu, at least one stays;
// then the common draw. Source: Basu et al., "Mirostat" (2021), with the cut by surprise that its authors' code calls version 2.
//
// Tested by tests/steps/mirostat_v2.cpp
#include "core/math/fp_env.h"

#include "core/steps/mirostat_v2.h"

#include <algorithm>

namespace bankml {

Status MirostatV2::apply(Candidates& set, ErrorText& error) noexcept {
  softmax(set, true);
  size_t kept = 0;
  while (kept < set.size && !(-math::log2f(set.data[kept].p) > state_.mu())) ++kept;
  set.size = std::min(std::max<size_t>(kept, 1), set.size);
  return state_.draw(name(), set, error);
}

}  // namespace bankml
