// core/steps/penalties.
#include "core/math/fp_env.h"

#include "core/steps/penalties.h"

#include <gtest/gtest.h>

#include "core/steps/dry.h"
#include "core/steps/logit_bias.h"
#include "tests/steps/rows.h"

namespace bankml {
namespace {

using test::SetBox;

void accept_all(Step& step, const std::vector<int32_t>& tokens) {
  for (const int32_t t : tokens) step.accept(t);
}

std::vector<float> penalised(std::vector<float> row, Penalties step, const std::vector<int32_t>& history) {
  SetBox box(test::fresh(row));
  accept_all(step, history);
  EXPECT_EQ(step.apply(box.set, box.error), Status::ok);
  return box.logits();
}

TEST(Penalties, C17_arithmetic) {
  EXPECT_EQ(penalised(test::row_x(), Penalties(64, 2, 0.5f, 0.25f), {1, 1, 7}),
            (std::vector<float>{3, 0, 2, 1, 0.5f, 0, -1, -4.75f}));
}

TEST(Penalties, C18_zero_is_multiplied) {
  const std::vector<float> out = penalised({0.0f, -0.0f}, Penalties(64, 2, 0, 0), {0, 1});
  EXPECT_TRUE(test::same_bits(out[0], 0.0f));
  EXPECT_TRUE(test::same_bits(out[1], -0.0f));
}

TEST(Penalties, C19_off) {
  EXPECT_TRUE(Penalties::off(0, 2, 1, 1));
  EXPECT_TRUE(Penalties::off(64, 1, 0, 0));
  EXPECT_FALSE(Penalties::off(64, 1.5f, 0, 0));
  EXPECT_FALSE(Penalties::off(64, 1, 0.1f, 0));
  EXPECT_FALSE(Penalties::off(64, 1, 0, 0.1f));
}

TEST(Penalties, C20_the_window_counts_only_its_content) {
  EXPECT_EQ(penalised(std::vector<float>(8, 4.0f), Penalties(2, 2, 0, 0), {5, 6, 7}), (std::vector<float>{4, 4, 4, 4, 4, 4, 2, 2}));
}

TEST(Penalties, B38_one_token_is_penalised_once_however_often_it_occurs) {
  EXPECT_EQ(penalised({4}, Penalties(64, 2, 0, 0), {0, 0, 0}), std::vector<float>{2});
}

TEST(Penalties, B46_they_find_tokens_by_id_after_a_sort) {
  SetBox box(test::fresh({1, 9, 8}));
  std::swap(box.set.data[0], box.set.data[1]);
  box.set.size = 2;
  box.set.data[1] = {2, 8, 0};
  box.set.sorted = true;
  Penalties step(64, 2, 0, 0);
  step.accept(1);
  step.apply(box.set, box.error);
  EXPECT_EQ(box.logits(), (std::vector<float>{4.5f, 8}));
  EXPECT_FALSE(box.set.sorted);
}

TEST(Penalties, sorted_is_cleared_even_where_nothing_matches) {
  SetBox box(test::fresh({3, 2}));
  box.set.sorted = true;
  Penalties(4, 2, 0, 0).apply(box.set, box.error);
  EXPECT_FALSE(box.set.sorted);
}

TEST(Penalties, equal_the_plain_ones) {
  for (int seed = 0; seed < test::cases(600); ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    test::RandomSets random(static_cast<uint64_t>(seed));
    plain::Set expected = random.next(random.below(150));
    SetBox box(expected);
    const std::vector<int32_t> history = random.history(random.below(100), expected.n_vocab);
    const size_t last_n = 1 + random.below(80);
    const float repeat = 0.5f + 2 * random.unit();
    const float freq = random.below(2) == 0 ? 0.0f : random.unit() * 2 - 1;
    const float present = random.below(2) == 0 ? 0.0f : random.unit() * 2 - 1;
    Penalties step(last_n, repeat, freq, present);
    accept_all(step, history);
    if (Penalties::off(static_cast<int64_t>(last_n), repeat, freq, present)) continue;
    plain::penalties(expected, history, last_n, repeat, freq, present);
    ASSERT_EQ(step.apply(box.set, box.error), Status::ok);
    ASSERT_TRUE(test::same_set(box.set, expected));
  }
}

TEST(Penalties, edits_equal_apply_after_bias_and_before_dry) {
  for (int seed = 0; seed < test::cases(400); ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    test::RandomSets random(static_cast<uint64_t>(seed));
    const test::MaskedRow row(random);
    const size_t n = row.logits.size();
    LogitBias bias({{static_cast<int32_t>(random.below(n)), 2.5f}, {static_cast<int32_t>(random.below(n)), plain::minus_infinity}});
    Penalties penalties(1 + random.below(60), 0.5f + 2 * random.unit(), random.unit(), random.unit() - 0.5f);
    Dry dry(1.5f, 1.75f, random.below(3), 1 + random.below(60), nullptr);
    const std::vector<int32_t> history = random.history(random.below(100), n);
    accept_all(penalties, history);
    accept_all(dry, history);
    ASSERT_TRUE(test::edits_equal_apply({&penalties}, row.logits, row.mask_or_null()));
    ASSERT_TRUE(test::edits_equal_apply({&bias, &penalties, &dry}, row.logits, row.mask_or_null()));
  }
}

TEST(Penalties, overflow_leaves_banned_tokens_banned) {
  EXPECT_EQ(penalised({plain::minus_infinity, 1}, Penalties(4, 2, -3e38f, -3e38f), {0, 0, 0}),
            (std::vector<float>{plain::minus_infinity, 1}));
}

TEST(Penalties, windows_beyond_what_is_allocated_at_once_do_not_edit) {
  Penalties step(65537, 2, 0, 0);
  EXPECT_EQ(step.edit_capacity(), 0u);
  EXPECT_EQ(Penalties(65536, 2, 0, 0).edit_capacity(), 65536u);
  step.accept(0);
  const std::vector<float> logits = {1};
  Edits edits(4);
  Row row;
  row.logits = logits.data();
  row.n = 1;
  row.edits = &edits;
  Work work;
  EXPECT_FALSE(step.edit(row, work));
  EXPECT_EQ(edits.size(), 0u);
}

TEST(Penalties, C101_clone_and_reset) {
  Penalties step(8, 2, 0, 0);
  accept_all(step, {1, 2});
  const std::unique_ptr<Step> clone = step.clone();
  step.reset(0);
  SetBox a(test::fresh({2, 2, 2}));
  step.apply(a.set, a.error);
  EXPECT_EQ(a.logits(), (std::vector<float>{2, 2, 2}));
  SetBox b(test::fresh({2, 2, 2}));
  clone->apply(b.set, b.error);
  EXPECT_EQ(b.logits(), (std::vector<float>{2, 1, 1}));
}

}  // namespace
}  // namespace bankml
