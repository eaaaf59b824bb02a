// The set before the first truncation, without storage: the caller's logits, an optional mask, and a short sorted list of edits.
//
// Penalties, DRY and bias touch a few tokens only; while no step has removed or reordered anything, the set is the row with those
// few logits replaced. A fast opening reads a Row and writes the first Candidates; the plain chain builds a full set instead.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/candidates/edits.h"

namespace bankml {

struct Row {
  const float* logits = nullptr;  // n values, borrowed, never written
  size_t n = 0;
  const uint32_t* mask = nullptr;  // nullptr = every token allowed; else a forbidden token has logit -inf
  Edits* edits = nullptr;          // values after bias, penalties and DRY; they already honour the mask

  bool allowed(size_t id) const noexcept { return mask == nullptr || ((mask[id >> 5] >> (id & 31)) & 1u) != 0; }
};

}  // namespace bankml
