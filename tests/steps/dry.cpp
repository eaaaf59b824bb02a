// core/steps/dry.
#include "core/math/fp_env.h"

#include "core/steps/dry.h"

#include <gtest/gtest.h>

#include "tests/steps/rows.h"

namespace bankml {
namespace {

using test::SetBox;

std::shared_ptr<const DryBreakers> breakers(const std::vector<DryBreaker>& list) { return std::make_shared<DryBreakers>(list); }

// What the step takes off each token of a row of zeros.
std::vector<float> off(Dry step, size_t n_vocab, const std::vector<int32_t>& history) {
  SetBox box(test::fresh(std::vector<float>(n_vocab, 0.0f)));
  for (const int32_t t : history) step.accept(t);
  EXPECT_EQ(step.apply(box.set, box.error), Status::ok);
  std::vector<float> out = box.logits();
  for (float& x : out) x = 0.0f - x;
  return out;
}

TEST(Dry, C22_penalty_grows_with_the_length) {
  // 1...L, 9, 1...L: token 9 would continue a repeat of length L.
  const float expected[] = {1.0f, 1.75f, 3.0625f, 5.359375f};
  for (int32_t length = 2; length <= 5; ++length) {
    std::vector<int32_t> history;
    for (int round = 0; round < 2; ++round) {
      for (int32_t i = 1; i <= length; ++i) history.push_back(i);
      if (round == 0) history.push_back(9);
    }
    EXPECT_EQ(off(Dry(1, 1.75f, 2, 64, nullptr), 10, history)[9], expected[length - 2]);
  }
}

TEST(Dry, C23_a_shorter_repeat_costs_nothing) {
  EXPECT_EQ(off(Dry(1, 1.75f, 2, 64, nullptr), 6, {1, 3, 4, 1}), std::vector<float>(6, 0.0f));
  EXPECT_EQ(off(Dry(1, 1.75f, 2, 64, nullptr), 6, {1, 3}), std::vector<float>(6, 0.0f));
}

TEST(Dry, C24_a_breaker_caps_the_repeat_and_is_never_penalised) {
  const std::vector<int32_t> history = {1, 2, 0, 3, 4, 9, 1, 2, 0, 3, 4};
  EXPECT_EQ(off(Dry(1, 2, 2, 64, nullptr), 10, history)[9], 8.0f);
  EXPECT_EQ(off(Dry(1, 2, 2, 64, breakers({{0, {}}})), 10, history)[9], 1.0f);
  EXPECT_EQ(off(Dry(1, 2, 2, 64, breakers({{9, {}}})), 10, history)[9], 0.0f);
}

TEST(Dry, C25_the_penalty_stays_finite) {
  const std::vector<float> out = off(Dry(1, 1.75f, 2, 1024, nullptr), 2, std::vector<int32_t>(1000, 1));
  EXPECT_TRUE(std::isfinite(out[1]));
  EXPECT_GT(out[1], 1e38f);
}

TEST(Dry, B49_worked_example) {
  const std::vector<int32_t> history = {1, 2, 3, 1, 2};
  EXPECT_EQ(off(Dry(1, 2, 2, 64, nullptr), 5, history), (std::vector<float>{0, 0, 0, 1, 0}));
  EXPECT_EQ(off(Dry(1, 2, 2, 64, breakers({{2, {}}})), 5, history), std::vector<float>(5, 0.0f));
}

TEST(Dry, B50_a_clone_is_its_own) {
  Dry step(1, 2, 2, 64, nullptr);
  for (const int32_t t : {1, 2, 3, 1}) step.accept(t);
  const std::unique_ptr<Step> clone = step.clone();
  clone->accept(2);
  SetBox a(test::fresh(std::vector<float>(5, 0.0f)));
  SetBox b(test::fresh(std::vector<float>(5, 0.0f)));
  clone->apply(a.set, a.error);
  step.apply(b.set, b.error);
  EXPECT_EQ(a.logits(), (std::vector<float>{0, 0, 0, -1, 0}));
  EXPECT_EQ(b.logits(), std::vector<float>(5, 0.0f));
}

TEST(Dry, off) {
  EXPECT_TRUE(Dry::off(0, 1.75f, 64));
  EXPECT_TRUE(Dry::off(1, 0.99f, 64));
  EXPECT_TRUE(Dry::off(1, 1.75f, 0));
  EXPECT_FALSE(Dry::off(-1, 1, 1));
}

TEST(Dry, early_returns_leave_sorted_alone) {
  const auto sorted_after = [](Dry step, const std::vector<int32_t>& history) {
    SetBox box(test::fresh({3, 2, 1}));
    box.set.sorted = true;
    for (const int32_t t : history) step.accept(t);
    step.apply(box.set, box.error);
    return box.set.sorted;
  };
  EXPECT_TRUE(sorted_after(Dry(1, 2, 2, 64, nullptr), {0, 1}));
  EXPECT_FALSE(sorted_after(Dry(1, 2, 2, 64, nullptr), {0, 1, 2}));
  EXPECT_TRUE(sorted_after(Dry(1, 2, 2, 64, breakers({{2, {}}})), {0, 1, 2}));
}

struct DryCase {
  DryCase(test::RandomSets& random, size_t n_vocab)
      : history(random.history(random.below(120), n_vocab)),
        multiplier(random.below(8) == 0 ? -1.0f : 0.1f + 2 * random.unit()),
        base(random.below(4) == 0 ? 1.0f : 1.0f + 2 * random.unit()),
        allowed(random.below(4)),
        last_n(1 + random.below(130)) {
    for (uint64_t i = random.below(4); i > 0; --i) {
      const std::vector<int32_t> sequence = random.history(1 + random.below(3), n_vocab);
      list.push_back({sequence[0], {sequence.begin() + 1, sequence.end()}});
      plain_list.emplace_back(list.back().head, list.back().tail);
    }
  }
  Dry step() const {
    Dry dry(multiplier, base, allowed, last_n, std::make_shared<DryBreakers>(list));
    for (const int32_t t : history) dry.accept(t);
    return dry;
  }

  std::vector<int32_t> history;
  float multiplier;
  float base;
  size_t allowed;
  size_t last_n;
  std::vector<DryBreaker> list;
  plain::Breakers plain_list;
};

TEST(Dry, equals_the_plain_one) {
  for (int seed = 0; seed < test::cases(1500); ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    test::RandomSets random(static_cast<uint64_t>(seed));
    plain::Set expected = random.next(random.below(60));
    SetBox box(expected);
    const DryCase dry_case(random, expected.n_vocab);
    plain::dry(expected, dry_case.history, dry_case.multiplier, dry_case.base, dry_case.allowed, dry_case.last_n,
               dry_case.plain_list);
    Dry step = dry_case.step();
    ASSERT_EQ(step.apply(box.set, box.error), Status::ok);
    ASSERT_TRUE(test::same_set(box.set, expected));
    // A second draw finds the work space as the first left it.
    SetBox again(random.next(5));
    step.apply(again.set, again.error);
  }
}

TEST(Dry, a_step_can_be_applied_again_and_again) {
  test::RandomSets random(5);
  Dry step(1, 1.5f, 0, 40, nullptr);
  std::vector<int32_t> history;
  for (int i = 0; i < 200; ++i) {
    plain::Set expected = random.next(40);
    expected.n_vocab = 40;
    for (plain::Token& t : expected.tokens) t.id %= 40;
    SetBox box(expected);
    plain::dry(expected, history, 1, 1.5f, 0, 40, {});
    step.apply(box.set, box.error);
    ASSERT_TRUE(test::same_set(box.set, expected)) << i;
    history.push_back(random.history(1, 40)[0]);
    step.accept(history.back());
  }
}

TEST(Dry, edits_equal_apply) {
  for (int seed = 0; seed < test::cases(600); ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    test::RandomSets random(static_cast<uint64_t>(seed));
    const test::MaskedRow row(random);
    const DryCase dry_case(random, row.logits.size());
    Dry step = dry_case.step();
    ASSERT_TRUE(test::edits_equal_apply({&step}, row.logits, row.mask_or_null()));
  }
}

TEST(Dry, the_work_is_linear_in_the_window) {
  const std::vector<std::vector<int32_t>> patterns = {{1}, {1, 2}, {1, 1, 2}, {1, 2, 3, 4, 5, 6, 7}, {1, 1, 1, 1, 1, 1, 1, 2}};
  for (const std::vector<int32_t>& pattern : patterns) {
    Dry step(1, 1.75f, 2, 4096, breakers({{0, {3}}}));
    for (size_t i = 0; i < 4096; ++i) step.accept(pattern[i % pattern.size()]);
    SetBox box(test::fresh(std::vector<float>(10, 0.0f)));
    step.apply(box.set, box.error);
    EXPECT_GT(box.work.dry_visits, 4096u);
    EXPECT_LT(box.work.dry_visits, 4 * 4096u);
  }
}

TEST(Dry, windows_beyond_what_is_allocated_at_once_grow) {
  Dry step(1, 2, 2, 200000, nullptr);
  EXPECT_EQ(step.edit_capacity(), 0u);
  for (int32_t i = 0; i < 100000; ++i) {
    step.reserve(1);
    step.accept(i % 50000);
  }
  SetBox box(test::fresh(std::vector<float>(50000, 0.0f)));
  step.apply(box.set, box.error);
  EXPECT_LT(box.set.data[0].logit, -1e30f);
  EXPECT_EQ(box.set.data[1].logit, 0.0f);
}

TEST(Dry, default_windows_are_small) { EXPECT_LT(Dry(1, 1.75f, 2, 64, nullptr).bytes(), 8192u); }

}  // namespace
}  // namespace bankml
