// core/steps/draw: dist and greedy; core/steps/drawable.
#include "core/math/fp_env.h"

#include "core/steps/draw.h"

#include <gtest/gtest.h>

#include <cstring>

#include "core/steps/temperature.h"
#include "core/steps/top_k.h"
#include "tests/reference/set_box.h"

namespace bankml {
namespace {

using test::SetBox;

TEST(Dist, C44_equals_the_plain_one) {
  for (int seed = 0; seed < test::cases(600); ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    test::RandomSets random(static_cast<uint64_t>(seed));
    std::mt19937 rng(static_cast<uint32_t>(seed));
    Dist step(static_cast<uint32_t>(seed));
    for (int draw = 0; draw < 4; ++draw) {
      plain::Set expected = random.next();
      if (expected.tokens.empty()) continue;
      SetBox box(expected);
      plain::dist(expected, rng);
      ASSERT_EQ(step.apply(box.set, box.error), Status::ok);
      ASSERT_TRUE(test::same_set(box.set, expected));
      ASSERT_EQ(box.work.random_outputs, 2u);
    }
    ASSERT_EQ(step.engine().next(), rng());
  }
}

TEST(Dist, C5_one_double_a_draw_also_with_one_candidate) {
  Dist step(42);
  for (int draw = 0; draw < 2; ++draw) {
    SetBox box(test::fresh(test::row_x()));
    TopK(1).apply(box.set, box.error);
    Temperature(0).apply(box.set, box.error);
    ASSERT_EQ(step.apply(box.set, box.error), Status::ok);
    EXPECT_EQ(box.set.selected, 0u);
    EXPECT_EQ(box.ps(), std::vector<float>{1});
  }
  random::Engine engine(42);
  engine.uniform_double();
  engine.uniform_double();
  EXPECT_EQ(step.engine().uniform_double(), engine.uniform_double());
}

TEST(Dist, B08_never_a_probability_of_zero) {
  Dist step(8);
  for (int i = 0; i < test::cases(20000); ++i) {
    SetBox box(test::fresh({0, plain::minus_infinity, 0, plain::minus_infinity}));
    ASSERT_EQ(step.apply(box.set, box.error), Status::ok);
    ASSERT_TRUE(box.set.selected == 0 || box.set.selected == 2);
  }
}

struct BadRow {
  std::vector<float> row;
  Status status;
  const char* text;
};

const BadRow bad_rows[] = {
    {{}, Status::no_candidate, "empty"},
    {{plain::minus_infinity, plain::minus_infinity, plain::minus_infinity},
     Status::no_candidate,
     "all 3 candidates have logit -inf"},
    {{NAN}, Status::nonfinite, "nan"},
    {{INFINITY}, Status::nonfinite, "inf"},
    {{0, INFINITY, 1}, Status::nonfinite, "inf"},
    {{1, NAN, 5}, Status::nonfinite, "NaN"},
    {{NAN, 1, 5}, Status::nonfinite, "nan"},
};

TEST(Dist, B01_nothing_to_draw_is_a_status_and_takes_no_random_number) {
  for (const BadRow& bad : bad_rows) {
    Dist step(1);
    SetBox box(test::fresh(bad.row));
    EXPECT_EQ(step.apply(box.set, box.error), bad.status) << bad.text;
    EXPECT_NE(std::strstr(box.error.c_str(), "dist: "), nullptr) << box.error.c_str();
    EXPECT_NE(std::strstr(box.error.c_str(), bad.text), nullptr) << box.error.c_str();
    EXPECT_EQ(step.engine().outputs(), 0u);
    EXPECT_EQ(box.set.selected, Candidates::no_selection);
  }
}

TEST(Dist, a_lone_candidate_is_drawn_even_if_it_is_banned) {
  Dist step(1);
  SetBox box(test::fresh({plain::minus_infinity}));
  ASSERT_EQ(step.apply(box.set, box.error), Status::ok);
  EXPECT_EQ(box.set.selected, 0u);
  EXPECT_EQ(box.ps(), std::vector<float>{1});
  EXPECT_EQ(step.engine().outputs(), 2u);
}

TEST(Dist, C101_mark_rewind_reset_clone) {
  Dist step(3);
  SetBox box(test::fresh(test::row_x()));
  step.apply(box.set, box.error);
  step.mark();
  const std::unique_ptr<Step> clone = step.clone();
  for (int i = 0; i < 700; ++i) step.apply(box.set, box.error);
  step.rewind();
  EXPECT_EQ(step.engine().next(), static_cast<Dist&>(*clone).engine().next());
  step.seed(3);
  EXPECT_EQ(step.engine().next(), random::Engine(3).next());
  step.reset(4);
  EXPECT_EQ(step.engine().next(), random::Engine(4).next());
}

TEST(Greedy, first_maximum) {
  SetBox box(test::fresh({1, 3, 3, 2}));
  ASSERT_EQ(Greedy().apply(box.set, box.error), Status::ok);
  EXPECT_EQ(box.set.selected, 1u);
}

TEST(Greedy, nothing_to_draw_is_a_status) {
  for (const BadRow& bad : bad_rows) {
    SetBox box(test::fresh(bad.row));
    EXPECT_EQ(Greedy().apply(box.set, box.error), bad.status) << bad.text;
    EXPECT_EQ(box.set.selected, Candidates::no_selection);
  }
}

}  // namespace
}  // namespace bankml
