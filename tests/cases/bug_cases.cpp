// Real trouble of other samplers, recast as cases; each test carries the id of its row.
#include "tests/cases/cases.h"

namespace bankml::cases {
namespace {

// ---- Non-finite and empty input

TEST(NonFinite, B01_an_all_masked_row_is_no_candidate_and_moves_no_engine) {
  Sampler s = sampler(neutral({}), 3), other = sampler(neutral({}), 3);
  EXPECT_EQ(status_of(s, {-inf, -inf, -inf}), BANKML_NO_CANDIDATE);
  for (int i = 0; i < 20; ++i) EXPECT_EQ(s.sample(std::vector<float>{1, 1, 1}), other.sample(std::vector<float>{1, 1, 1}));
}

TEST(NonFinite, B02_a_NaN_row_is_refused_never_a_uniform_draw) {
  Sampler s = sampler(neutral({}), 4);
  EXPECT_EQ(status_of(s, std::vector<float>(4, std::nanf(""))), BANKML_NONFINITE);
}

TEST(NonFinite, B04_plus_infinity_is_refused) {
  Sampler s = sampler(neutral({}), 3);
  EXPECT_EQ(status_of(s, {0, inf, 1}), BANKML_NONFINITE);
}

TEST(NonFinite, B05_one_NaN_off_the_maximum_is_refused) {
  for (int seed = 0; seed < 1000; ++seed) {
    Sampler s = sampler(neutral({{"seed", std::to_string(seed)}}), 3);
    ASSERT_EQ(status_of(s, {1, std::nanf(""), 5}), BANKML_NONFINITE);
  }
}

TEST(NonFinite, B07_the_next_call_works) {
  Sampler s = sampler({{"top_k", "64"}, {"top_p", "0.95"}, {"temperature", "0.1"}}, 2);
  EXPECT_EQ(status_of(s, {std::nanf(""), 0}), BANKML_NONFINITE);
  EXPECT_EQ(status_of(s, {0, 9}), BANKML_OK);
}

TEST(NonFinite, B08_a_token_of_probability_zero_is_never_drawn) {
  Sampler s(params(neutral({})), 4);
  const std::vector<float> row{0, -inf, 0, -inf};
  for (int i = 0; i < 200000; ++i) {
    const int32_t token = s.sample(row);
    ASSERT_TRUE(token == 0 || token == 2) << token;
  }
}

// ---- Temperature

TEST(Temperature, B10_temperature_zero_still_runs_the_other_steps) {
  for (const char* t : {"0", "-1"}) {
    EXPECT_EQ(kept(neutral({{"logit_bias", "[[0,false]]"}, {"temperature", t}}), {3, 2, 1}), (Ids{1})) << t;
  }
}

TEST(Temperature, B11_tiny_temperatures_act_as_greedy) {
  for (const char* t : {"1e-4", "1e-20", "1e-40"}) {
    Sampler s = sampler(neutral({{"temperature", t}}), 3);
    for (int i = 0; i < 20; ++i) EXPECT_EQ(s.sample(std::vector<float>{100, 99, -50}), 0) << t;
  }
}

TEST(Temperature, B13_top_k_1_and_temperature_0_agree) {
  for (int seed = 0; seed < 50; ++seed) {
    for (const auto& [name, value] : Values{{"top_k", "1"}, {"temperature", "0"}}) {
      Sampler s = sampler(neutral({{"seed", std::to_string(seed)}, {name, value}}), 3);
      EXPECT_EQ(s.sample(std::vector<float>{2, 2, 1}), 0);
    }
  }
}

TEST(Temperature, B16_top_p_sees_the_logits_before_temperature) {
  EXPECT_EQ(kept(neutral({{"top_p", "0.8"}, {"temperature", "0.5"}}), {3, 2, 1}), (Ids{0, 1}));
}

TEST(Temperature, B17_min_p_sees_the_logits_before_temperature) {
  EXPECT_EQ(kept(neutral({{"min_p", "0.2"}, {"temperature", "2"}}), ln({.5f, .3f, .15f, .05f})), (Ids{0, 1, 2}));
}

// ---- Truncation

TEST(Truncation, B19_top_k_0_is_off) {
  Sampler s = sampler(neutral({}), 4);
  Ids seen;
  for (int i = 0; i < 200; ++i) seen.push_back(s.sample(std::vector<float>(4, 0.0f)));
  std::sort(seen.begin(), seen.end());
  EXPECT_GE(std::unique(seen.begin(), seen.end()) - seen.begin(), 2);
}

TEST(Truncation, B22_default_top_k_on_a_tiny_vocabulary) {
  EXPECT_EQ(kept({{"top_p", "0.25"}, {"seed", "1"}}, {1, 5, 2, 4, 3}), (Ids{1}));
}

TEST(Truncation, B23_top_k_of_the_whole_vocabulary_removes_nothing) {
  EXPECT_EQ(kept(neutral({{"top_k", "4"}}), {1, 5, 2, 4}), (Ids{0, 1, 2, 3}));
}

TEST(Truncation, B25_B26_a_tiny_top_p_keeps_the_best) {
  EXPECT_EQ(kept(neutral({{"top_p", "0"}}), {1, 2, 3}), (Ids{2}));
  std::vector<float> row(4096);
  for (uint64_t i = 0; i < row.size(); ++i) row[i] = static_cast<float>((i * 2654435761u) % 4093) * 1e-3f;
  const auto best = static_cast<int32_t>(std::max_element(row.begin(), row.end()) - row.begin());
  EXPECT_EQ(kept(neutral({{"top_p", "1e-8"}}), row), (Ids{best}));
}

TEST(Truncation, B28_B29_top_p_keeps_the_shortest_prefix_of_enough_mass) {
  const std::vector<float> row = ln({.5f, .25f, .15f, .1f});
  EXPECT_EQ(kept(neutral({{"top_p", "0.7499"}}), row), (Ids{0, 1}));
  EXPECT_EQ(kept(neutral({{"top_p", "0.7501"}}), row), (Ids{0, 1, 2}));
  EXPECT_EQ(kept(neutral({{"top_k", "1"}, {"top_p", "0.8"}}), ln({.6f, .4f})), (Ids{0}));
}

TEST(Truncation, B31_B32_typical_edges) {
  EXPECT_EQ(kept(neutral({{"typical_p", "0.5"}}), {0, -1}), (Ids{0}));
  EXPECT_EQ(kept(neutral({{"typical_p", "0.8"}}), {0, -1}), (Ids{0, 1}));
  // A NaN entropy makes every key equal: a defined set, nothing out of bounds.
  Sampler s = sampler(neutral({{"typical_p", "0.5"}}), 4);
  EXPECT_EQ(status_of(s, {0, -1, -inf, -inf}), BANKML_OK);
}

TEST(Truncation, B34_no_step_can_stand_behind_the_draw) {
  Params p("llama");
  try {
    p.set_json("samplers", R"(["temperature","dist","top_k"])");
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.status(), BANKML_ARG);
    EXPECT_NE(std::string(error.what()).find("dist"), std::string::npos);
  }
}

TEST(Truncation, B35_min_p_runs_and_is_listed) {
  Sampler s = sampler(neutral({{"min_p", "0.2"}}), 3);
  EXPECT_EQ(s.steps(), (std::vector<std::string>{"min_p", "temperature", "dist"}));
  EXPECT_EQ(kept(s, ln({.48f, .05f, .47f})), (Ids{0, 2}));
}

// ---- Penalties

TEST(Penalties, B38_penalties_do_not_stack_per_occurrence_and_engines_go_on) {
  Sampler s = sampler(neutral({{"repeat_penalty", "2"}}), 1);
  s.accept(Ids{0, 0, 0});
  EXPECT_EQ(left(s, {4})[0], 2.0f);
  Sampler flat = sampler(neutral({{"repeat_penalty", "2"}}), 1000);
  Ids tokens;
  for (int i = 0; i < 20; ++i) tokens.push_back(flat.sample(std::vector<float>(1000, 0.0f)));
  EXPECT_NE(Ids(19, tokens[0]), Ids(tokens.begin() + 1, tokens.end()));
}

TEST(Penalties, B40_a_window_of_zero_is_off) {
  Sampler s = sampler(neutral({{"repeat_last_n", "0"}, {"repeat_penalty", "1.3"}}), 4);
  s.accept(Ids{0, 1, 2});
  const std::vector<float> row{1, 2, 3, 4};
  EXPECT_EQ(left(s, row), row);
}

TEST(Penalties, B44_prompt_and_output_are_one_window) {
  Sampler s = sampler(neutral({{"repeat_penalty", "2"}, {"presence_penalty", "1"}}), 2);
  s.accept(Ids{0});
  s.accept(Ids{1});
  EXPECT_EQ(left(s, {1, 1}), (std::vector<float>{-0.5f, -0.5f}));
}

TEST(Penalties, B46_penalties_find_their_tokens_after_a_sort) {
  Sampler s = sampler(neutral({{"samplers", R"(["top_k","penalties"])"}, {"top_k", "2"}, {"repeat_penalty", "2"}}), 3);
  s.accept(Ids{1});
  s.sample(std::vector<float>{1, 9, 8});
  for (const bankml_candidate& c : s.candidates()) EXPECT_EQ(c.logit, c.id == 1 ? 4.5f : 8.0f);
}

TEST(Penalties, B47_ids_outside_the_vocabulary_are_refused) {
  Sampler s = sampler(neutral({{"repeat_penalty", "2"}}), 4);
  for (const int32_t id : {99, -1, 4}) {
    try {
      s.accept(id);
      FAIL() << id;
    } catch (const Error& error) {
      EXPECT_EQ(error.status(), BANKML_TOKEN);
    }
  }
  s.accept(2);
  EXPECT_EQ(left(s, {1, 1, 1, 1}), (std::vector<float>{1, 1, 0.5f, 1}));
}

// ---- DRY, XTC, mirostat

Values dry_b49(const char* breakers = "[]") {
  return neutral({{"dry_multiplier", "1"},
                  {"dry_base", "2"},
                  {"dry_allowed_length", "2"},
                  {"dry_breaker_tokens", breakers},
                  {"dry_sequence_breakers", "[]"}});
}

TEST(Dry, B49_reference_value) {
  Sampler s = sampler(dry_b49(), 5);
  s.accept(Ids{1, 2, 3, 1, 2});
  EXPECT_EQ(left(s, std::vector<float>(5, 0.0f)), (std::vector<float>{0, 0, 0, -1, 0}));
  Sampler broken = sampler(dry_b49("[[2]]"), 5);
  broken.accept(Ids{1, 2, 3, 1, 2});
  EXPECT_EQ(left(broken, std::vector<float>(5, 0.0f)), std::vector<float>(5, 0.0f));
}

TEST(Dry, B50_clones_are_equal_and_independent) {
  Sampler s = sampler(dry_b49(), 5);
  s.accept(Ids{1, 2, 3, 1, 2});
  Sampler clone = s.clone();
  EXPECT_EQ(left(clone, std::vector<float>(5, 0.0f)), left(s, std::vector<float>(5, 0.0f)));
  clone.accept(4);
  EXPECT_EQ(left(s, std::vector<float>(5, 0.0f))[3], -1.0f);
  EXPECT_EQ(left(clone, std::vector<float>(5, 0.0f))[3], 0.0f);
}

TEST(Dry, B53_work_is_linear_in_the_window_and_the_penalty_stays_finite) {
  const size_t window = 32768;
  Sampler s(params(neutral({{"dry_multiplier", "1"},
                            {"dry_base", "1.75"},
                            {"dry_penalty_last_n", std::to_string(window)},
                            {"dry_sequence_breakers", "[]"}})),
            128000);
  s.keep();
  s.accept(Ids(window, 5));
  const std::vector<float> logits = left(s, std::vector<float>(128000, 1.0f));
  EXPECT_TRUE(std::isfinite(logits[5]));
  EXPECT_LT(logits[5], -1e30f);
  EXPECT_LE(s.perf().dry_visits, 8 * window);
}

TEST(Xtc, B55_B56_threshold_edges) {
  const std::vector<float> row = ln({.5f, .3f, .2f});
  const auto at = [&](const char* threshold) {
    return kept(neutral({{"xtc_probability", "1"}, {"xtc_threshold", threshold}}), row);
  };
  EXPECT_EQ(at("0.1"), (Ids{2}));
  EXPECT_EQ(at("0.25"), (Ids{1, 2}));
  EXPECT_EQ(at("0.31"), (Ids{0, 1, 2}));
  EXPECT_EQ(at("0.51"), (Ids{0, 1, 2}));
  Sampler off = sampler(neutral({{"xtc_probability", "1"}, {"xtc_threshold", "0.51"}}), 3);
  off.sample(row);
  EXPECT_EQ(off.perf().random_outputs, 2u);  // the draw's own double
}

TEST(Mirostat, B58_one_candidate) {
  for (const char* version : {"1", "2"}) {
    Sampler s = sampler({{"mirostat", version}, {"seed", "3"}}, 100);
    Sampler same = sampler({{"mirostat", version}, {"seed", "3"}}, 100);
    for (int i = 0; i < 50; ++i) EXPECT_EQ(s.sample_candidates(Ids{42}, std::vector<float>{1.5f}), 42);
    std::vector<float> row(100);
    for (size_t i = 0; i < row.size(); ++i) row[i] = static_cast<float>(i) * 0.05f;
    const int32_t token = s.sample(row);  // mu is still finite: the whole set is drawn from as usual
    EXPECT_TRUE(token >= 0 && token < 100);
    EXPECT_EQ(status_of(same, row), BANKML_OK);
  }
}

// ---- Logit bias

TEST(LogitBias, B61_a_request_without_biases_keeps_those_of_the_base) {
  Params base = params(neutral({{"logit_bias", "[[1,-100]]"}}));
  base.load_request(R"({"temperature":1})");
  Sampler s(base, 2);
  EXPECT_EQ(s.sample(std::vector<float>{0, 5}), 0);
  base.load_request(R"({"logit_bias":[]})");
  Sampler cleared(base, 2);
  EXPECT_EQ(cleared.sample(std::vector<float>{0, 50}), 1);
}

TEST(LogitBias, B62_an_id_outside_the_vocabulary_matches_nothing) {
  Sampler s(params(neutral({{"logit_bias", "{\"9\":-100}"}})), 4);
  ASSERT_EQ(s.warnings().size(), 1u);
  EXPECT_NE(s.warnings()[0].find("9"), std::string::npos);
  EXPECT_EQ(status_of(s, {1, 1, 1, 1}), BANKML_OK);
}

TEST(LogitBias, B64_false_bans_and_texts_bias_each_of_their_tokens) {
  Params p = params(neutral({{"logit_bias", R"([[1,false],["ab",-1]])"}}));
  const auto open = p.open_texts();
  ASSERT_EQ(open.size(), 1u);
  EXPECT_EQ(open[0].bytes, "ab");
  p.answer_text(0, Ids{2, 3});
  Sampler s(p, 5);
  s.keep();
  EXPECT_EQ(left(s, std::vector<float>(5, 0.0f)), (std::vector<float>{0, -inf, -1, -1, 0}));
}

TEST(LogitBias, B65_minus_100_is_no_ban) {
  EXPECT_EQ(kept(neutral({{"logit_bias", "[[0,-100]]"}, {"top_k", "1"}}), {150, 0}), (Ids{0}));
  EXPECT_EQ(kept(neutral({{"logit_bias", "[[0,false]]"}, {"top_k", "1"}}), {150, 0}), (Ids{1}));
}

// ---- Seeds, state, threads

TEST(State, B74_a_request_is_reproducible_beside_others) {
  const auto stream = [](bool beside) {
    Sampler a(params(neutral({{"seed", "5"}})), 500), b(params(neutral({{"seed", "6"}})), 500);
    Ids tokens;
    for (int i = 0; i < 30; ++i) {
      if (beside) b.sample(std::vector<float>(500, 0.0f));
      tokens.push_back(a.sample(std::vector<float>(500, 0.0f)));
    }
    return tokens;
  };
  EXPECT_EQ(stream(true), stream(false));
}

// The grammar's own half of the row comes with the grammar; here a constraint of the host, whose mask is not the sampler's state.
TEST(State, B77_children_do_not_share_history) {
  Sampler a = sampler(neutral({{"repeat_penalty", "2"}}), 4);
  Sampler b = a.clone();
  a.accept(1);
  const std::vector<float> row{1, 1, 1, 1};
  EXPECT_EQ(left(a, row)[1], 0.5f);
  EXPECT_EQ(left(b, row)[1], 1.0f);
  const std::vector<uint32_t> mask{0b0100};
  EXPECT_EQ(a.sample_masked(row, mask), 2);
  EXPECT_NO_THROW(b.sample(row));
}

// ---- Probabilities

TEST(Probabilities, B80_p_and_logprob_are_named_for_what_they_are) {
  Sampler s = sampler(neutral({}), 2);
  const TokenProbs probs = s.token_probs(std::vector<float>{0, 0}, 0, 2);
  EXPECT_EQ(probs.sampled_p, 0.5f);
  EXPECT_FLOAT_EQ(std::log(probs.sampled_p), -0.6931472f);
}

TEST(Probabilities, B82_the_top_list_is_by_logit_at_temperature_0) {
  Sampler s = sampler(neutral({{"temperature", "0"}}), 4);
  const TokenProbs probs = s.token_probs(std::vector<float>{0, 1, 5, 3}, -1, 2);
  ASSERT_EQ(probs.top.size(), 2u);
  EXPECT_EQ(probs.top[0].id, 2);
  EXPECT_EQ(probs.top[1].id, 3);
}

TEST(Probabilities, B83_the_drawn_token_is_always_reported) {
  Sampler s = sampler(neutral({}), 3);
  for (const size_t n : {size_t{0}, size_t{1}}) {
    const TokenProbs probs = s.token_probs(ln({.6f, .3f, .1f}), 2, n);
    EXPECT_EQ(probs.top.size(), n);
    EXPECT_NEAR(probs.sampled_p, 0.1f, 1e-6f);
  }
}

TEST(Probabilities, B86_a_masked_tokens_p_is_a_number) {
  Sampler s = sampler(neutral({}), 3);
  const TokenProbs probs = s.token_probs(std::vector<float>{1, -inf, 2}, 1, 3);
  EXPECT_EQ(probs.sampled_p, 0.0f);
  EXPECT_EQ(probs.top.back().id, 1);
  EXPECT_EQ(probs.top.back().p, 0.0f);
}

// ---- Work that must not grow

TEST(Work, B124_top_k_0_keeps_what_a_full_sort_keeps) {
  const size_t n = 150000;
  std::vector<float> row(n);
  for (size_t i = 0; i < n; ++i) row[i] = static_cast<float>((i * 2654435761u) % 1000003) * 1e-5f;
  Sampler s = sampler({{"top_k", "0"}, {"top_p", "0.95"}, {"min_p", "0.05"}, {"temperature", "0.8"}, {"seed", "1"}}, n);
  const Ids ids = kept(s, row);
  // By hand, in double: the shortest prefix of mass 0.95, then what is at least 0.05 of the best.
  std::vector<float> sorted = row;
  std::sort(sorted.begin(), sorted.end(), std::greater<>());
  double total = 0, mass = 0;
  for (const float x : sorted) total += std::exp(static_cast<double>(x) - sorted[0]);
  size_t count = 0;
  while (mass < 0.95 * total) mass += std::exp(static_cast<double>(sorted[count++]) - sorted[0]);
  while (sorted[count - 1] < sorted[0] + std::log(0.05f)) --count;
  // The chain's float sums over 150,000 terms cut about a thousandth of the tokens earlier or later; the set is a prefix all the
  // same.
  EXPECT_NEAR(static_cast<double>(ids.size()), static_cast<double>(count), 0.005 * static_cast<double>(count));
  for (const int32_t id : ids) EXPECT_GE(row[static_cast<size_t>(id)], sorted[ids.size() - 1]);
}

TEST(Work, B125_masked_tokens_are_not_sorted) {
  const size_t n = 200000;
  std::vector<float> row(n);
  for (size_t i = 0; i < n; ++i) row[i] = static_cast<float>((i * 2654435761u) % 1000003) * 1e-5f;
  Sampler s = sampler(neutral({{"top_n_sigma", "0.7"}}), n);
  const Ids ids = kept(s, row);
  EXPECT_EQ(s.perf().full_sorts, 0u);
  EXPECT_GT(ids.size(), 100u);
  EXPECT_LT(ids.size(), n / 2);
}

}  // namespace
}  // namespace bankml::cases
