// Tested by tests/reference/hard_logits_test.cpp
#include "tests/reference/hard_logits.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

#include "tests/reference/logits.h"

namespace bankml::reference {
namespace {

float unit(SplitMix64& random) { return static_cast<float>(random.next() >> 40) * 0x1p-24f; }  // [0, 1)

int exponent_of(float x) { return std::ilogb(x); }

// Negative logits by the k for which expf(logit) is an odd multiple of 2^-k.
using ByGrid = std::array<std::vector<float>, 32>;

const ByGrid& logits_by_grid() {
  static const ByGrid table = [] {
    ByGrid lists;
    constexpr uint32_t first = std::bit_cast<uint32_t>(-4.0f), count = 1u << 21;  // all floats of [-8, -4), one in four
    for (uint32_t i = 0; i < count; ++i) {
      const float x = std::bit_cast<float>(first + 4 * i);
      const float p = std::exp(x);
      const int trailing = std::countr_zero(std::bit_cast<uint32_t>(p) | 0x800000u);
      const int k = 23 - exponent_of(p) - trailing;
      if (k >= 0 && k < 32) lists[static_cast<size_t>(k)].push_back(x);
    }
    return lists;
  }();
  return table;
}

}  // namespace

void fill_halves(uint64_t seed, size_t n, float* out) {
  SplitMix64 random(seed);
  const ByGrid& lists = logits_by_grid();
  float sum = 0;
  for (size_t i = 0; i < n; ++i) {
    out[i] = i == 0 ? 0.0f : -4.0f - 4.0f * unit(random);
    if (i > 0 && random.next() % 8 == 0) {
      const int k = 24 - exponent_of(sum);  // half an ulp of the sum is 2^-k
      if (k >= 0 && k < 32 && !lists[static_cast<size_t>(k)].empty()) {
        const std::vector<float>& list = lists[static_cast<size_t>(k)];
        out[i] = list[random.next() % list.size()];
      }
    }
    sum += std::exp(out[i]);
  }
}

void fill_borders(uint64_t seed, size_t n, float* out) {
  SplitMix64 random(seed);
  const size_t rest_at_border = std::max<size_t>(4, n / 16);
  float sum = 0;
  size_t resting = 0;
  for (size_t i = 0; i < n; ++i) {
    double p = 1.0;
    if (i > 0) {
      const double ulp = std::ldexp(1.0, exponent_of(sum) - 23);
      const double gap = std::ldexp(1.0, exponent_of(sum) + 1) - static_cast<double>(sum);
      if (gap > 3 * ulp) {  // up to the border, in a few leaps
        p = std::min(1.0, gap - 2 * ulp);
        resting = 0;
      } else if (++resting < rest_at_border) {  // about half of an ulp: rounded away, but for two in the whole rest
        const bool up = random.next() % rest_at_border < 2;
        p = ulp * (up ? 0.505 : 0.4999 - 0.01 * static_cast<double>(unit(random)));
      } else {
        p = ulp * 4;
      }
    }
    out[i] = std::min(0.0f, static_cast<float>(std::log(p)));
    sum += std::exp(out[i]);
  }
}

std::vector<uint32_t> killer_ranks(size_t n) {
  const auto gas = static_cast<uint32_t>(n);
  std::vector<uint32_t> rank(n, gas), order(n);
  std::iota(order.begin(), order.end(), 0u);
  uint32_t solid = 0, candidate = 0;
  std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
    if (rank[a] == gas && rank[b] == gas) rank[a == candidate ? a : b] = solid++;
    if (rank[a] == gas) candidate = a;
    if (rank[b] == gas) candidate = b;
    return rank[a] < rank[b];
  });
  return rank;
}

// Steps of 2^-21 above the lower edge of a bucket, whose width is 5/32: exact, and distinct, for 300,000 tokens. Partitions take
// off the first ranks, two or three each, and heap sort gets the rest: ties there leave the partitions as they are.
void fill_killer(uint64_t seed, size_t n, float* out) {
  const std::vector<uint32_t> ranks = killer_ranks(n);
  const auto tied = static_cast<uint32_t>(1 + seed % 3);
  const uint32_t distinct = 8 * static_cast<uint32_t>(std::bit_width(n));
  const float edge = 0.15625f * static_cast<float>(static_cast<int>(seed / 3 % 49) - 24) + 0x1p-10f;
  for (size_t i = 0; i < n; ++i) {
    const uint32_t place = ranks[i] < distinct ? ranks[i] : distinct + (ranks[i] - distinct) / tied;
    out[i] = edge + static_cast<float>(n - place) * 0x1p-21f;
  }
}

void fill_one_left(uint64_t seed, size_t n, float* out) {
  SplitMix64 random(seed);
  std::fill(out, out + n, -std::numeric_limits<float>::infinity());
  out[random.next() % n] = 20.0f * unit(random) - 10.0f;
}

}  // namespace bankml::reference
