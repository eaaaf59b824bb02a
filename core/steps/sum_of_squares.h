// The sum of squared distances from a mean as top_n_sigma's reference adds it up, block by block.
//
// Computes: for each logit that is not -inf, in order, sum = float(double(sum) + d * d), d = double(logit - mean).
// Why blocks: the plain chain waits for three operations an element. While sum stays in its binade [B, 2B), u = ulp(sum), the first
// rounding (to multiples of 2^-52 B) does not depend on sum, which is a multiple of u, and neither does the second (to multiples
// of u) unless it has to decide a half, where ties-to-even looks at the parity of sum. So each square is rounded alone, twice, and
// the multiples of u are added in double, exactly, in any order. A block counts only if it holds no half and ends below 2B (no
// partial sum can then leave the binade; larger terms and NaN fail here too); else its elements go through the plain chain.
//
// Tested by tests/steps/sum_of_squares.cpp
#pragma once

#include "core/math/fp_env.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "core/candidates/candidates.h"
#include "core/math/bits.h"
#include "core/steps/by_id.h"

namespace bankml {

// Goes on from `sum`: the definition.
inline float sum_of_squares_plain(const Candidate* data, size_t n, float mean, float sum) noexcept {
  for (size_t i = 0; i < n; ++i) {
    if (is_banned(data[i].logit)) continue;
    const double distance = static_cast<double>(data[i].logit - mean);
    sum = static_cast<float>(static_cast<double>(sum) + distance * distance);
  }
  return sum;
}

inline float sum_of_squares(const Candidate* data, size_t n, float mean) noexcept {
  constexpr size_t block = 128;
  constexpr size_t lanes = 4;
  float sum = 0.0f;
  for (size_t begin = 0; begin < n; begin += block) {
    const Candidate* part = data + begin;
    const size_t length = std::min(block, n - begin);
    if (length == block && sum >= 0x1p-60f && sum < 0x1p100f) {
      float distance[block];
      for (size_t i = 0; i < block; ++i) distance[i] = is_banned(part[i].logit) ? 0.0f : part[i].logit - mean;
      const double base = static_cast<double>(math::float_of(math::bits_of(sum) & 0x7f800000u));
      const double half = base * 0x1p-24;
      const double magic = base * 0x1.8p29;  // 1.5 * 2^52 u: adding it rounds to a multiple of u
      double total[lanes] = {};
      double halves[lanes] = {};
      for (size_t i = 0; i < block; i += lanes) {
        for (size_t lane = 0; lane < lanes; ++lane) {
          const double d = static_cast<double>(distance[i + lane]);
          const double first = (base + d * d) - base;
          const double second = (first + magic) - magic;
          total[lane] += second;
          halves[lane] = std::max(halves[lane], std::fabs(first - second));
        }
      }
      const double end = static_cast<double>(sum) + ((total[0] + total[1]) + (total[2] + total[3]));
      const double farthest = std::max(std::max(halves[0], halves[1]), std::max(halves[2], halves[3]));
      if (end < 2.0 * base && farthest < half) {
        sum = static_cast<float>(end);
        continue;
      }
    }
    sum = bankml::sum_of_squares_plain(part, length, mean, sum);
  }
  return sum;
}

}  // namespace bankml
