// core/steps/min_p.
#include "core/math/fp_env.h"

#include "core/steps/min_p.h"

#include <gtest/gtest.h>

#include "core/steps/typical.h"
#include "tests/reference/set_box.h"

namespace bankml {
namespace {

using test::SetBox;

TEST(MinP, C37_cut_at_max_plus_log_p) {
  SetBox box(test::fresh(test::row_x()));
  MinP(0.2f, 0).apply(box.set, box.error);
  EXPECT_EQ(box.ids(), (std::vector<int32_t>{0, 1, 2}));
}

TEST(MinP, C38_an_unsorted_set_keeps_its_order_unless_too_few_remain) {
  SetBox typical(test::fresh(test::row_x()));
  Typical(0.95f, 0).apply(typical.set, typical.error);
  ASSERT_EQ(typical.ids()[0], 1);
  SetBox few(test::fresh({}));
  plain::Set order;
  order.n_vocab = 8;
  for (size_t i = 0; i < typical.set.size; ++i) {
    order.tokens.push_back({typical.set.data[i].id, typical.set.data[i].logit, typical.set.data[i].p});
  }
  SetBox kept(order);
  MinP(0.2f, 3).apply(kept.set, kept.error);
  EXPECT_EQ(kept.ids(), (std::vector<int32_t>{1, 2, 0}));
  EXPECT_FALSE(kept.set.sorted);
  SetBox sorted(order);
  MinP(0.2f, 4).apply(sorted.set, sorted.error);
  EXPECT_EQ(sorted.ids(), (std::vector<int32_t>{0, 1, 2, 3}));
  EXPECT_TRUE(sorted.set.sorted);
}

TEST(MinP, C85_needs_no_sort) {
  std::vector<float> row(4000, -8.0f);
  row[5] = 9.0f;
  SetBox box(test::fresh(row));
  MinP(0.1f, 0).apply(box.set, box.error);
  EXPECT_EQ(box.ids(), std::vector<int32_t>{5});
  EXPECT_EQ(box.work.full_sorts, 0u);
  EXPECT_EQ(box.work.exps, 0u);
}

TEST(MinP, B35_rows) {
  SetBox box(test::fresh({std::log(0.48f), std::log(0.05f), std::log(0.47f)}));
  MinP(0.2f, 0).apply(box.set, box.error);
  EXPECT_EQ(box.ids(), (std::vector<int32_t>{0, 2}));
}

TEST(MinP, off_and_sets_without_a_maximum) {
  EXPECT_TRUE(MinP::off(0));
  EXPECT_TRUE(MinP::off(-1));
  EXPECT_FALSE(MinP::off(0.1f));
  SetBox banned(test::fresh({plain::minus_infinity, plain::minus_infinity}));
  MinP(0.1f, 0).apply(banned.set, banned.error);
  EXPECT_EQ(banned.set.size, 2u);
  SetBox none(test::fresh({}));
  MinP(0.1f, 0).apply(none.set, none.error);
  EXPECT_EQ(none.set.size, 0u);
}

TEST(MinP, above_one_leaves_the_best) {
  plain::Set expected = test::fresh(test::row_x());
  SetBox box(expected);
  plain::min_p(expected, 1.5f, 0);
  MinP(1.5f, 0).apply(box.set, box.error);
  EXPECT_TRUE(test::same_set(box.set, expected));
  EXPECT_EQ(box.ids(), std::vector<int32_t>{0});
}

TEST(MinP, equals_the_plain_one) {
  for (int seed = 0; seed < test::cases(700); ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    test::RandomSets random(static_cast<uint64_t>(seed));
    plain::Set expected = random.next();
    SetBox box(expected);
    const float p = random.unit() * random.unit() * 1.1f;
    const size_t min_keep = random.below(2) == 0 ? random.below(300) : 0;
    plain::min_p(expected, p, min_keep);
    MinP(p, min_keep).apply(box.set, box.error);
    ASSERT_TRUE(test::same_set(box.set, expected)) << "p " << p << ", min_keep " << min_keep;
  }
}

}  // namespace
}  // namespace bankml
