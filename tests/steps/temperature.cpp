// core/steps/temperature.
#include "core/math/fp_env.h"

#include "core/steps/temperature.h"

#include <gtest/gtest.h>

#include "core/steps/draw.h"
#include "tests/reference/set_box.h"

namespace bankml {
namespace {

using test::SetBox;

TEST(Temperature, C41_zero_and_below_leave_the_first_maximum) {
  for (const float t : {0.0f, -1.0f, -0.0f}) {
    SetBox box(test::fresh({2, 3, 3}));
    Temperature(t).apply(box.set, box.error);
    EXPECT_EQ(box.alive(), std::vector<int32_t>{1});
    EXPECT_EQ(box.set.size, 3u);
    EXPECT_FALSE(box.set.sorted);
  }
}

TEST(Temperature, C42_dynamic) {
  SetBox equal(test::fresh(std::vector<float>(8, 2.0f)));
  Temperature(0.8f, 0.5f, 1).apply(equal.set, equal.error);
  EXPECT_NEAR(equal.logits()[0], 2.0f / 1.3f, 1e-6f);
  SetBox x(test::fresh(test::row_x()));
  Temperature(0.8f, 0.5f, 1).apply(x.set, x.error);
  EXPECT_NEAR(x.logits()[0], 3.0f / 0.991259f, 1e-5f);
  EXPECT_TRUE(x.set.sorted);
}

TEST(Temperature, C43_range_zero_is_the_plain_form) {
  SetBox a(test::fresh(test::row_x()));
  Temperature(0.7f, 0.0f, 3).apply(a.set, a.error);
  SetBox b(test::fresh(test::row_x()));
  Temperature(0.7f).apply(b.set, b.error);
  EXPECT_EQ(a.logits(), b.logits());
  EXPECT_EQ(a.logits()[1], 2.5f / 0.7f);
  EXPECT_FALSE(a.set.sorted);
}

TEST(Temperature, B11_a_quotient_that_overflows_acts_as_zero) {
  for (const float t : {1e-4f, 1e-20f, 1e-37f, 1e-40f}) {
    SetBox box(test::fresh({100, 99, -50}));
    Temperature(t).apply(box.set, box.error);
    Dist dist(1);
    ASSERT_EQ(dist.apply(box.set, box.error), Status::ok) << t;
    EXPECT_EQ(box.set.selected, 0u) << t;
  }
  SetBox negative(test::fresh({-100, -99, -500}));
  Temperature(1e-40f).apply(negative.set, negative.error);
  EXPECT_EQ(negative.alive(), std::vector<int32_t>{1});
  SetBox half(test::fresh({3e38f, 3.1e38f}));
  Temperature(0.5f).apply(half.set, half.error);
  EXPECT_EQ(half.alive(), std::vector<int32_t>{1});
}

TEST(Temperature, a_quotient_below_the_maximum_may_overflow) {
  SetBox box(test::fresh({0, -100, 0}));
  Temperature(1e-38f).apply(box.set, box.error);
  EXPECT_EQ(box.logits(), (std::vector<float>{0, plain::minus_infinity, 0}));
}

TEST(Temperature, sets_of_no_or_one_candidate) {
  for (const float range : {0.0f, 0.5f}) {
    SetBox none(test::fresh({}));
    EXPECT_EQ(Temperature(0.5f, range).apply(none.set, none.error), Status::ok);
    SetBox one(test::fresh({3}));
    Temperature(0.5f, range).apply(one.set, one.error);
    EXPECT_EQ(one.logits()[0], range > 0 ? 3.0f : 6.0f);
  }
}

TEST(Temperature, equals_the_plain_one) {
  for (int seed = 0; seed < test::cases(700); ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    test::RandomSets random(static_cast<uint64_t>(seed));
    plain::Set expected = random.next();
    SetBox box(expected);
    const float t = random.unit() * 2.2f - 0.2f;
    const float range = random.below(2) == 0 ? 0.0f : random.unit() * 2;
    const float exponent = random.unit() * 3;
    plain::temperature(expected, t, range, exponent);
    Temperature(t, range, exponent).apply(box.set, box.error);
    ASSERT_TRUE(test::same_set(box.set, expected)) << "t " << t << ", range " << range << ", exponent " << exponent;
  }
}

}  // namespace
}  // namespace bankml
