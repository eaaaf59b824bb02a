// core/steps/top_n_sigma.
#include "core/math/fp_env.h"

#include "core/steps/top_n_sigma.h"

#include <gtest/gtest.h>

#include "tests/reference/set_box.h"

namespace bankml {
namespace {

using test::SetBox;

TEST(TopNSigma, C30_cut_at_max_minus_n_deviations) {
  SetBox one(test::fresh(test::row_x()));
  TopNSigma(1).apply(one.set, one.error);
  EXPECT_EQ(one.alive(), (std::vector<int32_t>{0, 1, 2}));
  SetBox half(test::fresh(test::row_x()));
  TopNSigma(0.5f).apply(half.set, half.error);
  EXPECT_EQ(half.alive(), (std::vector<int32_t>{0, 1}));
  // Deviation 1.6201852: a candidate just inside and just outside of the cut of n = 1 would need it to six digits.
  SetBox edge(test::fresh(test::row_x()));
  TopNSigma(1.0f / 1.62019f).apply(edge.set, edge.error);  // bound 3 - 0.999997
  EXPECT_EQ(edge.alive(), (std::vector<int32_t>{0, 1}));
  SetBox below(test::fresh(test::row_x()));
  TopNSigma(1.0f / 1.62018f).apply(below.set, below.error);  // bound 3 - 1.000003
  EXPECT_EQ(below.alive(), (std::vector<int32_t>{0, 1, 2}));
}

TEST(TopNSigma, C31_masked_not_removed) {
  SetBox box(test::fresh(test::row_x()));
  box.set.sorted = true;
  TopNSigma(1).apply(box.set, box.error);
  EXPECT_EQ(box.set.size, 8u);
  EXPECT_EQ(box.ids(), (std::vector<int32_t>{0, 1, 2, 3, 4, 5, 6, 7}));
  EXPECT_TRUE(box.set.sorted);
}

TEST(TopNSigma, off_and_small_sets) {
  EXPECT_TRUE(TopNSigma::off(0));
  EXPECT_TRUE(TopNSigma::off(-1));
  EXPECT_FALSE(TopNSigma::off(0.1f));
  SetBox one(test::fresh({2}));
  TopNSigma(1).apply(one.set, one.error);
  EXPECT_EQ(one.logits(), std::vector<float>{2});
  SetBox banned(test::fresh({plain::minus_infinity, plain::minus_infinity}));
  TopNSigma(1).apply(banned.set, banned.error);
  EXPECT_TRUE(banned.alive().empty());
}

TEST(TopNSigma, equals_the_plain_one) {
  for (int seed = 0; seed < test::cases(600); ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    test::RandomSets random(static_cast<uint64_t>(seed));
    plain::Set expected = random.next();
    SetBox box(expected);
    const float n = random.unit() * 3 - 0.2f;
    plain::top_n_sigma(expected, n);
    TopNSigma(n).apply(box.set, box.error);
    ASSERT_TRUE(test::same_set(box.set, expected)) << "n " << n;
  }
}

}  // namespace
}  // namespace bankml
