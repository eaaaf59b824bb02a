// core/steps/logit_bias.
#include "core/math/fp_env.h"

#include "core/steps/logit_bias.h"

#include <gtest/gtest.h>

#include "core/steps/temperature.h"
#include "tests/steps/rows.h"

namespace bankml {
namespace {

using test::SetBox;

std::vector<TokenBias> random_list(test::RandomSets& random, size_t n_vocab) {
  std::vector<TokenBias> list(random.below(8));
  for (TokenBias& entry : list) {
    entry.token = static_cast<int32_t>(random.below(n_vocab + 3)) - 1;
    entry.bias = random.below(5) == 0 ? plain::minus_infinity : random.unit() * 8 - 4;
  }
  return list;
}

TEST(LogitBias, equals_the_plain_one) {
  for (int seed = 0; seed < test::cases(500); ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    test::RandomSets random(static_cast<uint64_t>(seed));
    plain::Set expected = random.next(random.below(200));
    SetBox box(expected);
    const std::vector<TokenBias> list = random_list(random, expected.n_vocab);
    std::vector<std::pair<int32_t, float>> pairs;
    for (const TokenBias& b : list) pairs.emplace_back(b.token, b.bias);
    plain::logit_bias(expected, pairs);
    ASSERT_EQ(LogitBias(list).apply(box.set, box.error), Status::ok);
    ASSERT_TRUE(test::same_set(box.set, expected));
  }
}

TEST(LogitBias, edits_equal_apply) {
  for (int seed = 0; seed < test::cases(300); ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    test::RandomSets random(static_cast<uint64_t>(seed));
    const test::MaskedRow row(random);
    LogitBias step(random_list(random, row.logits.size()));
    ASSERT_TRUE(test::edits_equal_apply({&step}, row.logits, row.mask_or_null()));
  }
}

TEST(LogitBias, every_entry_counts_at_home_but_only_the_first_by_search) {
  LogitBias step({{1, 1.0f}, {1, 10.0f}});
  SetBox home(test::fresh({0, 0, 0}));
  step.apply(home.set, home.error);
  EXPECT_EQ(home.logits(), (std::vector<float>{0, 11, 0}));
  SetBox moved(test::fresh({0, 0, 0}));
  std::swap(moved.set.data[1], moved.set.data[2]);
  step.apply(moved.set, moved.error);
  EXPECT_EQ(moved.logits(), (std::vector<float>{0, 0, 1}));
}

TEST(LogitBias, a_banned_token_stays_banned) {
  LogitBias step({{0, plain::minus_infinity}, {0, 5.0f}, {1, INFINITY}});
  SetBox box(test::fresh({3, plain::minus_infinity, 1}));
  step.apply(box.set, box.error);
  EXPECT_EQ(box.logits(), (std::vector<float>{plain::minus_infinity, plain::minus_infinity, 1}));
}

TEST(LogitBias, B10_the_bias_holds_at_temperature_zero) {
  for (const float t : {0.0f, -1.0f}) {
    SetBox box(test::fresh({3, 2, 1}));
    LogitBias({{0, plain::minus_infinity}}).apply(box.set, box.error);
    Temperature(t).apply(box.set, box.error);
    EXPECT_EQ(box.alive(), std::vector<int32_t>{1}) << t;
  }
}

TEST(LogitBias, off_and_bounds) {
  EXPECT_TRUE(LogitBias::off({}));
  EXPECT_FALSE(LogitBias::off({{0, 0.0f}}));
  EXPECT_EQ(LogitBias({{4, 1.0f}, {4, 2.0f}, {5, 1.0f}}).edit_capacity(), 2u);
  SetBox box(test::fresh({0, 0}));
  LogitBias({{-1, 1.0f}, {2, 1.0f}, {2147483647, 1.0f}}).apply(box.set, box.error);
  EXPECT_EQ(box.logits(), (std::vector<float>{0, 0}));
}

}  // namespace
}  // namespace bankml
