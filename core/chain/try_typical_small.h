// typical in front of a draw, on a row that is too small for buckets.
//
// Tested by tests/chain/try_typical.cpp
#pragma once

#include "core/math/fp_env.h"

#include "core/candidates/candidates.h"
#include "core/candidates/row.h"
#include "core/steps/draw.h"
#include "core/steps/typical.h"

namespace bankml {

inline constexpr size_t small_typical_row = 1024;

// As try_typical, after fast_apply_edits gave `maximum`; row.n is at most small_typical_row.
bool try_typical_small(const Row& row, const Typical& step, float t, float maximum, Dist& dist, Candidates& out) noexcept;

}  // namespace bankml
