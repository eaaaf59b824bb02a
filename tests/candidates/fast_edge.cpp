// The estimated cut of a row: near enough to be of use on rows of a vocabulary's size, harmless on any other.
#include "core/candidates/fast_edge.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/candidates/fast_row_scan.h"
#include "tests/candidates/fast_cases.h"

namespace bankml {
namespace {

using testing::Dice;

TEST(FastEdge, LeavesATailThatCrossesNoPowerOfTwo) {
  Dice dice(5);
  size_t rows = 0, good = 0, rest_good = 0;
  for (size_t round = 0; round < 60; ++round) {
    const size_t n = 40000 + dice.below(100000);
    const bool peaked = round % 2 == 0;
    std::vector<float> x(n);
    for (float& v : x) v = testing::recipe_logit(peaked ? 6 : 0, dice);
    Row row;
    row.logits = x.data();
    row.n = n;
    const float t = dice.between(0.7f, 1.5f);
    FastScratch scratch(n, 0);
    const simd::Kernels& kernels = *testing::levels().back();
    ErrorText text;
    ASSERT_EQ(fast_scan_row(row, scratch, kernels, text), Status::ok);
    const FastEdge edge(row, t, scratch, kernels);
    double total = 0;
    for (const float v : x) total += std::exp(static_cast<double>(v / t - scratch.maximum / t));
    const double wanted = total * 0.05;
    double above = 0, below = 0;
    size_t head = 0;
    for (const float v : x) {
      const double weight = std::exp(static_cast<double>(v / t - scratch.maximum / t));
      if (v / t >= edge.of_sum()) {
        above += weight;
        ++head;
      }
      if (v / t < edge.of_rest(wanted)) below += weight;
    }
    ++rows;
    good += above >= std::ldexp(1.0, std::ilogb(total)) && head < n;
    rest_good += below < wanted && below > wanted / 2;
  }
  EXPECT_GT(10 * good, 8 * rows);
  EXPECT_GT(10 * rest_good, 8 * rows);
}

TEST(FastEdge, LeavesNothingOfASmallRow) {
  Dice dice(6);
  std::vector<float> x(1000);
  for (float& v : x) v = dice.between(-5, 5);
  Row row;
  row.logits = x.data();
  row.n = x.size();
  FastScratch scratch(x.size(), 0);
  const simd::Kernels& kernels = *testing::levels().back();
  ErrorText text;
  ASSERT_EQ(fast_scan_row(row, scratch, kernels, text), Status::ok);
  const FastEdge edge(row, 1.0f, scratch, kernels);
  EXPECT_EQ(edge.of_sum(), -std::numeric_limits<float>::infinity());
  EXPECT_EQ(edge.of_rest(1.0), -std::numeric_limits<float>::infinity());
}

}  // namespace
}  // namespace bankml
