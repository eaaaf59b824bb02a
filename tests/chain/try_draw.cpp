// Shortcuts to a token without its candidates: the same tokens, statuses and random numbers as the plain chain, at every level.
#include <bit>
#include <limits>

#include "core/chain/sampler.h"
#include "tests/chain/shortcut_cases.h"

namespace bankml::chain_test {
namespace {

TEST(TryDraw, equals_the_plain_chain) {
  compare_shortcut("draw", 1, 400, Kept::no, [](Params& p, std::mt19937& engine) {
    p.samplers = {StepKind::penalties, StepKind::dry, StepKind::temperature};
    if (engine() % 6 == 0) p.samplers.pop_back();
    const float temperatures[] = {0.8f, 1.0f, 0.05f, 1e-30f, 5.0f, 1e30f, 0.0f};
    p.temperature = temperatures[engine() % 7];
  });
}

TEST(TryDraw, equals_the_plain_chain_at_the_size_of_a_vocabulary) {
  compare_shortcut(
      "draw", 2, 12, Kept::no, [](Params& p, std::mt19937&) { p.samplers = {StepKind::temperature}; }, 150000);
}

}  // namespace
}  // namespace bankml::chain_test
