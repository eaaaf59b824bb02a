// core/steps/top_k.
#include "core/math/fp_env.h"

#include "core/steps/top_k.h"

#include <gtest/gtest.h>

#include "tests/reference/set_box.h"

namespace bankml {
namespace {

using test::SetBox;

void expect_plain(const plain::Set& from, int32_t k) {
  plain::Set expected = from;
  SetBox box(from);
  plain::top_k(expected, k);
  ASSERT_EQ(TopK(k).apply(box.set, box.error), Status::ok);
  ASSERT_TRUE(test::same_set(box.set, expected)) << "k " << k;
}

TEST(TopK, C32_every_k_is_exact) {
  test::RandomSets random(32);
  for (int round = 0; round < 20; ++round) {
    const plain::Set s = random.next(3000);
    for (const int32_t k : {0, 1, 40, 127, 128, 129, 500, 2999, 3000}) expect_plain(s, k);
  }
}

TEST(TopK, C33_the_heap_decides_among_ties) {
  expect_plain(test::fresh(std::vector<float>(1000, 1.0f)), 40);
  SetBox box(test::fresh(std::vector<float>(1000, 1.0f)));
  TopK(40).apply(box.set, box.error);
  std::vector<int32_t> ids = box.ids();
  EXPECT_NE(ids[1], 1) << "a stable sort would keep the order of ids";
  std::sort(ids.begin(), ids.end());
  EXPECT_EQ(ids.back(), 39);
}

TEST(TopK, C94_off_above_n_and_sorted_sets) {
  EXPECT_TRUE(TopK::off(0));
  EXPECT_TRUE(TopK::off(-1));
  EXPECT_FALSE(TopK::off(1));
  const plain::Set s = test::fresh({1, 3, 2});
  expect_plain(s, -1);
  expect_plain(s, 0);
  expect_plain(s, 8);
  SetBox sorted(s);
  sorted.set.sorted = true;  // taken at its word
  TopK(2).apply(sorted.set, sorted.error);
  EXPECT_EQ(sorted.ids(), (std::vector<int32_t>{0, 1}));
}

TEST(TopK, C95_buckets_give_the_first_k) {
  test::RandomSets random(95);
  for (const int32_t k : {129, 200, 1000, 4000}) {
    const plain::Set s = random.next(4000);
    SetBox box(s);
    box.set.sorted = false;
    TopK(k).apply(box.set, box.error);
    std::vector<float> all;
    for (const plain::Token& t : s.tokens) all.push_back(t.logit);
    std::sort(all.begin(), all.end(), std::greater<>());
    all.resize(static_cast<size_t>(k));
    EXPECT_EQ(box.logits(), all);
  }
}

TEST(TopK, equals_the_plain_one) {
  for (int seed = 0; seed < test::cases(500); ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    test::RandomSets random(static_cast<uint64_t>(seed));
    const plain::Set s = random.next();
    expect_plain(s, static_cast<int32_t>(random.below(s.tokens.size() + 3)));
  }
}

}  // namespace
}  // namespace bankml
