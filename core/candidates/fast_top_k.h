// top_k on a row, without building the candidate set: the first truncation of the default chain, and greedy (k = 1).
//
// Tested by tests/candidates/fast_top_k.cpp
#pragma once

#include <cstddef>
#include <limits>

#include "core/candidates/candidates.h"
#include "core/candidates/fast_scratch.h"
#include "core/candidates/row.h"

namespace bankml {

// After fast_scan_row of the same row: leaves in out.data[0..min(k, n)) exactly what sort_in_place(k) of the full set in id order
// leaves there (order, ids, logit bits), p = 0, sorted = true, nothing selected. 1 <= k <= 128; out.capacity >= min(k, n);
// row.edits sorted, or nullptr.
// cut: logits below it count as -inf, which is how they then stand in the result.
// False: not proven (an edit made a value NaN or +inf, or left nothing above -inf), `out` unchanged; the plain chain decides.
bool fast_top_k(const Row& row, size_t k, Candidates& out, FastScratch& scratch,
                float cut = -std::numeric_limits<float>::infinity()) noexcept;

}  // namespace bankml
