// core/steps/mirostat_v2.
#include "core/math/fp_env.h"

#include "core/steps/mirostat_v2.h"

#include <gtest/gtest.h>

#include "tests/reference/set_box.h"

namespace bankml {
namespace {

using test::SetBox;

TEST(MirostatV2, C98_cut_and_feedback) {
  for (uint32_t seed = 1; seed < 50; ++seed) {
    MirostatV2 step(1, 0.1f, seed);
    EXPECT_EQ(step.state().mu(), 2.0f);
    SetBox box(test::fresh(test::row_x()));
    ASSERT_EQ(step.apply(box.set, box.error), Status::ok);
    EXPECT_EQ(box.ids(), (std::vector<int32_t>{0, 1}));
    if (box.set.selected != 0) continue;
    EXPECT_NEAR(box.ps()[0], 0.622459f, 1e-6f);
    EXPECT_NEAR(step.state().mu(), 2.0316f, 1e-4f);
    return;
  }
  FAIL() << "id 0 was never drawn";
}

TEST(MirostatV2, at_least_one_stays) {
  MirostatV2 step(0, 0.1f, 1);
  SetBox box(test::fresh(test::row_x()));
  ASSERT_EQ(step.apply(box.set, box.error), Status::ok);
  EXPECT_EQ(box.ids(), std::vector<int32_t>{0});
}

TEST(MirostatV2, equals_the_plain_one) {
  for (int seed = 0; seed < test::cases(400); ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    test::RandomSets random(static_cast<uint64_t>(seed));
    const float tau = random.unit() * 8;
    const float eta = random.unit();
    float mu = 2 * tau;
    std::mt19937 rng(static_cast<uint32_t>(seed));
    MirostatV2 step(tau, eta, static_cast<uint32_t>(seed));
    for (int draw = 0; draw < 6; ++draw) {
      plain::Set expected = random.next();
      if (expected.tokens.empty()) continue;
      SetBox box(expected);
      plain::mirostat_v2(expected, tau, eta, mu, rng);
      ASSERT_EQ(step.apply(box.set, box.error), Status::ok);
      ASSERT_TRUE(test::same_set(box.set, expected));
      ASSERT_TRUE(test::same_bits(step.state().mu(), mu));
    }
    ASSERT_EQ(step.state().engine().next(), rng());
  }
}

TEST(MirostatV2, nothing_to_draw_leaves_the_state) {
  MirostatV2 step(5, 0.1f, 1);
  for (const std::vector<float>& row :
       {std::vector<float>{}, {plain::minus_infinity, plain::minus_infinity}, {1, INFINITY}, {1, NAN}}) {
    SetBox box(test::fresh(row));
    EXPECT_NE(step.apply(box.set, box.error), Status::ok);
    EXPECT_EQ(step.state().mu(), 10.0f);
    EXPECT_EQ(step.state().engine().outputs(), 0u);
  }
}

TEST(MirostatV2, C101_reset_replays) {
  MirostatV2 step(3, 0.5f, 7);
  std::vector<size_t> first;
  for (int round = 0; round < 2; ++round) {
    for (size_t i = 0; i < 20; ++i) {
      SetBox box(test::fresh(test::row_x()));
      ASSERT_EQ(step.apply(box.set, box.error), Status::ok);
      if (round == 0) {
        first.push_back(box.set.selected);
      } else {
        EXPECT_EQ(box.set.selected, first[i]);
      }
    }
    step.reset(7);
  }
}

}  // namespace
}  // namespace bankml
