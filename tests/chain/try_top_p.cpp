// The top_p shortcut: the same tokens, candidates and random numbers as the plain steps, at every level.
#include "core/chain/try_top_p.h"

#include "tests/chain/shortcut_cases.h"

namespace bankml::chain_test {
namespace {

TEST(TryTopP, equals_the_plain_steps) {
  for (const Kept kept : {Kept::yes, Kept::no}) {
    compare_shortcut("top_p", 11, 800, kept, [](Params& p, std::mt19937& engine) {
      p.samplers = {StepKind::penalties, StepKind::dry, StepKind::top_p, StepKind::temperature};
      if (engine() % 6 == 0) p.samplers.pop_back();
      if (engine() % 6 == 0) p.samplers.push_back(StepKind::min_p);
      const float ps[] = {0.95f, 0.95f, 0.5f, 0.1f, 0.999f, 0.0f};
      p.top_p = ps[engine() % 6];
      const float temperatures[] = {0.8f, 1.0f, 0.05f, 1e-30f, 5.0f, 0.0f};
      p.temperature = temperatures[engine() % 6];
      if (engine() % 3 == 0) p.min_keep = static_cast<int32_t>(engine() % 400);
    });
  }
}

TEST(TryTopP, equals_the_plain_steps_at_the_size_of_a_vocabulary) {
  for (const Kept kept : {Kept::yes, Kept::no}) {
    compare_shortcut(
        "top_p", 12, 6, kept,
        [](Params& p, std::mt19937&) {
          p.samplers = {StepKind::top_p, StepKind::temperature};
        },
        150000);
  }
}

}  // namespace
}  // namespace bankml::chain_test
