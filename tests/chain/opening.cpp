// The table of openings, and that each gives what the plain chain gives.
#include "core/chain/opening.h"

#include <cstring>

#include "tests/chain/shortcut_cases.h"

namespace bankml::chain_test {
namespace {

const char* plan_of(const Params& params, size_t n_vocab = 10000) { return Sampler(params, nullptr, n_vocab).plan_name(); }

TEST(Opening, the_longest_known_prefix_decides) {
  EXPECT_STREQ(plan_of(params_with([](Params&) {})), "top_k");
  EXPECT_STREQ(plan_of(params_with([](Params& p) { p.top_k = 1; })), "top_k");
  EXPECT_STREQ(plan_of(params_with([](Params& p) { p.repeat_penalty = 1.1f; })), "top_k");
  EXPECT_STREQ(plan_of(params_with([](Params& p) { p.logit_bias = {{1, 1.0f}}; })), "top_k");
  EXPECT_STREQ(plan_of(params_with([](Params& p) { p.top_k = 200; })), "bucket_top_k");
  EXPECT_STREQ(plan_of(params_with([](Params& p) { p.top_k = 5000; })), "plain");
  EXPECT_STREQ(plan_of(params_with([](Params& p) { p.top_k = 0; })), "top_p");
  EXPECT_STREQ(plan_of(params_with([](Params& p) { p.top_n_sigma = 1.0f; })), "top_n_sigma");
  EXPECT_STREQ(plan_of(params_with([](Params& p) {
                 p.top_n_sigma = 1.0f;
                 p.top_k = 200;
               })),
               "plain");
  EXPECT_STREQ(plan_of(params_with([](Params& p) { p.samplers = {StepKind::min_p, StepKind::temperature}; })), "min_p");
  EXPECT_STREQ(plan_of(params_with([](Params& p) { p.mirostat = 2; })), "mirostat_v2");
  EXPECT_STREQ(plan_of(params_with([](Params& p) { p.mirostat = 1; })), "mirostat");
  EXPECT_STREQ(plan_of(params_with([](Params& p) {
                 p.xtc_probability = 0.5f;
                 p.samplers = {StepKind::xtc, StepKind::temperature};
               })),
               "xtc");
  EXPECT_STREQ(plan_of(params_with([](Params& p) { p.samplers = {StepKind::temperature}; })), "draw");
  EXPECT_STREQ(plan_of(params_with([](Params& p) { p.samplers = {StepKind::penalties, StepKind::dry}; })), "draw");
  EXPECT_STREQ(plan_of(params_with([](Params& p) {
                 p.samplers = {StepKind::temperature};
                 p.dynatemp_range = 0.5f;
               })),
               "dynamic_temperature");
  EXPECT_STREQ(plan_of(params_with([](Params& p) { p.samplers = {StepKind::top_k, StepKind::penalties}; })), "top_k");
}

TEST(Opening, each_can_be_switched_off) {
  EXPECT_STREQ(plan_of(params_with([](Params& p) { p.disable = {"top_k"}; })), "plain");
  EXPECT_STREQ(plan_of(params_with([](Params& p) {
                 p.disable = {"min_p"};
                 p.samplers = {StepKind::min_p};
               })),
               "plain");
  EXPECT_STREQ(plan_of(params_with([](Params& p) {
                 p.disable = {"bucket_top_k"};
                 p.top_k = 200;
               })),
               "plain");
}

// The same draws and the same surviving candidates with the opening and without it, at every level, under penalties, DRY, biases
// and masks.
TEST(Opening, equals_the_plain_chain) {
  for (uint32_t round = 0; round < 120; ++round) {
    std::mt19937 engine(round);
    const size_t n = 1 + engine() % 6000;
    Params params = params_with([&](Params& p) {
      p.seed = round;
      const int ks[] = {1, 2, 40, 128, 129, 200, 1000};
      p.top_k = ks[engine() % 7];
      if (engine() % 3 == 0) {
        p.samplers = {StepKind::penalties, StepKind::dry, StepKind::min_p, StepKind::top_p, StepKind::temperature};
        p.min_keep = static_cast<int32_t>(engine() % 4);
      }
      if (engine() % 2 != 0) p.repeat_penalty = 1.3f;
      if (engine() % 2 != 0) p.presence_penalty = 0.5f;
      if (engine() % 3 == 0) {
        p.dry_multiplier = 0.8f;
        p.dry_breaker_tokens = {{1}, {2, 3}};
      }
      for (int i = 0; i < 5 && engine() % 2 != 0; ++i) {
        p.logit_bias.push_back({static_cast<int32_t>(engine() % n), i == 0 ? -std::numeric_limits<float>::infinity() : 2.0f});
      }
    });
    Params plain_params = params;
    plain_params.disable = {"top_k", "bucket_top_k", "min_p"};
    for (const simd::Level level : {simd::Level::scalar, simd::Level::avx2, simd::Level::avx512, simd::Level::neon}) {
      if (simd::kernels_of(level) == nullptr) continue;
      Sampler fast(params, nullptr, n, *simd::kernels_of(level));
      Sampler plain(plain_params, nullptr, n);
      fast.keep(true);
      plain.keep(true);
      for (int step = 0; step < 6; ++step) {
        std::vector<float> row = random_row(n, round * 100 + static_cast<uint32_t>(step));
        if (round % 3 == 0) {
          for (float& logit : row) logit = std::floor(logit * 2.0f) * 0.5f;
        }
        std::vector<uint32_t> mask((n + 31) / 32);
        for (uint32_t& word : mask) word = static_cast<uint32_t>(engine());
        mask[0] |= 3;
        const uint32_t* allowed = step % 2 != 0 && params.logit_bias.empty() ? mask.data() : nullptr;
        const int32_t token = draw(fast, row, allowed);
        ASSERT_EQ(token, draw(plain, row, allowed))
            << "round " << round << " step " << step << " " << simd::kernels_of(level)->name;
        const Candidates* a = fast.kept();
        const Candidates* b = plain.kept();
        ASSERT_EQ(a->size, b->size);
        ASSERT_EQ(std::memcmp(a->data, b->data, a->size * sizeof(Candidate)), 0) << "round " << round;
        feed(fast, {token});
        feed(plain, {token});
      }
    }
  }
}

// The same over rows that are hard or must be refused.
TEST(Opening, equals_the_plain_chain_on_hard_rows) {
  for (const Kept kept : {Kept::yes, Kept::no}) {
    compare_shortcut("top_k", 21, 200, kept, [](Params& p, std::mt19937& engine) {
      p.top_k = static_cast<int32_t>(1 + engine() % 128);
    });
    compare_shortcut(
        "bucket_top_k", 22, 300, kept,
        [](Params& p, std::mt19937& engine) {
          p.top_k = static_cast<int32_t>(129 + engine() % 800);
        },
        5000);
    compare_shortcut("min_p", 23, 200, kept, [](Params& p, std::mt19937& engine) {
      p.samplers = {StepKind::penalties, StepKind::dry, StepKind::min_p, StepKind::temperature};
      p.min_p = engine() % 2 == 0 ? 0.05f : 0.5f;
    });
  }
}

}  // namespace
}  // namespace bankml::chain_test
