// core/candidates/softmax: sums in array order, the maximum of sorted and unsorted sets, every CPU level.
#include "core/math/fp_env.h"

#include "core/candidates/softmax.h"

#include <gtest/gtest.h>

#include "tests/reference/set_box.h"

namespace bankml {
namespace {

using test::SetBox;

const simd::Level levels[] = {simd::Level::scalar, simd::Level::avx2, simd::Level::avx512, simd::Level::neon};

TEST(Softmax, equals_the_plain_one_on_every_level) {
  for (const simd::Level level : levels) {
    const simd::Kernels* kernels = simd::kernels_of(level);
    if (kernels == nullptr) continue;
    for (int seed = 0; seed < test::cases(300); ++seed) {
      SCOPED_TRACE(testing::Message() << kernels->name << ", seed " << seed);
      test::RandomSets random(static_cast<uint64_t>(seed));
      plain::Set expected = random.next();
      SetBox box(expected);
      box.set.kernels = kernels;
      const bool sort = random.below(2) == 0;
      plain::softmax(expected, sort);
      softmax(box.set, sort);
      ASSERT_TRUE(test::same_set(box.set, expected));
    }
  }
}

TEST(Softmax, the_order_of_the_set_decides_the_sum) {
  plain::Set up;
  for (int i = 0; i < 4000; ++i) up.tokens.push_back({i, static_cast<float>(i) * 0.001f, 0.0f});
  up.n_vocab = 4000;
  plain::Set down = up;
  std::reverse(down.tokens.begin(), down.tokens.end());
  SetBox a(up);
  SetBox b(down);
  EXPECT_NE(softmax(a.set, false).sum, softmax(b.set, false).sum);
}

TEST(Softmax, a_sorted_set_subtracts_its_first_logit) {
  plain::Set s = test::fresh({1.0f, 3.0f});
  s.sorted = true;
  SetBox box(s);
  EXPECT_EQ(softmax(box.set, true).maximum, 1.0f);
  EXPECT_EQ(maximum_logit(box.set), 1.0f);
  box.set.sorted = false;
  EXPECT_EQ(maximum_logit(box.set), 3.0f);
}

TEST(Softmax, the_maximum_is_found_at_every_place) {
  for (size_t n = 1; n < 20; ++n) {
    for (size_t at = 0; at < n; ++at) {
      std::vector<float> row(n, -1.0f);
      row[at] = 2.0f;
      SetBox box(test::fresh(row));
      EXPECT_EQ(maximum_logit(box.set), 2.0f) << n << " " << at;
    }
  }
}

TEST(Softmax, sets_without_a_finite_maximum_give_nan_and_no_fault) {
  SetBox empty(test::fresh({}));
  EXPECT_EQ(softmax(empty.set, true).maximum, plain::minus_infinity);
  SetBox banned(test::fresh({plain::minus_infinity, plain::minus_infinity}));
  EXPECT_TRUE(std::isnan(softmax(banned.set, true).sum));
  SetBox infinite(test::fresh({1.0f, INFINITY}));
  EXPECT_TRUE(std::isnan(softmax(infinite.set, false).sum));
  SetBox nan(test::fresh({1.0f, NAN, 2.0f}));
  EXPECT_TRUE(std::isnan(softmax(nan.set, true).sum));
}

TEST(Softmax, exponentials_are_counted) {
  SetBox box(test::fresh(test::row_x()));
  softmax(box.set, false);
  EXPECT_EQ(box.work.exps, 8u);
}

}  // namespace
}  // namespace bankml
