// core/steps/adaptive_p.
#include "core/math/fp_env.h"

#include "core/steps/adaptive_p.h"

#include <gtest/gtest.h>

#include "tests/reference/set_box.h"

namespace bankml {
namespace {

using test::SetBox;

TEST(AdaptiveP, equals_the_plain_one) {
  for (int seed = 0; seed < test::cases(500); ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    test::RandomSets random(static_cast<uint64_t>(seed));
    const float target = random.below(5) == 0 ? -1.0f : random.unit() * 1.1f;
    const float decay = random.unit() * 1.2f - 0.1f;
    plain::AdaptiveP expected_step(target, decay, static_cast<uint32_t>(seed));
    AdaptiveP step(target, decay, static_cast<uint32_t>(seed));
    for (int draw = 0; draw < 6; ++draw) {
      plain::Set expected = random.next();
      if (expected.tokens.empty()) continue;
      SetBox box(expected);
      expected_step.apply(expected);
      ASSERT_EQ(step.apply(box.set, box.error), Status::ok);
      ASSERT_TRUE(test::same_set(box.set, expected));
      const int32_t drawn = box.set.data[box.set.selected].id;
      const int32_t accepted = random.below(3) == 0 ? 0 : drawn;
      step.accept(accepted);
      expected_step.accept(accepted);
      ASSERT_TRUE(test::same_bits(step.weighted(), expected_step.weighted));
      ASSERT_TRUE(test::same_bits(step.total(), expected_step.total));
    }
    ASSERT_EQ(step.engine().next(), expected_step.rng());
  }
}

TEST(AdaptiveP, another_token_or_none_forgets_the_pending_one) {
  AdaptiveP step(0.5f, 0.9f, 1);
  const float weighted = step.weighted();
  step.accept(3);
  EXPECT_EQ(step.weighted(), weighted);
  SetBox box(test::fresh(test::row_x()));
  step.apply(box.set, box.error);
  const int32_t drawn = box.set.data[box.set.selected].id;
  step.accept(drawn + 1);
  step.accept(drawn);
  EXPECT_EQ(step.weighted(), weighted);
  step.accept(-1);
  EXPECT_EQ(step.weighted(), weighted);
}

TEST(AdaptiveP, the_average_takes_the_probability_from_before) {
  AdaptiveP step(0.5f, 0.5f, 1);
  EXPECT_EQ(step.weighted(), 1.0f);
  EXPECT_EQ(step.total(), 2.0f);
  SetBox box(test::fresh({0, 0, 0, 0}));
  step.apply(box.set, box.error);
  step.accept(box.set.data[box.set.selected].id);
  EXPECT_EQ(step.weighted(), 0.25f + 0.5f);
  EXPECT_EQ(step.total(), 2.0f);
}

TEST(AdaptiveP, nothing_to_draw_is_a_status) {
  for (const float target : {-1.0f, 0.5f}) {
    AdaptiveP step(target, 0.9f, 1);
    for (const std::vector<float>& row :
         {std::vector<float>{}, {plain::minus_infinity, plain::minus_infinity}, {1, INFINITY}, {1, NAN}}) {
      SetBox box(test::fresh(row));
      EXPECT_NE(step.apply(box.set, box.error), Status::ok);
      EXPECT_EQ(step.engine().outputs(), 0u);
    }
  }
}

TEST(AdaptiveP, C101_mark_rewind_reset_clone) {
  AdaptiveP step(0.4f, 0.8f, 5);
  const auto draw = [](Step& s) {
    SetBox box(test::fresh(test::row_x()));
    EXPECT_EQ(s.apply(box.set, box.error), Status::ok);
    return box.set.data[box.set.selected].id;
  };
  std::vector<int32_t> first;
  for (int i = 0; i < 20; ++i) {
    first.push_back(draw(step));
    step.accept(first.back());
  }
  const int32_t pending = draw(step);
  step.mark();
  const std::unique_ptr<Step> clone = step.clone();
  const int32_t next = draw(step);
  EXPECT_EQ(draw(*clone), next);
  step.rewind();
  const float weighted = step.weighted();
  step.accept(pending);
  EXPECT_NE(step.weighted(), weighted) << "the pending token survived the rewind";
  step.reset(5);
  for (const int32_t id : first) {
    EXPECT_EQ(draw(step), id);
    step.accept(id);
  }
}

}  // namespace
}  // namespace bankml
