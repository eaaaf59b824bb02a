// xtc: see xtc.h.
//
// Computes: one float is drawn; above `probability` nothing happens. Else, in the sorted softmax, the candidates before the last of
// the leading run with p >= threshold are dropped, if at least min_keep remain. Source: XTC by p-e-w (text-generation-webui, 2024).
// Quirks kept: fewer than two candidates take no random number; the set stays sorted after a change, and is sorted only where the
// step acts.
//
// Tested by tests/steps/xtc.cpp
#include "core/math/fp_env.h"

#include "core/steps/xtc.h"

#include <cstring>

#include "core/candidates/softmax.h"

namespace bankml {

Status Xtc::apply(Candidates& set, ErrorText&) noexcept {
  if (off(probability_, threshold_) || set.size < 2) return Status::ok;
  const float chance = engine_.uniform_float();
  set.work->random_outputs += 1;
  if (chance > probability_) return Status::ok;

  softmax(set, true);
  size_t run = 0;
  while (run < set.size && set.data[run].p >= threshold_) ++run;
  const size_t dropped = run > 0 ? run - 1 : 0;
  if (dropped > 0 && set.size - dropped >= min_keep_) {
    std::memmove(set.data, set.data + dropped, (set.size - dropped) * sizeof(Candidate));
    set.size -= dropped;
  }
  return Status::ok;
}

}  // namespace bankml
