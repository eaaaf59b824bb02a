// A dynamic temperature in front of a draw: temperature and dist as one, on a row.
//
// Tested by tests/chain/try_dynamic.cpp
#pragma once

#include "core/math/fp_env.h"

#include "core/candidates/candidates.h"
#include "core/candidates/fast_scratch.h"
#include "core/candidates/row.h"
#include "core/steps/draw.h"
#include "core/steps/temperature.h"

namespace bankml {

// As try_draw for a temperature with a range; out.capacity >= row.n.
bool try_dynamic(const Row& row, const Temperature& step, Dist& dist, Candidates& out, FastScratch& scratch) noexcept;

}  // namespace bankml
