// core/steps/xtc.
#include "core/math/fp_env.h"

#include "core/steps/xtc.h"

#include <gtest/gtest.h>

#include "core/steps/draw.h"
#include "tests/reference/set_box.h"

namespace bankml {
namespace {

using test::SetBox;

std::vector<float> row() { return {std::log(0.5f), std::log(0.3f), std::log(0.15f), std::log(0.05f)}; }

TEST(Xtc, C39_drops_all_top_choices_but_the_last) {
  SetBox box(test::fresh(row()));
  Xtc(1, 0.1f, 0, 42).apply(box.set, box.error);
  EXPECT_EQ(box.ids(), (std::vector<int32_t>{2, 3}));
}

TEST(Xtc, C40_has_its_own_engine) {
  Dist with(42);
  Dist without(42);
  Xtc xtc(1, 0.1f, 0, 42);
  for (int i = 0; i < 50; ++i) {
    SetBox a(test::fresh(row()));
    xtc.apply(a.set, a.error);
    EXPECT_EQ(a.work.random_outputs, 1u);
    with.apply(a.set, a.error);
    SetBox b(test::fresh(row()));
    without.apply(b.set, b.error);
    ASSERT_EQ(with.engine().outputs(), without.engine().outputs());
  }
  EXPECT_EQ(xtc.engine().outputs(), 50u);
  EXPECT_EQ(with.engine().uniform_double(), without.engine().uniform_double());
}

TEST(Xtc, off_and_small_sets_take_no_random_number) {
  EXPECT_TRUE(Xtc::off(0, 0.1f));
  EXPECT_TRUE(Xtc::off(1, 0.51f));
  EXPECT_FALSE(Xtc::off(1, 0.5f));
  Xtc step(1, 0.1f, 0, 42);
  SetBox one(test::fresh({1}));
  step.apply(one.set, one.error);
  EXPECT_EQ(step.engine().outputs(), 0u);
}

TEST(Xtc, min_keep_keeps_everything) {
  SetBox box(test::fresh(row()));
  Xtc(1, 0.1f, 3, 42).apply(box.set, box.error);
  EXPECT_EQ(box.set.size, 4u);
}

TEST(Xtc, equals_the_plain_one) {
  for (int seed = 0; seed < test::cases(500); ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    test::RandomSets random(static_cast<uint64_t>(seed));
    const float probability = random.unit() * 1.1f;
    const float threshold = random.unit() * random.unit() * 0.55f;
    const size_t min_keep = random.below(4);
    std::mt19937 rng(static_cast<uint32_t>(seed));
    Xtc step(probability, threshold, min_keep, static_cast<uint32_t>(seed));
    for (int draw = 0; draw < 3; ++draw) {
      plain::Set expected = random.next();
      SetBox box(expected);
      plain::xtc(expected, probability, threshold, min_keep, rng);
      step.apply(box.set, box.error);
      ASSERT_TRUE(test::same_set(box.set, expected));
    }
    ASSERT_EQ(step.engine().next(), rng());
  }
}

TEST(Xtc, C101_rewind_reset_and_clone) {
  Xtc step(0.5f, 0.1f, 0, 9);
  const float first = random::Engine(9).uniform_float();
  step.mark();
  SetBox box(test::fresh(row()));
  step.apply(box.set, box.error);
  const std::unique_ptr<Step> clone = step.clone();
  step.rewind();
  EXPECT_EQ(step.engine().uniform_float(), first);
  EXPECT_EQ(static_cast<Xtc&>(*clone).engine().outputs(), 1u);
  step.reset(9);
  EXPECT_EQ(step.engine().uniform_float(), first);
}

}  // namespace
}  // namespace bankml
