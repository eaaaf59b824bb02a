// Softmax denominator and entropy of a row in its sorted order, as the steps that sort the whole vocabulary form them.
//
// Tested by tests/candidates/fast_sorted_sums.cpp
#pragma once

#include "core/math/fp_env.h"

#include "core/candidates/candidates.h"
#include "core/candidates/fast_buckets.h"
#include "core/candidates/fast_scratch.h"
#include "core/candidates/row.h"

namespace bankml {

struct SortedSums {
  float sum;      // of expf(logit - maximum), in sorted order, each addition rounded to float
  float entropy;  // likewise of -(p * logf(p)), p = that / sum, 0 where p is 0
};

// After fast_apply_edits. Leaves `buckets` filled at t = 1: with the head of the row if its tail needs no order, else with all of
// it. `room` as for FastBuckets::fill. False where that is.
bool fast_sorted_sums(const Row& row, FastScratch& scratch, Candidates& room, FastBuckets& buckets, SortedSums& sums) noexcept;

}  // namespace bankml
