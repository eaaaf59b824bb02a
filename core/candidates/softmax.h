// The softmax step S of the chain: p = expf(logit - max), a running float sum in array order, then every p divided by that sum.
//
// Sums in array order decide the last bits of p, so the order of the set is part of the result. Source: the softmax that
// llama.cpp's steps share.
//
// Tested by tests/candidates/softmax.cpp
#pragma once

#include "core/math/fp_env.h"

#include "core/candidates/candidates.h"

namespace bankml {

struct Softmax {
  float maximum;  // what was subtracted: the first logit of a sorted set, else the maximum; -inf for an empty set
  float sum;      // of the p before the division; NaN if a logit was NaN, or if there was no finite maximum
};

// The maximum logit of the set as the reference finds it: the first logit if `sorted`, else the largest, NaN skipped unless it
// stands first; -inf for an empty set.
float maximum_logit(const Candidates& set) noexcept;

// S. With `sort` an unsorted set is sorted first (sort_in_place of all of it). An empty set stays as it is. Never fails: without a
// finite maximum every p is NaN, and the step that draws reports it.
Softmax softmax(Candidates& set, bool sort) noexcept;

}  // namespace bankml
