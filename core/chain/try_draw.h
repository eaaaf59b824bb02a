// A chain without truncation, as one: [temperature] dist on a row, without a candidate set.
//
// Tested by tests/chain/try_draw.cpp
#pragma once

#include "core/math/fp_env.h"

#include "core/candidates/candidates.h"
#include "core/candidates/fast_scratch.h"
#include "core/candidates/row.h"
#include "core/steps/draw.h"

namespace bankml {

// After fast_scan_row of the same row, row.edits sorted: makes `out` the one token that dist selects behind a fixed temperature t
// (1 = no such step; p is not computed), and advances the engine as dist does. out.capacity >= 1.
// False: not proven (t <= 0, a scaling that overflows, a draw too close to call); set and engine are unchanged.
bool try_draw(const Row& row, float t, Dist& dist, Candidates& out, FastScratch& scratch) noexcept;

}  // namespace bankml
