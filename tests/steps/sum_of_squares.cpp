// core/steps/sum_of_squares: the blocks give the bits of the plain chain.
#include "core/math/fp_env.h"

#include "core/steps/sum_of_squares.h"

#include <gtest/gtest.h>

#include <limits>
#include <random>
#include <vector>

namespace bankml {
namespace {

constexpr float banned = -std::numeric_limits<float>::infinity();

void expect_same(const std::vector<float>& logits, float mean) {
  std::vector<Candidate> set;
  for (float x : logits) set.push_back({static_cast<int32_t>(set.size()), x, 0.0f});
  const float ours = sum_of_squares(set.data(), set.size(), mean);
  const float plain = sum_of_squares_plain(set.data(), set.size(), mean, 0.0f);
  ASSERT_EQ(math::bits_of(ours), math::bits_of(plain)) << set.size() << " logits, mean " << mean;
}

TEST(SumOfSquares, equals_the_plain_chain_at_many_scales) {
  std::mt19937 random(1);
  std::normal_distribution<float> normal;
  for (int round = 0; round < 400; ++round) {
    SCOPED_TRACE(testing::Message() << "round " << round);
    const float scale = std::ldexp(1.0f, static_cast<int>(random() % 120) - 60);
    std::vector<float> logits(random() % 12000);
    for (float& x : logits) x = random() % 50 == 0 ? banned : scale * normal(random);
    ASSERT_NO_FATAL_FAILURE(expect_same(logits, scale * normal(random)));
  }
}

// Squares of a grid lie on a grid: sums reach the size where each term is an odd number of halves of an ulp.
TEST(SumOfSquares, halves_are_left_to_the_plain_chain) {
  std::mt19937 random(2);
  for (int round = 0; round < 200; ++round) {
    SCOPED_TRACE(testing::Message() << "round " << round);
    std::vector<float> logits = {0x1p13f};  // the sum begins at 2^26, u = 8
    for (int i = 0; i < 5000; ++i) logits.push_back(static_cast<float>(random() % (round % 2 == 0 ? 3 : 40)));
    ASSERT_NO_FATAL_FAILURE(expect_same(logits, 0.0f));
    for (float& x : logits) x *= 2.0f;  // squares of 4: halves of 8
    logits[0] = 0x1p13f;
    ASSERT_NO_FATAL_FAILURE(expect_same(logits, 0.0f));
  }
}

TEST(SumOfSquares, large_terms_and_what_is_not_finite) {
  std::mt19937 random(3);
  for (int round = 0; round < 300; ++round) {
    SCOPED_TRACE(testing::Message() << "round " << round);
    std::vector<float> logits(2000);
    for (float& x : logits) {
      x = std::ldexp(1.0f + static_cast<float>(random() % 1000) / 1000.0f,
                     static_cast<int>(random() % (round % 3 == 0 ? 150 : 20)) - 10);
    }
    if (round % 10 == 0) logits[1500] = std::numeric_limits<float>::infinity();
    ASSERT_NO_FATAL_FAILURE(expect_same(logits, 1.0f));
  }
  std::vector<float> logits(1000, 2.0f);
  logits[700] = std::numeric_limits<float>::quiet_NaN();
  std::vector<Candidate> set;
  for (float x : logits) set.push_back({0, x, 0.0f});
  const float sum = sum_of_squares(set.data(), set.size(), 0.0f);
  EXPECT_NE(sum, sum);
}

}  // namespace
}  // namespace bankml
