// core/steps/mirostat and core/steps/mirostat_state.
#include "core/math/fp_env.h"

#include "core/steps/mirostat.h"

#include <gtest/gtest.h>

#include "core/steps/temperature.h"
#include "tests/reference/set_box.h"

namespace bankml {
namespace {

using test::SetBox;

TEST(MirostatState, C97_surprise_is_minus_log2_of_p) {
  // With eta 1 and tau 0, mu falls by the surprise.
  const auto surprise = [](float p) {
    MirostatState state(0, 1, 1);
    SetBox box(test::fresh({std::log(p), std::log(1 - p)}));
    do {
      state.rewind();
      state.engine().uniform_double();
      state.mark();
      box.set.sorted = true;
      EXPECT_EQ(state.draw("mirostat", box.set, box.error), Status::ok);
    } while (box.set.selected != 0);
    return -state.mu();
  };
  EXPECT_NEAR(surprise(0.5f), 1.0f, 1e-6f);
  EXPECT_NEAR(surprise(0.001f), 9.9658f, 1e-4f);
}

TEST(Mirostat, equals_the_plain_one) {
  for (int seed = 0; seed < test::cases(400); ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    test::RandomSets random(static_cast<uint64_t>(seed));
    const float tau = random.unit() * 8;
    const float eta = random.unit();
    const size_t m = random.below(3) == 0 ? 2 + random.below(30) : 100;
    float mu = 2 * tau;
    std::mt19937 rng(static_cast<uint32_t>(seed));
    Mirostat step(tau, eta, static_cast<uint32_t>(seed), m);
    for (int draw = 0; draw < 6; ++draw) {
      plain::Set expected = random.next();
      if (expected.tokens.empty()) continue;
      if (random.below(4) == 0) plain::temperature(expected, 0, 0, 1);
      SetBox box(expected);
      plain::mirostat(expected, tau, eta, m, mu, rng);
      ASSERT_EQ(step.apply(box.set, box.error), Status::ok);
      ASSERT_TRUE(test::same_set(box.set, expected));
      ASSERT_TRUE(test::same_bits(step.state().mu(), mu));
    }
    ASSERT_EQ(step.state().engine().next(), rng());
  }
}

TEST(Mirostat, at_least_one_candidate_stays) {
  Mirostat step(5, 0.1f, 1);
  SetBox one(test::fresh({2}));
  ASSERT_EQ(step.apply(one.set, one.error), Status::ok);
  EXPECT_EQ(one.set.size, 1u);
  EXPECT_EQ(step.state().engine().outputs(), 0u) << "one weight takes no random number";
  SetBox cold(test::fresh({2, 3, 1}));
  Temperature(0).apply(cold.set, cold.error);
  ASSERT_EQ(step.apply(cold.set, cold.error), Status::ok);
  EXPECT_EQ(cold.ids(), std::vector<int32_t>{1});
}

TEST(Mirostat, nothing_to_draw_leaves_the_state) {
  Mirostat step(5, 0.1f, 1);
  for (const std::vector<float>& row :
       {std::vector<float>{}, {plain::minus_infinity, plain::minus_infinity}, {1, INFINITY}, {1, NAN}}) {
    SetBox box(test::fresh(row));
    EXPECT_NE(step.apply(box.set, box.error), Status::ok);
    EXPECT_EQ(step.state().mu(), 10.0f);
    EXPECT_EQ(step.state().engine().outputs(), 0u);
  }
}

TEST(Mirostat, C101_mark_rewind_reset_clone) {
  Mirostat step(3, 0.5f, 7);
  const auto draw = [](Step& s) {
    SetBox box(test::fresh(test::row_x()));
    EXPECT_EQ(s.apply(box.set, box.error), Status::ok);
    return box.set.data[box.set.selected].id;
  };
  std::vector<int32_t> first;
  for (int i = 0; i < 20; ++i) first.push_back(draw(step));
  step.mark();
  const float mu = step.state().mu();
  const std::unique_ptr<Step> clone = step.clone();
  const int32_t next = draw(step);
  EXPECT_NE(step.state().mu(), mu);
  step.rewind();
  EXPECT_EQ(step.state().mu(), mu);
  EXPECT_EQ(draw(step), next);
  EXPECT_EQ(draw(*clone), next);
  step.reset(7);
  EXPECT_EQ(step.state().mu(), 6.0f);
  for (const int32_t id : first) EXPECT_EQ(draw(step), id);
}

}  // namespace
}  // namespace bankml
