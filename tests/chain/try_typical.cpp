// The shortcut of typical: the same tokens and random numbers as the plain steps, at every level.
#include "core/chain/try_typical.h"

#include "tests/chain/shortcut_cases.h"

namespace bankml::chain_test {
namespace {

void change(Params& p, std::mt19937& engine) {
  p.samplers = {StepKind::penalties, StepKind::dry, StepKind::typical, StepKind::temperature};
  const float limits[] = {0.9f, 0.5f, 0.99f, 0.05f, 0.999f, 0.0f, -1.0f};
  p.typical_p = limits[engine() % 7];
  const float temperatures[] = {0.8f, 1.0f, 0.05f, 5.0f, 0.0f};
  p.temperature = temperatures[engine() % 5];
  if (engine() % 4 == 0) p.min_keep = static_cast<int32_t>(engine() % 300);
}

TEST(TryTypical, equals_the_plain_steps) { compare_shortcut("typical", 15, 1200, Kept::no, change); }

TEST(TryTypical, equals_the_plain_steps_at_the_size_of_a_vocabulary) {
  compare_shortcut("typical", 16, 6, Kept::no, change, 150000);
}

TEST(TryTypical, candidates_that_are_kept_are_the_plain_steps) {
  Params params = params_with([](Params& p) {
    p.samplers = {StepKind::typical};
    p.typical_p = 0.9f;
  });
  Sampler fast(params, nullptr, 5000);
  ASSERT_STREQ(fast.plan_name(), "typical");
  params.disable = {"typical"};
  Sampler plain(params, nullptr, 5000);
  ASSERT_STREQ(plain.plan_name(), "plain");
  fast.keep(true);
  plain.keep(true);
  const std::vector<float> row = random_row(5000, 3);
  ASSERT_EQ(draw(fast, row), draw(plain, row));
  ASSERT_EQ(fast.kept()->size, plain.kept()->size);
  ASSERT_EQ(std::memcmp(fast.kept()->data, plain.kept()->data, fast.kept()->size * sizeof(Candidate)), 0);
}

}  // namespace
}  // namespace bankml::chain_test
