// typical in front of a draw: typical, [temperature] and dist as one, on a row.
//
// Tested by tests/chain/try_typical.cpp
#pragma once

#include "core/math/fp_env.h"

#include "core/candidates/candidates.h"
#include "core/candidates/fast_scratch.h"
#include "core/candidates/row.h"
#include "core/steps/draw.h"
#include "core/steps/typical.h"

namespace bankml {

// As try_draw, with typical in front; t: the fixed temperature between them, 1 = no such step. out.capacity >= row.n.
bool try_typical(const Row& row, const Typical& step, float t, Dist& dist, Candidates& out, FastScratch& scratch) noexcept;

}  // namespace bankml
