// temperature and either mirostat as one, on a row: the vocabulary is laid out in buckets, and sorted only where the cut or the
// draw falls.
//
// Tested by tests/chain/try_mirostat.cpp
#pragma once

#include "core/math/fp_env.h"

#include "core/candidates/candidates.h"
#include "core/candidates/fast_scratch.h"
#include "core/candidates/row.h"
#include "core/steps/mirostat.h"
#include "core/steps/mirostat_v2.h"

namespace bankml {

// After fast_scan_row of the same row, row.edits sorted: do what the step does behind a fixed temperature t, with its mu and
// engine. `out` then holds the candidates that stay if they are few or `keep` asks for them, else the drawn one alone. out.capacity
// >= row.n. False: not proven, or no gain; set and step are unchanged.
bool try_mirostat_v2(const Row& row, float t, MirostatV2& step, bool keep, Candidates& out, FastScratch& scratch) noexcept;
bool try_mirostat(const Row& row, float t, Mirostat& step, bool keep, Candidates& out, FastScratch& scratch) noexcept;

}  // namespace bankml
