// core/steps/typical.
#include "core/math/fp_env.h"

#include "core/steps/typical.h"

#include <gtest/gtest.h>

#include "tests/reference/set_box.h"

namespace bankml {
namespace {

using test::SetBox;

TEST(Typical, C34_order_of_surprise_with_the_crossing_element) {
  SetBox box(test::fresh(test::row_x()));
  Typical(0.4f, 0).apply(box.set, box.error);
  EXPECT_EQ(box.ids(), (std::vector<int32_t>{1, 2}));
  EXPECT_FALSE(box.set.sorted);
  EXPECT_NEAR(box.ps()[0], 0.267587f, 1e-6f);
  EXPECT_NEAR(box.ps()[0] + box.ps()[1], 0.429886f, 1e-6f);
  SetBox more(test::fresh(test::row_x()));
  Typical(0.9f, 0).apply(more.set, more.error);
  EXPECT_EQ(more.ids()[2], 0);
  EXPECT_EQ(more.ids()[3], 3);
}

TEST(Typical, B31_crossing) {
  SetBox half(test::fresh({0, -1}));
  Typical(0.5f, 0).apply(half.set, half.error);
  EXPECT_EQ(half.ids(), std::vector<int32_t>{0});
  SetBox most(test::fresh({0, -1}));
  Typical(0.8f, 0).apply(most.set, most.error);
  EXPECT_EQ(most.ids(), (std::vector<int32_t>{0, 1}));
}

TEST(Typical, B32_zero_probabilities_poison_the_entropy_and_nothing_else) {
  plain::Set expected = test::fresh({0, -1, plain::minus_infinity, plain::minus_infinity});
  SetBox box(expected);
  plain::typical(expected, 0.5f, 0);
  Typical(0.5f, 0).apply(box.set, box.error);
  EXPECT_TRUE(test::same_set(box.set, expected));
  test::RandomSets random(32);
  for (int i = 0; i < 100; ++i) {  // every key NaN: sizes around the sort's limits
    plain::Set s = random.next(2 + random.below(2000));
    for (plain::Token& t : s.tokens) t.logit = random.below(2) == 0 ? -200.0f : random.unit();
    s.tokens[0].logit = -300.0f;
    s.sorted = false;
    SetBox poisoned(s);
    plain::typical(s, 0.9f, 0);
    Typical(0.9f, 0).apply(poisoned.set, poisoned.error);
    ASSERT_TRUE(test::same_set(poisoned.set, s)) << i;
  }
}

TEST(Typical, min_keep_and_off) {
  SetBox box(test::fresh(test::row_x()));
  Typical(0.1f, 3).apply(box.set, box.error);
  EXPECT_EQ(box.set.size, 3u);
  EXPECT_TRUE(Typical::off(1));
  EXPECT_FALSE(Typical::off(0.999f));
  SetBox none(test::fresh({}));
  Typical(0.5f, 0).apply(none.set, none.error);
  EXPECT_EQ(none.set.size, 0u);
}

TEST(Typical, equals_the_plain_one) {
  for (int seed = 0; seed < test::cases(700); ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    test::RandomSets random(static_cast<uint64_t>(seed));
    plain::Set expected = random.next();
    SetBox box(expected);
    const float p = random.unit() * 1.05f;
    const size_t min_keep = random.below(3) == 0 ? random.below(20) : 0;
    plain::typical(expected, p, min_keep);
    Typical(p, min_keep).apply(box.set, box.error);
    ASSERT_TRUE(test::same_set(box.set, expected)) << "p " << p << ", min_keep " << min_keep;
  }
}

}  // namespace
}  // namespace bankml
