// min_p on a row that no step has truncated: the survivors, without building the candidate set.
//
// Tested by tests/candidates/fast_min_p.cpp
#pragma once

#include <cstddef>

#include "core/candidates/candidates.h"
#include "core/candidates/fast_scratch.h"
#include "core/candidates/row.h"

namespace bankml {

// After fast_scan_row of the same row: leaves in `out` the tokens that the unsorted form of min_p keeps of the full set, those with
// logit >= maximum + logf(p), in id order, p = 0, sorted = false. p > 0; row.edits sorted, or nullptr.
// False (`out` unchanged): none or fewer than min_keep survive, so that the step sorts; more survive than the scratch or `out`
// holds; or an edit made a value NaN or +inf or left nothing above -inf.
bool fast_min_p(const Row& row, float p, size_t min_keep, Candidates& out, FastScratch& scratch) noexcept;

}  // namespace bankml
