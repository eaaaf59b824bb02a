// Texts that need tokens, and the host's answers.
#include "core/chain/texts.h"

#include "tests/chain/chain_fixture.h"

namespace bankml::chain_test {
namespace {

constexpr float inf = std::numeric_limits<float>::infinity();

TEST(Texts, a_string_bias_is_open_until_answered) {
  Params params = params_with([](Params& p) { p.text_bias = {{"ab", -1.0f, 0}}; });
  ASSERT_EQ(open_texts(params, nullptr).size(), 1u);
  EXPECT_EQ(open_texts(params, nullptr)[0].bytes, "ab");
  EXPECT_STREQ(open_texts(params, nullptr)[0].purpose, "logit_bias");
  EXPECT_NE(failure_text(params, nullptr, 10, Status::open_text).find("\"ab\""), std::string::npos);
  params.text_tokens["ab"] = {2, 3};
  EXPECT_TRUE(open_texts(params, nullptr).empty());
  const auto biases = resolved_biases(params, nullptr);
  ASSERT_EQ(biases.size(), 2u);
  EXPECT_EQ(biases[0].token, 2);
  EXPECT_EQ(biases[1].token, 3);
}

TEST(Texts, string_biases_keep_their_place_in_the_list) {
  Params params = params_with([](Params& p) {
    p.logit_bias = {{1, 1.0f}, {4, -inf}};
    p.text_bias = {{"x", 2.0f, 0}, {"y", 3.0f, 1}, {"z", 4.0f, 2}};
    p.text_tokens = {{"x", {7}}, {"y", {8, 9}}, {"z", {}}};
  });
  std::vector<int32_t> order;
  for (const BiasEntry& entry : resolved_biases(params, nullptr)) order.push_back(entry.token);
  EXPECT_EQ(order, (std::vector<int32_t>{7, 1, 8, 9, 4}));
}

TEST(Texts, breakers_need_tails_only_where_dry_runs) {
  const auto vocab = vocab_of({"a", "b", "xa"});
  Params params = params_with([](Params& p) {
    p.dry_multiplier = 1.0f;
    p.dry_sequence_breakers = {"ab"};
  });
  ASSERT_EQ(open_texts(params, vocab.get()).size(), 1u);
  EXPECT_EQ(open_texts(params, vocab.get())[0].bytes, "b");
  EXPECT_STREQ(open_texts(params, vocab.get())[0].purpose, "dry_sequence_breakers");
  EXPECT_NE(failure_text(params, vocab, 0, Status::open_text).find("b"), std::string::npos);

  Params off = params;
  off.dry_multiplier = 0.0f;
  EXPECT_TRUE(open_texts(off, vocab.get()).empty());
  off = params;
  off.mirostat = 2;
  EXPECT_TRUE(open_texts(off, vocab.get()).empty());
  off = params;
  off.samplers = {StepKind::top_k};
  EXPECT_TRUE(open_texts(off, vocab.get()).empty());
  off = params;
  off.dry_breaker_tokens = {{0}};
  EXPECT_TRUE(open_texts(off, vocab.get()).empty());

  params.text_tokens["b"] = {1};
  const auto breakers = resolved_breakers(params, vocab.get(), 3);
  ASSERT_NE(breakers, nullptr);
  EXPECT_TRUE(breakers->is_head(0));
  EXPECT_TRUE(breakers->is_head(2));
  EXPECT_FALSE(breakers->is_head(1));
}

TEST(Texts, C28_breakers_are_prepared_once_per_vocabulary_and_list) {
  const auto vocab = vocab_of({"a", "\n", ":", "b\n"});
  const Params params = params_with([](Params& p) { p.dry_multiplier = 1.0f; });
  std::vector<std::unique_ptr<Sampler>> samplers;
  for (int i = 0; i < 100; ++i) samplers.push_back(std::make_unique<Sampler>(params, vocab, 0));
  EXPECT_EQ(vocab->breaker_scans(), 1u);
  EXPECT_EQ(resolved_breakers(params, vocab.get(), 4), resolved_breakers(params, vocab.get(), 4));
}

TEST(Texts, an_empty_breaker_list_means_none) {
  const Params params = params_with([](Params& p) {
    p.dry_multiplier = 1.0f;
    p.dry_sequence_breakers.clear();
  });
  EXPECT_EQ(resolved_breakers(params, nullptr, 10), nullptr);
  EXPECT_NO_THROW(Sampler(params, nullptr, 10));
}

}  // namespace
}  // namespace bankml::chain_test
