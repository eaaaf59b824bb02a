// top_n_sigma and top_k as one leave what the two steps leave, bit for bit, at every level.
#include "core/chain/try_top_n_sigma.h"

#include "tests/chain/shortcut_cases.h"

namespace bankml::chain_test {
namespace {

TEST(TryTopNSigma, equals_the_plain_steps) {
  compare_shortcut("top_n_sigma", 3, 1200, Kept::yes, [](Params& p, std::mt19937& engine) {
    const int ks[] = {1, 2, 5, 40, 128};
    p.top_k = ks[engine() % 5];
    const float ns[] = {1.0f, 1.0f, 0.1f, 2.0f, 3.5f, 1e-6f, 100.0f};
    p.top_n_sigma = ns[engine() % 7];
  });
}

TEST(TryTopNSigma, equals_the_plain_steps_at_the_size_of_a_vocabulary) {
  compare_shortcut(
      "top_n_sigma", 4, 12, Kept::yes, [](Params& p, std::mt19937&) { p.top_n_sigma = 1.0f; }, 150000);
}

}  // namespace
}  // namespace bankml::chain_test
