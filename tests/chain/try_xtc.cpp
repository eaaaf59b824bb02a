// The xtc shortcut: the same tokens and random numbers as the plain steps, at every level.
#include "core/chain/try_xtc.h"

#include "tests/chain/shortcut_cases.h"

namespace bankml::chain_test {
namespace {

TEST(TryXtc, equals_the_plain_steps) {
  compare_shortcut("xtc", 9, 800, Kept::no, [](Params& p, std::mt19937& engine) {
    p.samplers = {StepKind::penalties, StepKind::dry, StepKind::xtc, StepKind::temperature};
    if (engine() % 6 == 0) p.samplers.pop_back();
    p.xtc_probability = engine() % 2 == 0 ? 0.5f : 1.0f;
    const float thresholds[] = {0.1f, 0.1f, 0.01f, 0.5f, 1e-5f, 0.0f};
    p.xtc_threshold = thresholds[engine() % 6];
    const float temperatures[] = {0.8f, 1.0f, 0.05f, 1e-30f, 5.0f, 0.0f};
    p.temperature = temperatures[engine() % 6];
    if (engine() % 4 == 0) p.min_keep = static_cast<int32_t>(engine() % 4);
  });
}

TEST(TryXtc, equals_the_plain_steps_at_the_size_of_a_vocabulary) {
  compare_shortcut(
      "xtc", 10, 8, Kept::no,
      [](Params& p, std::mt19937&) {
        p.samplers = {StepKind::xtc, StepKind::temperature};
        p.xtc_probability = 0.5f;
      },
      150000);
}

}  // namespace
}  // namespace bankml::chain_test
