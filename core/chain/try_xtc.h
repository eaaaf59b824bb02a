// xtc in front of a draw: xtc, [temperature] and dist as one, on a row.
//
// Tested by tests/chain/try_xtc.cpp
#pragma once

#include "core/math/fp_env.h"

#include "core/candidates/candidates.h"
#include "core/candidates/fast_buckets.h"
#include "core/candidates/fast_scratch.h"
#include "core/candidates/row.h"
#include "core/steps/draw.h"
#include "core/steps/xtc.h"

namespace bankml {

// As dist behind a fixed temperature t (1 = no such step) on the places [first, last) of `buckets`, which are laid out: makes `out`
// the selected token and advances the engine. False: not proven; the engine is unchanged.
bool draw_places(FastBuckets& buckets, size_t first, size_t last, float t, Dist& dist, Candidates& out) noexcept;

// As try_draw, with xtc in front and its engine advanced too; out.capacity >= row.n.
bool try_xtc(const Row& row, Xtc& xtc, float t, Dist& dist, Candidates& out, FastScratch& scratch) noexcept;

}  // namespace bankml
