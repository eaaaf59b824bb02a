// top_k with k > 128 on a row: the reference's bucket sort, over the tokens of its top buckets only.
//
// Tested by tests/candidates/fast_bucket_top_k.cpp
#pragma once

#include <cstddef>

#include "core/candidates/candidates.h"
#include "core/candidates/fast_scratch.h"
#include "core/candidates/row.h"

namespace bankml {

// As fast_top_k, for k > 128 (k >= n means all). out.capacity >= FastScratch::collect_capacity(n, k); out.scratch is used.
// False also when it is not worthwhile: more tokens lie in the top buckets than the scratch holds, k is near n, or a logit lies
// outside the buckets' exact range. `out`'s set is unchanged then, its arrays' contents are not.
bool fast_bucket_top_k(const Row& row, size_t k, Candidates& out, FastScratch& scratch) noexcept;

}  // namespace bankml
