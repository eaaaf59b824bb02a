// Where to cut the head of a row: how much of its mass lies above each bucket's edge, from a sample of its blocks. An estimate:
// what is made of it must hold, or be made again, wherever the cut falls.
//
// Tested by tests/candidates/fast_edge.cpp
#pragma once

#include "core/math/fp_env.h"

#include "core/candidates/candidates.h"
#include "core/candidates/fast_scratch.h"
#include "core/candidates/row.h"

namespace bankml {

class FastEdge {
 public:
  // After fast_apply_edits; t > 0, scratch.maximum / t finite. scratch's index and value are used.
  FastEdge(const Row& row, float t, FastScratch& scratch, const simd::Kernels& kernels) noexcept;

  // A bound such that the tokens whose quotient by t lies below it should not take the float sum of expf(quotient - maximum), in
  // descending order, into another power of two. -inf if nothing is to be left below.
  float of_sum() const noexcept;
  // A bound such that the tokens below it should weigh less than `mass` in that sum.
  float of_rest(double mass) const noexcept;

 private:
  static constexpr int ranks = 128;
  static float edge(int bucket) noexcept;
  double mass_[ranks] = {};  // of each bucket
};

}  // namespace bankml
