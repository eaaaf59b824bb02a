// A candidate set from a small row with its mask and edits in place, for shortcuts that then run parts of the plain steps.
//
// Tested by tests/chain/try_dynamic.cpp
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "core/candidates/candidates.h"
#include "core/candidates/fast_row_scan.h"
#include "core/candidates/row.h"

namespace bankml {

// Makes `out` the fresh set of all tokens; out.capacity >= row.n.
inline void fill_from_row(const Row& row, Candidates& out) noexcept {
  for (size_t first = 0; first < row.n; first += 256) {
    const simd::BlockRange range{first, std::min(first + 256, row.n)};
    float copy[256];
    const float* const floats = fast_view_block(row, range, copy, *out.kernels);
    for (size_t i = range.first; i < range.last; ++i) out.data[i] = {static_cast<int32_t>(i), floats[i - range.first], 0.0f};
  }
  out.size = row.n;
  out.sorted = false;
  out.selected = Candidates::no_selection;
}

}  // namespace bankml
