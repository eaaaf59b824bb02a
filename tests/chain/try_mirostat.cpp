// The mirostat shortcuts: the same draws, candidates and mu as the plain steps, at every level.
#include "core/chain/try_mirostat.h"

#include "tests/chain/shortcut_cases.h"

namespace bankml::chain_test {
namespace {

void any_mirostat(Params& p, std::mt19937& engine) {
  const float temperatures[] = {0.8f, 1.0f, 0.3f, 2.0f, 0.8f, 1e-30f, 0.0f};
  p.temperature = temperatures[engine() % 7];
  const float taus[] = {5.0f, 5.0f, 2.0f, 0.5f, 8.0f, 12.0f, 20.0f, 60.0f, -1.0f};
  p.mirostat_tau = taus[engine() % 9];
  p.mirostat_eta = engine() % 3 == 0 ? 0.9f : 0.1f;
}

TEST(TryMirostatV2, equals_the_plain_steps) {
  for (const Kept kept : {Kept::yes, Kept::no}) {
    compare_shortcut("mirostat_v2", 5, 700, kept, [](Params& p, std::mt19937& engine) {
      p.mirostat = 2;
      any_mirostat(p, engine);
    });
  }
}

TEST(TryMirostatV2, equals_the_plain_steps_at_the_size_of_a_vocabulary) {
  compare_shortcut(
      "mirostat_v2", 6, 8, Kept::yes, [](Params& p, std::mt19937&) { p.mirostat = 2; }, 150000);
  // With tau 20 every token is kept at first.
  compare_shortcut(
      "mirostat_v2", 9, 8, Kept::no,
      [](Params& p, std::mt19937&) {
        p.mirostat = 2;
        p.mirostat_tau = 20.0f;
      },
      150000);
}

TEST(TryMirostat, equals_the_plain_steps) {
  for (const Kept kept : {Kept::yes, Kept::no}) {
    compare_shortcut("mirostat", 7, 700, kept, [](Params& p, std::mt19937& engine) {
      p.mirostat = 1;
      any_mirostat(p, engine);
    });
  }
}

TEST(TryMirostat, equals_the_plain_steps_at_the_size_of_a_vocabulary) {
  compare_shortcut(
      "mirostat", 8, 8, Kept::yes, [](Params& p, std::mt19937&) { p.mirostat = 1; }, 150000);
}

}  // namespace
}  // namespace bankml::chain_test
