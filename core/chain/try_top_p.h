// top_p on a row that no step has truncated, and the draw behind it where that is all that follows.
//
// Tested by tests/chain/try_top_p.cpp
#pragma once

#include "core/math/fp_env.h"

#include "core/candidates/candidates.h"
#include "core/candidates/fast_scratch.h"
#include "core/candidates/row.h"
#include "core/steps/draw.h"
#include "core/steps/top_p.h"

namespace bankml {

// After fast_scan_row of the same row, row.edits sorted: leaves in `out` what top_p leaves, out.capacity >= row.n. With `dist`
// (what follows is a fixed temperature t, 1 = none, and dist, and nobody asks for candidates) a large set may become the drawn
// token alone: then `drawn` is set and the engine advanced. False: not proven; set and steps are unchanged.
bool try_top_p(const Row& row, const TopP& step, float t, Dist* dist, Candidates& out, FastScratch& scratch, bool& drawn) noexcept;

}  // namespace bankml
