// The row scan, the block maxima under edits, and the view of a block: see fast_row_scan.h.
//
// One pass finds the block maxima and whether a NaN is there; +inf and "all -inf" show in the maximum. Only a bad row is searched
// again, for the token to name.
// Edits touch few tokens, so a block's maximum is computed again only where an edit lowered the token that held it.
//
// Tested by tests/candidates/fast_row_scan.cpp
#include "core/math/fp_env.h"

#include "core/candidates/fast_row_scan.h"

#include <algorithm>
#include <limits>

namespace bankml {

namespace fast_row_scan_detail {

constexpr float infinity = std::numeric_limits<float>::infinity();

inline bool usable(float logit) noexcept { return logit < infinity; }  // false for NaN too

}  // namespace fast_row_scan_detail

Status fast_scan_row(const Row& row, FastScratch& scratch, const simd::Kernels& kernels, ErrorText& error) noexcept {
  namespace detail = fast_row_scan_detail;
  const size_t block = FastScratch::block_of(row.n);
  const bool no_nan = kernels.block_maxima(row.logits, row.n, row.mask, block, scratch.maxima.data());
  scratch.maximum = kernels.maximum(scratch.maxima.data(), simd::row_blocks(row.logits, row.n, block));
  if (no_nan && detail::usable(scratch.maximum) && scratch.maximum > -detail::infinity) return Status::ok;
  for (size_t id = 0; id < row.n; ++id) {
    const float logit = row.logits[id];
    if (!row.allowed(id) || detail::usable(logit)) continue;
    return error.set(Status::nonfinite, "logits: token %zu has the value %s", id, logit != logit ? "nan" : "+inf");
  }
  if (row.mask == nullptr) return error.set(Status::no_candidate, "logits: all %zu values are -inf", row.n);
  return error.set(Status::no_candidate, "logits: no allowed token among %zu has a value above -inf", row.n);
}

const Edit* fast_first_edit(const Row& row, size_t id) noexcept {
  if (row.edits == nullptr) return nullptr;
  return std::lower_bound(row.edits->begin(), row.edits->end(), id,
                          [](const Edit& edit, size_t wanted) { return static_cast<size_t>(edit.id) < wanted; });
}

const float* fast_view_block(const Row& row, simd::BlockRange range, float* copy, const simd::Kernels& kernels) noexcept {
  const Edit* edit = fast_first_edit(row, range.first);
  const Edit* const end = row.edits == nullptr ? nullptr : row.edits->end();
  const bool edited = edit != end && static_cast<size_t>(edit->id) < range.last;
  if (!edited && row.mask == nullptr) return row.logits + range.first;
  kernels.copy_allowed(row.logits, range.first, range.last, row.mask, copy);
  for (; edit != end && static_cast<size_t>(edit->id) < range.last; ++edit)
    copy[static_cast<size_t>(edit->id) - range.first] = edit->logit;
  return copy;
}

bool fast_apply_edits(const Row& row, FastScratch& scratch, const simd::Kernels& kernels) noexcept {
  namespace detail = fast_row_scan_detail;
  if (row.edits == nullptr || row.edits->size() == 0) return true;
  const size_t block = FastScratch::block_of(row.n), skew = simd::row_skew(row.logits);
  const Edit* edit = row.edits->begin();
  const Edit* const end = row.edits->end();
  while (edit != end) {
    const size_t b = (static_cast<size_t>(edit->id) + skew) / block;
    const simd::BlockRange range = simd::row_block(row.logits, row.n, block, b);
    float& maximum = scratch.maxima[b];
    float raised = maximum;
    bool lowered = false;
    for (; edit != end && static_cast<size_t>(edit->id) < range.last; ++edit) {
      const size_t id = static_cast<size_t>(edit->id);
      if (!detail::usable(edit->logit)) return false;
      lowered |= edit->logit < maximum && row.logits[id] == maximum && row.allowed(id);
      raised = std::max(raised, edit->logit);
    }
    if (lowered && raised == maximum) {
      float copy[256];
      raised = kernels.maximum(fast_view_block(row, range, copy, kernels), range.last - range.first);
    }
    maximum = raised;
  }
  scratch.maximum = kernels.maximum(scratch.maxima.data(), simd::row_blocks(row.logits, row.n, block));
  return scratch.maximum > -detail::infinity;
}

}  // namespace bankml
