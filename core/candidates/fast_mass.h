// Where a weighted draw over a row falls, from block sums of the weights that are known to within an error.
//
// A weight is expf(logit / t - maximum / t), both quotients rounded to float, as temperature and dist make them. Nothing here
// draws.
//
// Tested by tests/candidates/fast_mass.cpp
#pragma once

#include "core/math/fp_env.h"

#include <cstddef>

#include "core/candidates/candidates.h"
#include "core/candidates/fast_scratch.h"
#include "core/candidates/row.h"
#include "core/simd/kernels.h"

namespace bankml {

// Weights of one row, after fast_apply_edits. t > 0; no quotient overflows to +inf.
struct RowWeights {
  const Row& row;
  float t;
  float shift;  // scratch.maximum / t
};

// Fills scratch.mass with the sum of each block's weights and returns their sum; `error` is what either may be off, relatively.
// exact: from the weights themselves, else from a polynomial.
double fast_masses(const RowWeights& weights, bool exact, FastScratch& scratch, const simd::Kernels& kernels,
                   double& error) noexcept;

// The first token, in id order, at which the running sum of weights reaches u * (sum of all), as dist's double sums have it. False
// if `error` leaves a doubt. After fast_masses, whose total and error are given; 0 <= u < 1.
bool fast_locate(const RowWeights& weights, double u, double total, double error, const FastScratch& scratch,
                 const simd::Kernels& kernels, size_t& token) noexcept;

}  // namespace bankml
