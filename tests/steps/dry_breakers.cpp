// core/steps/dry_breakers.
#include "core/steps/dry_breakers.h"

#include <gtest/gtest.h>

namespace bankml {
namespace {

TEST(DryBreakers, heads_and_singles) {
  const DryBreakers b(std::vector<DryBreaker>{{3, {}}, {70, {1, 2}}, {3, {9}}});
  for (int32_t t = -2; t < 200; ++t) {
    EXPECT_EQ(b.is_head(t), t == 3 || t == 70) << t;
    EXPECT_EQ(b.is_single(t), t == 3) << t;
  }
  EXPECT_FALSE(b.is_head(-2147483647 - 1));
  EXPECT_FALSE(DryBreakers().is_head(0));
}

TEST(DryBreakers, the_longest_complete_tail_counts) {
  const DryBreakers b(std::vector<DryBreaker>{{5, {6}}, {5, {6, 7}}, {5, {6, 8}}, {5, {}}});
  const auto tail = [&](std::vector<int32_t> text,
                        size_t back) {  // text in reading order, the breaker begins `back` tokens from the end
    std::vector<int32_t> t(text.rbegin(), text.rend());
    return b.longest_tail(t.data(), back);
  };
  EXPECT_EQ(tail({5, 6, 7}, 2), 2u);
  EXPECT_EQ(tail({5, 6, 8}, 2), 2u);
  EXPECT_EQ(tail({5, 6, 9}, 2), 1u);
  EXPECT_EQ(tail({5, 6}, 1), 1u);
  EXPECT_EQ(tail({5, 1}, 1), 0u);
  EXPECT_EQ(tail({1, 5}, 0), 0u);
}

TEST(DryBreakers, an_unfinished_tail_is_no_match) {
  const DryBreakers b(std::vector<DryBreaker>{{5, {6, 7}}});
  const int32_t t[] = {6, 5};
  EXPECT_EQ(b.longest_tail(t, 1), DryBreakers::no_match);
}

TEST(DryBreakers, heads_outside_the_vocabulary_are_dropped) {
  const DryBreakers b(std::vector<DryBreaker>{{-1, {}}, {10, {}}, {2147483647, {}}, {9, {}}}, 10);
  EXPECT_EQ(b.size(), 1u);
  EXPECT_TRUE(b.is_single(9));
  EXPECT_FALSE(b.is_single(10));
  EXPECT_LT(b.bytes(), 1024u);
}

}  // namespace
}  // namespace bankml
