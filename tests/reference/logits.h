// Rows of logits that any language can rebuild from a few numbers: the recipes of the recorded cases, and rows that look like a
// model's output.
//
// One splitmix64 output x per token, in id order; s = the sum of x's four 16-bit fields - 131070. Each recipe is a function of x
// that is exact in float32, so no rounding can differ between machines. `real` and those after it use the machine's libm: for runs
// in one process only.
//
// Tested by tests/reference/logits_test.cpp
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace bankml::reference {

class SplitMix64 {
 public:
  explicit SplitMix64(uint64_t seed) noexcept : state_(seed) {}
  uint64_t next() noexcept {
    state_ += 0x9E3779B97F4A7C15u;
    uint64_t x = state_;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    return x ^ (x >> 31);
  }

 private:
  uint64_t state_;
};

// Recipes of the recorded cases: normal ties coarse flat wide negative positive equal masked peaked. Beside them: `real` (gaussian,
// mean -3, deviation 3, with a few peaks), `bf16` and `f16` (the same rounded to bfloat16 and to half precision), and the rows of
// hard_logits.h, which are made against fast paths.
const std::vector<std::string>& recipe_names();

// Fills n floats; false if there is no recipe of that name.
bool fill_logits(const std::string& recipe, uint64_t seed, size_t n, float* out);

}  // namespace bankml::reference
