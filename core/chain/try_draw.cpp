// The draw over a whole row: see try_draw.h.
//
// dist wants one decision, which token; probabilities and sums are only means to it. So weights are taken to within an error that
// is known, and only a draw that falls too close to the border of two tokens is repeated with the exact weights, then in full: see
// core/candidates/fast_mass.h. One random number serves all tries.
//
// Tested by tests/chain/try_draw.cpp
#include "core/math/fp_env.h"

#include "core/chain/try_draw.h"

#include <limits>

#include "core/candidates/fast_mass.h"
#include "core/candidates/fast_row_scan.h"

namespace bankml {

bool try_draw(const Row& row, float t, Dist& dist, Candidates& out, FastScratch& scratch) noexcept {
  if (!(t > 0.0f) || row.n < 2 || !fast_apply_edits(row, scratch, *out.kernels)) return false;
  const RowWeights weights{row, t, scratch.maximum / t};
  constexpr float finite = std::numeric_limits<float>::max();
  if (!(weights.shift >= -finite && weights.shift <= finite)) return false;

  const double u = dist.engine().uniform_double();
  for (const bool exact : {false, true}) {
    double error = 0;
    const double total = fast_masses(weights, exact, scratch, *out.kernels, error);
    out.work->exps += row.n;
    size_t token = 0;
    if (!fast_locate(weights, u, total, error, scratch, *out.kernels, token)) continue;
    out.work->random_outputs += 2;
    out.data[0] = {static_cast<int32_t>(token), row.logits[token], 0.0f};
    out.size = 1;
    out.selected = 0;
    return true;
  }
  dist.rewind();
  return false;
}

}  // namespace bankml
