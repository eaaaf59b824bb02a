// Which steps a sampler runs, in which order, and what it refuses to build.
#include "core/chain/plan.h"

#include "tests/chain/chain_fixture.h"

namespace bankml::chain_test {
namespace {

using Names = std::vector<std::string>;

TEST(Plan, C90_steps_that_are_off_are_not_in_the_chain) {
  const Sampler sampler(params_with([](Params&) {}), nullptr, 100);
  EXPECT_EQ(names(sampler), (Names{"top_k", "top_p", "min_p", "temperature", "dist"}));
}

TEST(Plan, C12_default_order) {
  const Sampler sampler(params_with([](Params& p) {
                          p.repeat_penalty = 1.1f;
                          p.dry_multiplier = 0.8f;
                          p.dry_sequence_breakers.clear();
                          p.top_n_sigma = 1.0f;
                          p.typical_p = 0.9f;
                          p.xtc_probability = 0.5f;
                          p.logit_bias = {{3, 1.0f}};
                        }),
                        nullptr, 100);
  EXPECT_EQ(names(sampler), (Names{"logit_bias", "penalties", "dry", "top_n_sigma", "top_k", "typical", "top_p", "min_p", "xtc",
                                   "temperature", "dist"}));
}

TEST(Plan, C99_mirostat_replaces_the_order) {
  for (const int version : {1, 2}) {
    const Sampler sampler(params_with([&](Params& p) {
                            p.mirostat = version;
                            p.top_k = 1;
                            p.repeat_penalty = 1.5f;
                            p.logit_bias = {{1, -1.0f}};
                          }),
                          nullptr, 100);
    EXPECT_EQ(names(sampler), (Names{"logit_bias", "temperature", version == 1 ? "mirostat" : "mirostat_v2"}));
  }
}

TEST(Plan, a_custom_order_may_repeat_steps_and_leave_them_out) {
  const Sampler sampler(params_with([](Params& p) {
                          p.samplers = {StepKind::top_p, StepKind::top_k, StepKind::top_p, StepKind::temperature};
                        }),
                        nullptr, 100);
  EXPECT_EQ(names(sampler), (Names{"top_p", "top_k", "top_p", "temperature", "dist"}));
}

TEST(Plan, C100_the_step_that_selects_stands_last) {
  const Sampler sampler(params_with([](Params& p) {
                          p.samplers = {StepKind::adaptive_p, StepKind::top_k, StepKind::adaptive_p, StepKind::min_p};
                        }),
                        nullptr, 100);
  EXPECT_EQ(names(sampler), (Names{"top_k", "min_p", "adaptive_p"}));
}

TEST(Plan, ignore_eos_and_suppressed_tokens_follow_the_requests_biases) {
  auto vocab = vocab_of({"a", "b", "c"}, 2);
  Sampler sampler(params_with([](Params& p) {
                    p.ignore_eos = true;
                    p.logit_bias = {{2, 100.0f}};
                    p.top_k = 1;
                  }),
                  vocab, 0);
  EXPECT_EQ(draw(sampler, {0.0f, 1.0f, 50.0f}), 1);
}

TEST(Plan, steps_that_need_pieces_are_refused_by_name) {
  EXPECT_NE(failure_text(params_with([](Params& p) { p.ignore_eos = true; }), nullptr, 10, Status::arg).find("ignore_eos"),
            std::string::npos);
  EXPECT_NE(failure_text(params_with([](Params& p) { p.samplers = {StepKind::infill}; }), nullptr, 10, Status::arg).find("infill"),
            std::string::npos);
  const std::string dry = failure_text(params_with([](Params& p) { p.dry_multiplier = 1.0f; }), nullptr, 10, Status::arg);
  EXPECT_NE(dry.find("dry_sequence_breakers"), std::string::npos) << dry;
}

TEST(Plan, a_bias_outside_the_vocabulary_matches_nothing_and_is_said) {
  const Sampler sampler(params_with([](Params& p) { p.logit_bias = {{9, -100.0f}, {-1, 1.0f}}; }), nullptr, 4);
  ASSERT_EQ(sampler.warnings().size(), 2u);
  EXPECT_NE(sampler.warnings()[0].find("token 9"), std::string::npos);
  EXPECT_EQ(names(sampler).front(), "top_k");
}

TEST(Plan, lists_without_end_are_refused) {
  const std::string steps =
      failure_text(params_with([](Params& p) { p.samplers.assign(1025, StepKind::xtc); }), nullptr, 10, Status::limit);
  EXPECT_NE(steps.find("samplers: 1025"), std::string::npos) << steps;
  const Params breakers = params_with([](Params& p) {
    p.dry_multiplier = 1.0f;
    p.dry_sequence_breakers.assign(1025, "x");
  });
  const std::string strings = failure_text(breakers, vocab_of({"a", "b"}), 0, Status::limit);
  EXPECT_NE(strings.find("dry_sequence_breakers: 1025"), std::string::npos) << strings;
}

TEST(Plan, sizes_that_make_no_sampler) {
  const Params params;
  EXPECT_NE(failure_text(params, nullptr, 0, Status::arg).find("n_vocab is 0"), std::string::npos);
  EXPECT_NE(failure_text(params, vocab_of({"a", "b", "c"}), 2, Status::arg).find("smaller"), std::string::npos);
  EXPECT_NE(failure_text(params, nullptr, size_t{1} << 31, Status::arg).find("2147483647"), std::string::npos);
}

}  // namespace
}  // namespace bankml::chain_test
