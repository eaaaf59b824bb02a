// One sequence's sampler: state, failures without trace, clones, seeds, kept candidates, workspaces, counters.
#include "core/chain/sampler.h"

#include <cmath>

#include "tests/chain/chain_fixture.h"

namespace bankml::chain_test {
namespace {

constexpr float inf = std::numeric_limits<float>::infinity();

std::vector<int32_t> draws(Sampler& sampler, size_t count, uint32_t rows_seed, bool accept = true) {
  std::vector<int32_t> tokens;
  for (size_t i = 0; i < count; ++i) {
    tokens.push_back(draw(sampler, random_row(sampler.n_vocab(), rows_seed + static_cast<uint32_t>(i))));
    if (accept) feed(sampler, {tokens.back()});
  }
  return tokens;
}

// Parameter sets that between them hold every kind of state.
std::vector<Params> stateful_params() {
  return {
      params_with([](Params&) {}),
      params_with([](Params& p) {
        p.repeat_penalty = 1.2f;
        p.frequency_penalty = 0.3f;
      }),
      params_with([](Params& p) {
        p.dry_multiplier = 1.0f;
        p.dry_breaker_tokens = {{5}};
        p.dry_allowed_length = 1;
      }),
      params_with([](Params& p) {
        p.xtc_probability = 0.5f;
        p.xtc_threshold = 0.01f;
      }),
      params_with([](Params& p) { p.mirostat = 1; }),
      params_with([](Params& p) {
        p.mirostat = 2;
        p.mirostat_tau = 2.0f;
      }),
      params_with([](Params& p) {
        p.samplers = {StepKind::min_p, StepKind::adaptive_p};
        p.adaptive_target = 0.4f;
      }),
      params_with([](Params& p) {
        p.top_k = 0;
        p.samplers = {StepKind::xtc, StepKind::top_p, StepKind::xtc};
        p.xtc_probability = 0.4f;
        p.xtc_threshold = 0.001f;
      }),
  };
}

TEST(Sampler, B76_C101_reset_replays_and_clone_continues_for_every_step) {
  for (const Params& params : stateful_params()) {
    Sampler sampler(params, nullptr, 60);
    const auto first = draws(sampler, 100, 1);
    sampler.reset();
    EXPECT_EQ(draws(sampler, 100, 1), first);
    sampler.reset();
    draws(sampler, 50, 1);
    const auto clone = sampler.clone();
    const auto rest = draws(sampler, 50, 51);
    EXPECT_EQ(rest, (std::vector<int32_t>(first.begin() + 50, first.end())));
    EXPECT_EQ(draws(*clone, 50, 51), rest) << "later accepts leaked into the clone";
  }
}

TEST(Sampler, B59_C102_sequences_do_not_share_state) {
  for (const Params& params : stateful_params()) {
    Sampler alone(params, nullptr, 60);
    const auto expected = draws(alone, 40, 9);
    Sampler a(params, nullptr, 60), b(params, nullptr, 60);
    std::vector<int32_t> interleaved;
    for (uint32_t i = 0; i < 40; ++i) {
      interleaved.push_back(draws(a, 1, 9 + i)[0]);
      draws(b, 1, 1000 + i);
    }
    EXPECT_EQ(interleaved, expected);
  }
}

TEST(Sampler, failures_leave_no_trace) {
  for (const Params& params : stateful_params()) {
    Sampler sampler(params, nullptr, 60), never_saw(params, nullptr, 60);
    draws(sampler, 10, 3);
    draws(never_saw, 10, 3);
    std::vector<float> row = random_row(60, 77);
    std::vector<float> nan = row, plus_inf = row, banned(60, -inf);
    nan[59] = std::nanf("");
    plus_inf[0] = inf;
    const uint32_t nothing[2] = {0, 0};
    int32_t token = -5;
    ErrorText error;
    EXPECT_EQ(sampler.sample(nan.data(), 60, nullptr, &token, error), Status::nonfinite);
    EXPECT_EQ(sampler.sample(plus_inf.data(), 60, nullptr, &token, error), Status::nonfinite);
    EXPECT_EQ(sampler.sample(banned.data(), 60, nullptr, &token, error), Status::no_candidate);
    EXPECT_EQ(sampler.sample(row.data(), 60, nothing, &token, error), Status::no_candidate);
    EXPECT_EQ(sampler.sample(row.data(), 59, nullptr, &token, error), Status::length);
    EXPECT_EQ(sampler.sample(row.data(), 61, nullptr, &token, error), Status::length);
    const int32_t bad_tokens[] = {1, 60};
    EXPECT_EQ(sampler.accept(bad_tokens, 2, error), Status::token);
    EXPECT_NE(std::string(error.c_str()).find("60"), std::string::npos);
    const int32_t twice[] = {4, 5, 4};
    EXPECT_EQ(sampler.sample_candidates(twice, row.data(), 3, &token, error), Status::token);
    EXPECT_EQ(token, -5);
    EXPECT_EQ(draws(sampler, 30, 200), draws(never_saw, 30, 200));
  }
}

// The chain fails after xtc has drawn: everything left is banned, which only the last step sees. Over more than one block of the
// engine.
TEST(Sampler, a_failure_behind_a_draw_rewinds_the_engines) {
  const Params params = params_with([](Params& p) {
    p.samplers = {StepKind::xtc, StepKind::penalties, StepKind::temperature};
    p.xtc_probability = 1e-6f;
    p.xtc_threshold = 0.1f;
    p.repeat_penalty = 1e-30f;
    p.frequency_penalty = 1.0f;
  });
  Sampler sampler(params, nullptr, 4), never_saw(params, nullptr, 4);
  for (int i = 0; i < 700; ++i) {
    std::vector<float> row{1.0f, 2.0f, 3.0f, 1.5f};
    feed(sampler, {1});
    feed(never_saw, {1});
    std::vector<float> overflow{1.0f, 3e38f, 3.0f, 1.5f};  // 3e38 / 1e-30 overflows
    int32_t token = -1;
    ErrorText error;
    ASSERT_EQ(sampler.sample(overflow.data(), 4, nullptr, &token, error), Status::nonfinite) << i;
    row[1] = -1.0f;
    ASSERT_EQ(draw(sampler, row), draw(never_saw, row)) << i;
  }
}

TEST(Sampler, bans_of_every_token_are_refused_by_every_opening) {
  for (const char* disabled : {"", "top_k"}) {
    for (const int k : {1, 3, 0}) {
      Sampler sampler(params_with([&](Params& p) {
                        p.top_k = k;
                        p.disable = {disabled};
                        for (int32_t id = 0; id < 5; ++id) p.logit_bias.push_back({id, -inf});
                      }),
                      nullptr, 5);
      const std::vector<float> row(5, 1.0f);
      int32_t token = -1;
      ErrorText error;
      EXPECT_EQ(sampler.sample(row.data(), 5, nullptr, &token, error), Status::no_candidate) << disabled << k;
    }
  }
}

TEST(Sampler, C5_one_candidate_still_takes_a_draw) {
  const Params params = params_with([](Params& p) {
    p.top_k = 1;
    p.temperature = 0.0f;
  });
  Sampler sampler(params, nullptr, 50);
  draws(sampler, 2, 5, false);
  EXPECT_EQ(sampler.perf.work.random_outputs, 4u);
}

TEST(Sampler, C6_sample_does_not_record_the_token) {
  Sampler sampler(params_with([](Params& p) {
                    p.repeat_penalty = 2.0f;
                    p.top_k = 1;
                  }),
                  nullptr, 3);
  const std::vector<float> row{1.0f, 1.5f, 0.0f};
  EXPECT_EQ(draw(sampler, row), 1);
  EXPECT_EQ(draw(sampler, row), 1);
  feed(sampler, {1});
  EXPECT_EQ(draw(sampler, row), 0);
}

TEST(Sampler, C40_xtc_leaves_the_last_draw_alone) {
  // The same surviving set either way: a threshold that no token but the first reaches removes nothing.
  const auto stream = [](float probability) {
    Sampler sampler(params_with([&](Params& p) {
                      p.xtc_probability = probability;
                      p.xtc_threshold = 0.5f;
                    }),
                    nullptr, 40);
    return draws(sampler, 50, 11);
  };
  EXPECT_EQ(stream(0.0f), stream(1.0f));
}

TEST(Sampler, C52_B67_B68_B70_seeds) {
  const Params random = params_with([](Params& p) { p.seed = random_seed; });
  Sampler a(random, nullptr, 1000), b(random, nullptr, 1000);
  EXPECT_NE(a.seed_in_use(), random_seed);
  EXPECT_NE(a.seed_in_use(), b.seed_in_use());
  const uint32_t before = a.seed_in_use();
  a.reset();
  EXPECT_NE(a.seed_in_use(), before);
  Sampler named(params_with([&](Params& p) { p.seed = b.seed_in_use(); }), nullptr, 1000);
  EXPECT_EQ(draws(named, 20, 1), draws(b, 20, 1));
  Sampler zero(params_with([](Params&p) { p.seed = 0; }), nullptr, 1000),
      zero_again(params_with([](Params&p) { p.seed = 0; }), nullptr, 1000);
  EXPECT_EQ(zero.seed_in_use(), 0u);
  EXPECT_EQ(draws(zero, 20, 1), draws(zero_again, 20, 1));
}

TEST(Sampler, B71_children_use_seed_plus_index) {
  std::vector<std::vector<int32_t>> streams;
  const std::vector<float> flat(1000, 0.0f);
  for (uint32_t child = 0; child < 3; ++child) {
    Sampler sampler(params_with([&](Params& p) {
                      p.seed = 7 + child;
                      p.top_k = 0;
                    }),
                    nullptr, 1000);
    streams.emplace_back();
    for (int i = 0; i < 10; ++i) streams.back().push_back(draw(sampler, flat));
  }
  EXPECT_NE(streams[0], streams[1]);
  EXPECT_NE(streams[1], streams[2]);
}

TEST(Sampler, set_seed_touches_the_engines_only) {
  const Params params = params_with([](Params& p) { p.repeat_penalty = 3.0f; });
  Sampler sampler(params, nullptr, 30), fresh(params, nullptr, 30);
  const auto history = draws(sampler, 20, 2);
  sampler.seed(99);
  fresh.seed(99);
  feed(fresh, history);
  EXPECT_EQ(sampler.seed_in_use(), 99u);
  EXPECT_EQ(draws(sampler, 30, 60), draws(fresh, 30, 60));
  sampler.reset();
  fresh.reset();
  EXPECT_EQ(sampler.seed_in_use(), 99u);
  EXPECT_EQ(draws(sampler, 30, 60), draws(fresh, 30, 60));
}

TEST(Sampler, kept_candidates_live_until_the_next_draw_on_their_workspace) {
  const Params params = params_with([](Params& p) { p.top_k = 0; });
  auto workspace = std::make_shared<Workspace>(3000);
  Sampler a(params, nullptr, 3000), b(params, nullptr, 3000);
  a.use_workspace(workspace);
  b.use_workspace(workspace);
  draw(a, random_row(3000, 1));
  EXPECT_EQ(a.kept(), nullptr) << "off by default";
  a.keep(true);
  const int32_t token = draw(a, random_row(3000, 2));
  ASSERT_NE(a.kept(), nullptr);
  EXPECT_EQ(a.kept()->data[a.kept()->selected].id, token);
  ErrorText error;
  const auto read = [](const Candidates&) { return Status::ok; };
  EXPECT_EQ(a.with_kept(error, read), Status::ok);
  ASSERT_TRUE(workspace->busy.enter());
  EXPECT_EQ(a.with_kept(error, read), Status::busy) << "another thread draws on the workspace";
  workspace->busy.leave();
  draw(b, random_row(3000, 3));
  EXPECT_EQ(a.kept(), nullptr);
  EXPECT_EQ(a.with_kept(error, read), Status::not_kept);
}

TEST(Sampler, workspaces) {
  const Params plain = params_with([](Params& p) { p.top_k = 0; });
  Sampler own(plain, nullptr, 5000), lent(plain, nullptr, 5000);
  EXPECT_GE(own.bytes(), 5000u * 24);
  auto workspace = std::make_shared<Workspace>(5000);
  lent.use_workspace(workspace);
  EXPECT_LT(lent.bytes(), 5000u * 24);
  EXPECT_EQ(draws(lent, 5, 1), draws(own, 5, 1));
  EXPECT_THROW(lent.use_workspace(std::make_shared<Workspace>(4999)), Failure);
  EXPECT_EQ(draws(lent, 5, 6), draws(own, 5, 6));

  ASSERT_TRUE(workspace->busy.enter());
  int32_t token = -1;
  ErrorText error;
  const std::vector<float> row = random_row(5000, 20);
  EXPECT_EQ(lent.sample(row.data(), 5000, nullptr, &token, error), Status::busy);
  workspace->busy.leave();
  const auto clone = lent.clone();
  const auto expected = draws(own, 5, 12);
  EXPECT_EQ(draws(lent, 5, 12), expected);
  EXPECT_EQ(draws(*clone, 5, 12), expected) << "the clone uses the same workspace";
  lent.use_workspace(nullptr);
  EXPECT_EQ(draws(lent, 5, 17), draws(own, 5, 17));
}

TEST(Sampler, default_windows_need_at_most_64_KiB) {
  const Sampler sampler(params_with([](Params& p) { p.repeat_penalty = 1.1f; }), nullptr, 151936);
  EXPECT_LE(sampler.bytes(), 65536u);
  const Sampler dry(params_with([](Params& p) {
                      p.dry_multiplier = 0.8f;
                      p.dry_sequence_breakers.clear();
                    }),
                    nullptr, 151936);
  EXPECT_LE(dry.bytes(), 65536u);
}

TEST(Sampler, C93_a_subset_draws_as_the_full_row) {
  const size_t n = 20000;
  Sampler full(params_with([](Params&) {}), nullptr, n), subset(params_with([](Params&) {}), nullptr, n);
  for (uint32_t step = 0; step < 20; ++step) {
    std::vector<float> row(n, -inf), logits;
    std::vector<int32_t> ids;
    std::mt19937 engine(step);
    for (int32_t id = static_cast<int32_t>(engine() % 90); id < static_cast<int32_t>(n); id += 100) {
      ids.push_back(id);
      logits.push_back(static_cast<float>(engine() % 100000) * 1e-4f);
      row[static_cast<size_t>(id)] = logits.back();
    }
    int32_t token = -1;
    ErrorText error;
    ASSERT_EQ(subset.sample_candidates(ids.data(), logits.data(), ids.size(), &token, error), Status::ok) << error.c_str();
    EXPECT_EQ(token, draw(full, row));
  }
}

TEST(Sampler, subsets_that_are_refused) {
  Sampler sampler(params_with([](Params&) {}), nullptr, 5000);
  std::vector<int32_t> ids(2000);
  for (size_t i = 0; i < ids.size(); ++i) ids[i] = static_cast<int32_t>(i);
  std::vector<float> logits(2000, 1.0f);
  int32_t token = -1;
  ErrorText error;
  EXPECT_EQ(sampler.sample_candidates(ids.data(), logits.data(), 2000, &token, error), Status::arg);
  EXPECT_NE(std::string(error.c_str()).find("workspace"), std::string::npos);
  EXPECT_EQ(sampler.sample_candidates(ids.data(), logits.data(), 0, &token, error), Status::no_candidate);
  ids[3] = 5000;
  EXPECT_EQ(sampler.sample_candidates(ids.data(), logits.data(), 10, &token, error), Status::token);
  ids[3] = -1;
  EXPECT_EQ(sampler.sample_candidates(ids.data(), logits.data(), 10, &token, error), Status::token);
  ids[3] = 3;
  logits[2] = inf;
  EXPECT_EQ(sampler.sample_candidates(ids.data(), logits.data(), 10, &token, error), Status::nonfinite);
  logits.assign(2000, -inf);
  EXPECT_EQ(sampler.sample_candidates(ids.data(), logits.data(), 10, &token, error), Status::no_candidate);
  sampler.use_workspace(std::make_shared<Workspace>(5000));
  logits.assign(2000, 1.0f);
  EXPECT_EQ(sampler.sample_candidates(ids.data(), logits.data(), 2000, &token, error), Status::ok) << error.c_str();
}

TEST(Sampler, masked_draws_equal_rows_with_minus_infinity) {
  for (const Params& params : stateful_params()) {
    Sampler masked(params, nullptr, 500), row_form(params, nullptr, 500);
    for (uint32_t step = 0; step < 30; ++step) {
      std::vector<float> row = random_row(500, step);
      std::mt19937 engine(step);
      std::vector<uint32_t> mask(16);
      for (uint32_t& word : mask) word = static_cast<uint32_t>(engine());
      std::vector<float> forbidden = row;
      for (size_t i = 0; i < 500; ++i) {
        if ((mask[i / 32] >> (i % 32) & 1) == 0) {
          forbidden[i] = -inf;
          row[i] = i % 3 == 0 ? std::nanf("") : row[i];  // NaN among forbidden tokens does not matter
        }
      }
      const int32_t token = draw(masked, row, mask.data());
      ASSERT_EQ(token, draw(row_form, forbidden));
      feed(masked, {token});
      feed(row_form, {token});
    }
  }
}

TEST(Sampler, C91_counters) {
  Sampler sampler(params_with([](Params& p) {
                    p.mirostat = 2;
                    p.disable = {"mirostat_v2"};
                  }),
                  nullptr, 4000);
  sampler.clock_on = true;
  draws(sampler, 100, 1);
  EXPECT_EQ(sampler.perf.draws, 100u);
  EXPECT_EQ(sampler.perf.accepts, 100u);
  EXPECT_EQ(sampler.perf.work.full_sets, 100u);
  EXPECT_EQ(sampler.perf.work.full_sorts, 100u);
  EXPECT_GT(sampler.perf.sample_us, 0.0);
  Sampler fast(params_with([](Params&) {}), nullptr, 4000);
  draws(fast, 10, 1);
  EXPECT_EQ(fast.perf.work.full_sets, 0u);
  EXPECT_EQ(fast.perf.work.full_sorts, 0u);
  EXPECT_EQ(fast.perf.sample_us, 0.0);
}

TEST(Sampler, a_token_chosen_elsewhere_is_only_accepted) {  // C92
  Sampler sampler(params_with([](Params& p) {
                    p.repeat_penalty = 5.0f;
                    p.top_k = 1;
                  }),
                  nullptr, 3);
  feed(sampler, {2});
  EXPECT_EQ(draw(sampler, {1.0f, 1.5f, 2.0f}), 1);
  EXPECT_EQ(sampler.perf.draws, 1u);
}

// A p below 0 keeps one token of an order that a NaN entropy made: one of the forbidden ones. Without a mask it is drawn, as the
// reference draws it.
TEST(Sampler, a_token_that_the_mask_forbids_is_never_drawn) {
  const Params params = params_with([](Params& p) {
    p.samplers = {StepKind::typical};
    p.typical_p = -1.0f;
  });
  Sampler sampler(params, nullptr, 64), untouched(params, nullptr, 64);
  const std::vector<float> row = random_row(64, 1);
  const std::vector<uint32_t> mask = {0, 16};
  std::vector<float> banned(64, -inf);
  banned[36] = row[36];
  EXPECT_NE(draw(*untouched.clone(), banned), 36);
  int32_t token = -7;
  ErrorText error;
  EXPECT_EQ(sampler.sample(row.data(), row.size(), mask.data(), &token, error), Status::no_candidate);
  EXPECT_STREQ(error.c_str(), "the steps dropped every allowed token and left token 53, which the mask forbids");
  EXPECT_EQ(token, -7);
  EXPECT_EQ(draws(sampler, 20, 3), draws(untouched, 20, 3));
}

// A bucket sort would put a logit of +inf or NaN into its lowest bucket and the top_k behind it would drop it unseen.
TEST(Sampler, what_penalties_spoil_is_refused_whatever_the_opening) {
  for (const bool plain : {false, true}) {
    Sampler sampler(params_with([plain](Params& p) {
                      p.samplers = {StepKind::penalties, StepKind::top_k};
                      p.repeat_penalty = std::numeric_limits<float>::min();
                      p.top_k = 200;
                      if (plain) p.disable = {"bucket_top_k"};
                    }),
                    nullptr, 500);
    ASSERT_STREQ(sampler.plan_name(), plain ? "plain" : "bucket_top_k");
    feed(sampler, {7});
    const std::vector<float> row(500, 9.0f);
    int32_t token = -7;
    ErrorText error;
    EXPECT_EQ(sampler.sample(row.data(), row.size(), nullptr, &token, error), Status::nonfinite);
    EXPECT_STREQ(error.c_str(), "the parameters made the logit of token 7 inf");
  }
}

TEST(Sampler, windows_above_65536_grow_in_accept) {
  const Params params = params_with([](Params& p) {
    p.repeat_last_n = 200000;
    p.repeat_penalty = 1.5f;
    p.top_k = 1;
  });
  Sampler sampler(params, nullptr, 300000);
  std::vector<int32_t> tokens(150000);
  for (size_t i = 0; i < tokens.size(); ++i) tokens[i] = static_cast<int32_t>(i);
  feed(sampler, tokens);
  std::vector<float> row(300000, 1.0f);
  EXPECT_EQ(draw(sampler, row), 150000);
  feed(sampler, {150000});
  EXPECT_EQ(draw(sampler, row), 150001);
}

}  // namespace
}  // namespace bankml::chain_test
