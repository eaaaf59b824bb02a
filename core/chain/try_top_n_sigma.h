// top_n_sigma and top_k behind it, as one: on a row, without a candidate set.
//
// Tested by tests/chain/try_top_n_sigma.cpp
#pragma once

#include "core/math/fp_env.h"

#include <cstddef>

#include "core/candidates/candidates.h"
#include "core/candidates/fast_scratch.h"
#include "core/candidates/row.h"

namespace bankml {

// After fast_scan_row of the same row, row.edits sorted: leaves in `out` what top_k(k) leaves behind top_n_sigma(n), n > 0 and
// 1 <= k <= 128; out.capacity >= min(k, row.n).
// False: the cut could not be proven; the set is unchanged.
bool try_top_n_sigma(const Row& row, float n, size_t k, Candidates& out, FastScratch& scratch) noexcept;

}  // namespace bankml
