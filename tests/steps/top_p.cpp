// core/steps/top_p.
#include "core/math/fp_env.h"

#include "core/steps/top_p.h"

#include <gtest/gtest.h>

#include "core/steps/top_k.h"
#include "tests/reference/set_box.h"

namespace bankml {
namespace {

using test::SetBox;

std::vector<int32_t> kept(const std::vector<float>& row, float p, size_t min_keep = 0) {
  SetBox box(test::fresh(row));
  EXPECT_EQ(TopP(p, min_keep).apply(box.set, box.error), Status::ok);
  EXPECT_TRUE(box.set.sorted);
  return box.ids();
}

TEST(TopP, C35_stops_where_the_sum_reaches_p) {
  EXPECT_EQ(kept(test::row_x(), 0.9f), (std::vector<int32_t>{0, 1, 2, 3}));
  EXPECT_EQ(kept(test::row_x(), 0.930767f), (std::vector<int32_t>{0, 1, 2, 3}));
  EXPECT_EQ(kept(test::row_x(), 0.930769f), (std::vector<int32_t>{0, 1, 2, 3, 4}));
  EXPECT_EQ(kept(test::row_x(), 0.871061f), (std::vector<int32_t>{0, 1, 2}));
  EXPECT_EQ(kept(test::row_x(), 0.871063f), (std::vector<int32_t>{0, 1, 2, 3}));
}

TEST(TopP, C36_min_keep) { EXPECT_EQ(kept(test::row_x(), 0.1f, 3), (std::vector<int32_t>{0, 1, 2})); }

TEST(TopP, C96_the_probe_of_256_and_then_everything) {
  const std::vector<float> flat(1025, 0.5f);
  for (const float p : {0.1f, 0.24f, 0.25f, 0.26f, 0.95f}) {
    plain::Set expected = test::fresh(flat);
    SetBox box(expected);
    plain::top_p(expected, p, 0);
    TopP(p, 0).apply(box.set, box.error);
    EXPECT_TRUE(test::same_set(box.set, expected)) << p;
  }
  // Without ties: the prefix of a full sort.
  std::vector<float> row(5000);
  for (size_t i = 0; i < row.size(); ++i) row[i] = static_cast<float>((i * 7919) % 5000) * 1e-3f;
  for (const float p : {0.01f, 0.2f, 0.9f}) {
    plain::Set sorted = test::fresh(row);
    plain::softmax(sorted, false);
    std::sort(sorted.tokens.begin(), sorted.tokens.end(), plain::by_logit);
    float sum = 0;
    size_t n = 0;
    while (n < sorted.tokens.size() && sum < p) sum += sorted.tokens[n++].p;
    sorted.tokens.resize(n);
    sorted.sorted = true;
    SetBox box(test::fresh(row));
    TopP(p, 0).apply(box.set, box.error);
    EXPECT_TRUE(test::same_set(box.set, sorted)) << p;
  }
}

TEST(TopP, the_probe_spares_the_full_sort) {
  std::vector<float> row(5000, -8.0f);
  row[77] = 9.0f;
  SetBox box(test::fresh(row));
  TopP(0.9f, 0).apply(box.set, box.error);
  EXPECT_EQ(box.ids(), std::vector<int32_t>{77});
  EXPECT_EQ(box.work.full_sorts, 0u);
}

TEST(TopP, B25_zero_keeps_the_best) { EXPECT_EQ(kept({1, 2, 3}, 0.0f), std::vector<int32_t>{2}); }

TEST(TopP, B28_at_the_boundary) {
  const std::vector<float> row = {std::log(0.5f), std::log(0.25f), std::log(0.15f), std::log(0.1f)};
  EXPECT_EQ(kept(row, 0.7499f), (std::vector<int32_t>{0, 1}));
  EXPECT_EQ(kept(row, 0.7501f), (std::vector<int32_t>{0, 1, 2}));
}

TEST(TopP, B29_after_top_k_the_rest_is_renormalised) {
  SetBox box(test::fresh({std::log(0.6f), std::log(0.4f)}));
  TopK(1).apply(box.set, box.error);
  TopP(0.8f, 0).apply(box.set, box.error);
  EXPECT_EQ(box.ids(), std::vector<int32_t>{0});
}

TEST(TopP, off) {
  EXPECT_TRUE(TopP::off(1));
  EXPECT_FALSE(TopP::off(0.99f));
}

TEST(TopP, equals_the_plain_one) {
  for (int seed = 0; seed < test::cases(700); ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    test::RandomSets random(static_cast<uint64_t>(seed));
    plain::Set expected = random.next();
    SetBox box(expected);
    const float p = random.unit() * 1.05f;
    const size_t min_keep = random.below(3) == 0 ? random.below(300) : 0;
    plain::top_p(expected, p, min_keep);
    TopP(p, min_keep).apply(box.set, box.error);
    ASSERT_TRUE(test::same_set(box.set, expected)) << "p " << p << ", min_keep " << min_keep;
  }
}

TEST(TopP, a_set_of_nan_keeps_everything) {
  SetBox box(test::fresh({plain::minus_infinity, plain::minus_infinity}));
  TopP(0.5f, 0).apply(box.set, box.error);
  EXPECT_EQ(box.set.size, 2u);
}

}  // namespace
}  // namespace bankml
