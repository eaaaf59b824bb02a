// core/probs/post.
#include "core/math/fp_env.h"

#include "core/probs/post.h"

#include <gtest/gtest.h>

#include "tests/reference/set_box.h"

namespace bankml {
namespace {

using test::SetBox;

std::vector<TokenProb> list(const SetBox& box, size_t n_top) {
  std::vector<TokenProb> out(n_top);
  out.resize(post_probs(box.set, n_top, out.data()));
  return out;
}

TEST(PostProbs, C4_order_of_std_sort_among_equal_p) {
  for (int seed = 0; seed < test::cases(300); ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    test::RandomSets random(static_cast<uint64_t>(seed));
    plain::Set s = random.next(random.below(400));
    s.sorted = false;
    for (plain::Token& t : s.tokens) t.p = std::floor(random.unit() * 12) / 64;
    SetBox box(s);
    const std::vector<int32_t> before = box.ids();
    const size_t n_top = random.below(s.tokens.size() + 5);
    const std::vector<TokenProb> ours = list(box, n_top);
    EXPECT_EQ(box.ids(), before);
    std::sort(s.tokens.begin(), s.tokens.end(), [](const plain::Token& a, const plain::Token& b) { return a.p > b.p; });
    size_t expected = 0;
    while (expected < std::min(n_top, s.tokens.size()) && s.tokens[expected].p != 0) ++expected;
    ASSERT_EQ(ours.size(), expected);
    for (size_t i = 0; i < expected; ++i) {
      ASSERT_EQ(ours[i].id, s.tokens[i].id);
      ASSERT_EQ(ours[i].p, s.tokens[i].p);
    }
  }
}

TEST(PostProbs, ends_before_the_first_zero) {
  plain::Set s = test::fresh({1, 2, 3});
  s.tokens[0].p = 0.25f;
  s.tokens[2].p = 0.75f;
  const SetBox box(s);
  const std::vector<TokenProb> out = list(box, 3);
  ASSERT_EQ(out.size(), 2u);
  EXPECT_EQ(out[0].id, 2);
  EXPECT_EQ(out[1].id, 0);
  EXPECT_EQ(list(box, 1).size(), 1u);
  EXPECT_TRUE(list(box, 0).empty());
}

TEST(PostProbs, a_sorted_set_is_listed_as_it_stands) {
  plain::Set s = test::fresh({3, 2, 1});
  s.sorted = true;
  s.tokens[0].p = 0.2f;
  s.tokens[1].p = 0.5f;
  s.tokens[2].p = 0.3f;
  const SetBox box(s);
  const std::vector<TokenProb> out = list(box, 3);
  ASSERT_EQ(out.size(), 3u);
  EXPECT_EQ(out[0].id, 0);
  EXPECT_EQ(out[1].id, 1);
}

TEST(PostProbs, an_empty_set) { EXPECT_TRUE(list(SetBox(test::fresh({})), 5).empty()); }

}  // namespace
}  // namespace bankml
