// The table of kernels that a handle works with: one function per kernel and CPU level, chosen once when the handle is made.
//
// Kernels hold no sampling rule. Every twin returns the bits of its scalar definition (simd/scalar.cpp); the sign of a zero maximum
// is the one thing that they leave open, because a maximum of +0 and -0 has no defined sign.
//
// Arrays hold float32 logits. `mask` is a bitset of allowed elements, 32 a word, bit 0 of mask[0] for x[0]; nullptr allows all. A
// forbidden element counts as -inf. "Reaching" means >=, "above" means >.
//
// Blocks of a row end at multiples of 64 bytes in memory, wherever the row starts: vectors that straddle cache lines nearly double
// the time of a scan. So block b of row x covers elements [b * block - row_skew(x), (b + 1) * block - row_skew(x)), cut to [0, n).
//
// Tested by tests/simd/kernels.cpp, tests/simd/choice.cpp
#pragma once

#include <cstddef>
#include <cstdint>

namespace bankml::simd {

enum class Level : uint8_t { scalar, avx2, avx512, neon };

// By how many floats x lies behind a 64-byte boundary.
inline size_t row_skew(const float* x) noexcept { return reinterpret_cast<uintptr_t>(x) / sizeof(float) % 16; }
// How many blocks row x has.
inline size_t row_blocks(const float* x, size_t n, size_t block) noexcept { return (n + row_skew(x) + block - 1) / block; }
// The elements of block b: [first, last).
struct BlockRange {
  size_t first, last;
};
inline BlockRange row_block(const float* x, size_t n, size_t block, size_t b) noexcept {
  const size_t end = (b + 1) * block - row_skew(x);
  return {end > block ? end - block : 0, end < n ? end : n};
}

// Of the finite among some logits.
struct Moments {
  double sum;
  double squares;
  size_t count;
};

struct Kernels {
  Level level;
  const char* name;

  // out[i * stride] = expf(in[i * stride] - shift), i < n; expf as the reference's libm gives it. in and out may interleave
  // (fields of one struct array) but not overlap otherwise.
  void (*exp_shift)(const float* in, float* out, size_t stride, size_t n, float shift) noexcept;

  // The greatest of x[0..n), -inf if n = 0. No NaN among them.
  float (*maximum)(const float* x, size_t n) noexcept;

  // maxima[b] = the greatest allowed element of block b of row x; block is 64 or 256. False if an allowed element is NaN: the
  // maxima are then unspecified.
  bool (*block_maxima)(const float* x, size_t n, const uint32_t* mask, size_t block, float* maxima) noexcept;

  // How many of x[0..n) reach `bound`.
  size_t (*count_reaching)(const float* x, size_t n, float bound) noexcept;

  // Index and value of each allowed element that reaches `bound` (> -inf), ascending by index, of blocks whose maximum reaches it.
  // Returns their number, or capacity + 1 if they are more than `capacity` (the arrays then hold the first `capacity`).
  size_t (*collect_reaching)(const float* x, size_t n, const uint32_t* mask, size_t block, const float* maxima, float bound,
                             int32_t* index, float* value, size_t capacity) noexcept;

  // Copies elements [first, last) of a row to out[0 ...), forbidden ones as -inf; last - first <= 256.
  void (*copy_allowed)(const float* x, size_t first, size_t last, const uint32_t* mask, float* out) noexcept;

  // Bit i % 64 of hits[i / 64] tells whether x[i] is above `bound`, i < n <= 256; bits from n on are 0.
  void (*hits_above)(const float* x, size_t n, float bound, uint64_t hits[4]) noexcept;

  // The first i with x[i] == value; n if there is none.
  size_t (*find_equal)(const float* x, size_t n, float value) noexcept;

  // rank[i] = how many of x[0..n) are above x[i].
  void (*rank)(const float* x, size_t n, uint32_t* rank) noexcept;

  // start + x[0] + x[1] + ..., each addition rounded to float, from the first to the last. Fast where no x[i] is negative.
  float (*sum)(const float* x, size_t n, float start) noexcept;

  // start + expf(x[0] - shift) + expf(x[1] - shift) + ..., likewise. No x[i] is above shift, except NaN.
  float (*exp_sum)(const float* x, size_t n, float shift, float start) noexcept;

  // As sum if the result does not depend on the order of x; false, with `sum` unspecified, if that is not proven.
  bool (*sum_any_order)(const float* x, size_t n, float& sum) noexcept;
  // As exp_sum if the result does not depend on the order of x; false, with `sum` unspecified, if that is not proven.
  bool (*exp_sum_any_order)(const float* x, size_t n, float shift, float& sum) noexcept;

  // About the sum of expf(x[i] / divisor - shift), i < n <= 256, each argument rounded twice to a float in [-inf, 0]: within
  // mass_error of it relatively, plus at most 2^-115. Twins differ here; no NaN may be among x.
  float (*exp_mass)(const float* x, size_t n, float divisor, float shift) noexcept;

  // Sum, sum of squares and number of the x[i] that are above -inf, n <= 256, in double, in any order: here too twins differ.
  Moments (*moments)(const float* x, size_t n) noexcept;

  // quotient[i] = x[i] / divisor; place[i] = 6.4f * quotient[i] + 64.0f truncated toward zero, clamped to 0...127. No quotient is
  // NaN, +inf or beyond an int's range above.
  void (*bucket_places)(const float* x, size_t n, float divisor, float* quotient, uint8_t* place) noexcept;

  // out[i] = logf(x[i]), i < n, for all floats, as the reference's libm gives it. out may be x.
  void (*log)(const float* x, float* out, size_t n) noexcept;

  // Goes on from `sum` with expf(x[i] - shift) of those x[i] that are below `edge`, each addition rounded to float, if the result
  // does not depend on their order; false, with `sum` unspecified, if that is not proven. No x[i] is NaN, none below `edge` is
  // above shift.
  bool (*exp_sum_below)(const float* x, size_t n, float edge, float shift, float& sum) noexcept;
  // Likewise with -(p * logf(p)), p = expf(x[i] - shift) / divisor, 0 where p is 0. divisor >= 1.
  bool (*entropy_below)(const float* x, size_t n, float edge, float shift, float divisor, float& sum) noexcept;

  // start + x[0] + x[1] + ... of those x[i] that are above -inf, each addition rounded to float, from the first to the last.
  float (*signed_sum)(const float* x, size_t n, float start) noexcept;
  // Likewise the squares of d = x[i] - mean: taken and added in double, then rounded to float.
  float (*squares_sum)(const float* x, size_t n, float mean, float start) noexcept;

  // Quotient x[i] / divisor and index first + i of those quotients that reach `low` and lie below `high`, ascending by index;
  // returns their number. Both arrays need room for 16 more than are found. No quotient is NaN or +inf.
  size_t (*quotients_between)(const float* x, size_t n, float divisor, float low, float high, int32_t first, float* quotient,
                              int32_t* index) noexcept;

  // out[i] = x[i] / divisor where that lies below `bound`, else -inf. out may be x.
  void (*quotients_below)(const float* x, size_t n, float divisor, float bound, float* out) noexcept;
};

// What exp_mass may be off: 2^-23 for the terms, the rest for nine additions.
inline constexpr double mass_error = 0x1p-20;

// Kernels of the best level of this machine, or of the level forced last.
const Kernels& kernels() noexcept;
// Kernels of one level; nullptr if this machine cannot run it.
const Kernels* kernels_of(Level level) noexcept;
// Forces a level for handles made later; false if the machine lacks it. `best` undoes it.
bool force(Level level) noexcept;
void force_best() noexcept;

}  // namespace bankml::simd
