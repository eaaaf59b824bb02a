// The hard recipes do what they claim: without these, a recipe that lost its teeth would pass unseen.
#include "tests/reference/hard_logits.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <set>

#include "core/candidates/sort.h"
#include "core/order/introsort.h"
#include "core/simd/kernels.h"
#include "tests/reference/logits.h"

namespace bankml::reference {
namespace {

std::vector<float> row_of(const char* recipe, uint64_t seed, size_t n) {
  std::vector<float> row(n);
  EXPECT_TRUE(fill_logits(recipe, seed, n, row.data())) << recipe;
  return row;
}

// Whether p is an odd multiple of half an ulp of the sum: sum + p is then a tie between two floats.
bool is_half(float sum, float p) {
  const double in_halves = std::ldexp(static_cast<double>(p), 24 - std::ilogb(sum));
  return in_halves == std::floor(in_halves) && std::fmod(in_halves, 2.0) == 1.0;
}

TEST(HardLogits, HalvesStandInEveryRun) {
  for (const size_t n : {300, 5000, 60000, 151936}) {
    const std::vector<float> row = row_of("halves", n, n);
    ASSERT_EQ(*std::max_element(row.begin(), row.end()), 0.0f);
    float sum = 0;
    size_t halves = 0, runs_without = 0;
    for (size_t i = 0; i < n; ++i) {
      const float p = std::exp(row[i]);
      halves += i > 0 && is_half(sum, p);
      sum += p;
      if (i % 64 == 63) {
        runs_without += halves == 0;
        halves = 0;
      }
    }
    EXPECT_LT(runs_without, n / 64 / 20 + 1) << n;
  }
}

// Blocks of 256 whose sum is proven from lanes: of an ordinary row most, of one with halves none.
size_t proven_blocks(const simd::Kernels& kernels, const std::vector<float>& row, size_t& blocks) {
  const float shift = *std::max_element(row.begin(), row.end());
  float sum = 0;
  size_t proven = 0;
  blocks = 0;
  for (size_t i = 0; i + 256 <= row.size(); i += 256, ++blocks) {
    float lanes = sum;
    proven += sum > 0 && kernels.exp_sum_any_order(row.data() + i, 256, shift, lanes);
    for (size_t k = 0; k < 256; ++k) sum += std::exp(row[i + k] - shift);
  }
  return proven;
}

TEST(HardLogits, HalvesMakeLaneSumsRefuse) {
  for (const simd::Level level : {simd::Level::avx2, simd::Level::avx512, simd::Level::neon}) {
    const simd::Kernels* kernels = simd::kernels_of(level);
    if (kernels == nullptr) continue;
    size_t blocks = 0, proven = proven_blocks(*kernels, row_of("real", 3, 100000), blocks);
    EXPECT_GT(proven, blocks / 2) << kernels->name;
    proven = proven_blocks(*kernels, row_of("halves", 3, 100000), blocks);
    EXPECT_LE(proven, blocks / 50) << kernels->name << ": " << proven << " of " << blocks;
  }
}

TEST(HardLogits, SumsSitOnBorders) {
  for (const size_t n : {1000, 5000, 151936}) {
    const std::vector<float> row = row_of("borders", n, n);
    float sum = 0;
    size_t near = 0;
    std::set<int> crossed;
    for (const float x : row) {
      const int before = sum > 0 ? std::ilogb(sum) : -1;
      sum += std::exp(x);
      if (std::ilogb(sum) != before) crossed.insert(std::ilogb(sum));
      const uint32_t fraction = std::bit_cast<uint32_t>(sum) & 0x7FFFFFu;
      near += fraction < 8 || fraction > 0x7FFFFF - 8;
    }
    EXPECT_GT(near, n / 4) << n;  // the others are on the way from one border to the next, with terms of 1 at most
    EXPECT_GE(crossed.size(), 4u) << n;
  }
}

// Levels of partitioning on the way to the largest part, if nothing stopped it.
int depth_used(std::vector<Candidate> set) {
  Candidate *first = set.data(), *last = first + set.size();
  int depth = 0;
  while (last - first > order::introsort_small && depth < 100) {
    Candidate* cut = order::partition_pivot(first, last, LargerLogit{});
    ++depth;
    (last - cut > cut - first ? first : last) = cut;
  }
  return depth;
}

TEST(HardLogits, KillerSpendsTheDepthLimit) {
  for (const size_t n : {200, 2000, 40000, 151936}) {
    for (const uint64_t seed : {0, 1, 2, 60, 76}) {
      const std::vector<float> row = row_of("killer", seed, n);
      std::vector<Candidate> set(n);
      std::set<int> buckets;
      for (size_t i = 0; i < n; ++i) {
        set[i] = {static_cast<int32_t>(i), row[i], 0};
        buckets.insert(bucket_of(row[i]));
      }
      EXPECT_EQ(buckets.size(), 1u) << n;
      EXPECT_GT(depth_used(set), order::depth_limit(n)) << n << " seed " << seed;
      const size_t distinct = std::set<float>(row.begin(), row.end()).size();
      EXPECT_TRUE(seed % 3 == 0 ? distinct == n : distinct < n) << n << " seed " << seed << ": " << distinct;
    }
  }
  std::vector<Candidate> plain(2000);
  const std::vector<float> row = row_of("normal", 1, plain.size());
  for (size_t i = 0; i < plain.size(); ++i) plain[i] = {static_cast<int32_t>(i), row[i], 0};
  EXPECT_LE(depth_used(plain), order::depth_limit(plain.size()));
}

TEST(HardLogits, OneIsLeft) {
  for (const size_t n : {1, 2, 1000}) {
    const std::vector<float> row = row_of("one_left", n, n);
    EXPECT_EQ(std::count_if(row.begin(), row.end(), [](float x) { return std::isfinite(x); }), 1);
  }
}

TEST(HardLogits, F16IsRoundedToNearest) {
  const std::vector<float> row = row_of("f16", 3, 20000), exact = row_of("real", 3, 20000);
  for (size_t i = 0; i < row.size(); ++i) {
    const double step = std::ldexp(1.0, std::max(std::ilogb(exact[i]), -14) - 10);
    ASSERT_EQ(static_cast<double>(row[i]), std::nearbyint(static_cast<double>(exact[i]) / step) * step) << i;
  }
}

TEST(HardLogits, ArePureFunctionsOfTheSeed) {
  for (const char* recipe : {"f16", "halves", "borders", "killer", "one_left"}) {
    EXPECT_EQ(row_of(recipe, 9, 500), row_of(recipe, 9, 500)) << recipe;
    EXPECT_NE(row_of(recipe, 9, 500), row_of(recipe, 11, 500)) << recipe;
  }
}

}  // namespace
}  // namespace bankml::reference
