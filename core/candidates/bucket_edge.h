// The least logit of a bucket of the reference's sort, exactly.
//
// Tested by tests/candidates/fast_bucket_top_k.cpp
#pragma once

#include "core/math/fp_env.h"

#include "core/candidates/sort.h"
#include "core/math/bits.h"

namespace bankml {

// The next float up or down; x is finite and not 0.
inline float next_float(float x, bool up) noexcept { return math::float_of(math::bits_of(x) + ((x > 0) == up ? 1u : 0xFFFFFFFFu)); }

// The smallest float of bucket b, 1 <= b <= 127: a few steps from where it would be without rounding. For bucket 64 that is 0, far
// from the edge in steps, so the walk starts where 6.4 x is half an ulp below 64.
inline float bucket_edge(int b) noexcept {
  float x = b == 64 ? -0x1.4p-22f : static_cast<float>(b - 64) / 6.4f;
  while (bucket_of(x) >= b) x = next_float(x, false);
  while (bucket_of(x) < b) x = next_float(x, true);
  return x;
}

}  // namespace bankml
