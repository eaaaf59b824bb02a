// The one pass over a row that every fast opening starts with: its validity and its block maxima (fast row scan).
//
// Tested by tests/candidates/fast_row_scan.cpp
#pragma once

#include <cstddef>

#include "core/base/error_text.h"
#include "core/base/status.h"
#include "core/candidates/fast_scratch.h"
#include "core/candidates/row.h"
#include "core/simd/kernels.h"

namespace bankml {

// Looks at the raw logits of allowed tokens, not at the edits. row.n >= 1 and at most the scratch's n_vocab.
// nonfinite: one of them is NaN or +inf (the text names the first). no_candidate: all of them are -inf, or none is allowed.
// ok: scratch.maxima and scratch.maximum are filled.
Status fast_scan_row(const Row& row, FastScratch& scratch, const simd::Kernels& kernels, ErrorText& error) noexcept;

// Brings the block maxima up to row.edits (sorted). False if an edited value is NaN or +inf, or if no token is left above -inf: no
// opening is proven then. Called by the openings.
bool fast_apply_edits(const Row& row, FastScratch& scratch, const simd::Kernels& kernels) noexcept;

// Copies block `block` of the row into `copy` (256 floats) with mask and edits in place, or returns the row's own floats where
// there is nothing to change. `length` receives the block's length.
const float* fast_view_block(const Row& row, size_t block, float* copy, size_t& length) noexcept;

}  // namespace bankml
