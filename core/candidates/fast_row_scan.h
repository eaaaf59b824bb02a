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

// The floats of a block [range.first, range.last) with mask and edits in place: the row's own where there is nothing to change,
// else a copy made in `copy` (256 floats). The caller's row is never written.
const float* fast_view_block(const Row& row, simd::BlockRange range, float* copy, const simd::Kernels& kernels) noexcept;

// The first edit of a token id >= `id`.
const Edit* fast_first_edit(const Row& row, size_t id) noexcept;

}  // namespace bankml
