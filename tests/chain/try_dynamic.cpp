// The shortcut of a dynamic temperature: the same tokens and random numbers as the plain steps, at every level.
#include "core/chain/try_dynamic.h"

#include "tests/chain/shortcut_cases.h"

namespace bankml::chain_test {
namespace {

TEST(TryDynamic, equals_the_plain_steps) {
  compare_shortcut("dynamic_temperature", 13, 800, Kept::no, [](Params& p, std::mt19937& engine) {
    p.samplers = {StepKind::penalties, StepKind::dry, StepKind::temperature};
    const float temperatures[] = {0.8f, 1.0f, 0.05f, 5.0f, 0.0f};
    p.temperature = temperatures[engine() % 5];
    const float ranges[] = {0.5f, 0.1f, 2.0f, 0.8f};
    p.dynatemp_range = ranges[engine() % 4];
    const float exponents[] = {1.0f, 1.0f, 0.5f, 3.0f, -1.0f};
    p.dynatemp_exponent = exponents[engine() % 5];
  });
}

TEST(TryDynamic, equals_the_plain_steps_at_the_size_of_a_vocabulary) {
  compare_shortcut(
      "dynamic_temperature", 14, 6, Kept::no,
      [](Params& p, std::mt19937&) {
        p.samplers = {StepKind::temperature};
        p.dynatemp_range = 0.5f;
      },
      150000);
}

}  // namespace
}  // namespace bankml::chain_test
