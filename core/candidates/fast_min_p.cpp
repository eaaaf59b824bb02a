// min_p on a row: see fast_min_p.h.
//
// The step compares logits with one bound that depends on the maximum alone, and the scan has the maximum: the survivors are what a
// gathering at that bound finds, in id order, ties included.
//
// Tested by tests/candidates/fast_min_p.cpp
#include "core/math/fp_env.h"

#include "core/candidates/fast_min_p.h"

#include <algorithm>
#include <limits>

#include "core/candidates/fast_gather.h"
#include "core/candidates/fast_row_scan.h"
#include "core/math/logf.h"

namespace bankml {

bool fast_min_p(const Row& row, float p, size_t min_keep, Candidates& out, FastScratch& scratch) noexcept {
  const simd::Kernels& kernels = *out.kernels;
  if (!fast_apply_edits(row, scratch, kernels)) return false;
  const float bound = scratch.maximum + math::logf(p);
  if (!(bound >= std::numeric_limits<float>::lowest())) return false;
  const size_t count = fast_gather(row, bound, scratch, kernels);
  if (count == 0 || count < min_keep || count > std::min(scratch.index.size(), out.capacity)) return false;
  for (size_t i = 0; i < count; ++i) out.data[i] = {scratch.index[i], scratch.value[i], 0.0f};
  out.size = count;
  out.sorted = false;
  out.selected = Candidates::no_selection;
  return true;
}

}  // namespace bankml
