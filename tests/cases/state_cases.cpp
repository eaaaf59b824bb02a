// Seeds and state, recast from real trouble of other samplers; each test carries the id of its row. The sampler's own tests prove
// the same inside of the library; here it is a user's program that sees it.
#include <algorithm>
#include <set>

#include "tests/cases/cases.h"

namespace bankml::cases {
namespace {

// Draws of a row without preference, none accepted.
Ids flat(Sampler& s, int count) {
  const std::vector<float> row(s.n_vocab(), 0.0f);
  Ids tokens;
  for (int i = 0; i < count; ++i) tokens.push_back(s.sample(row));
  return tokens;
}
Ids flat(Sampler&& s, int count) { return flat(s, count); }

// Draws and accepts; the i-th row depends on i alone.
Ids stream(Sampler& s, int first, int count) {
  std::vector<float> row(s.n_vocab());
  Ids tokens;
  for (int i = first; i < first + count; ++i) {
    for (size_t k = 0; k < row.size(); ++k) row[k] = static_cast<float>((k * 7919 + static_cast<size_t>(i) * 31) % 1009) / 128.0f;
    tokens.push_back(s.sample(row));
    s.accept(tokens.back());
  }
  return tokens;
}
Ids stream(Sampler&& s, int first, int count) { return stream(s, first, count); }

Sampler flat_sampler(const char* seed) { return Sampler(params(neutral({{"seed", seed}})), 1000); }
Sampler default_sampler() { return Sampler(Params().load_request(R"({"top_k":0,"top_p":1,"min_p":0,"temperature":1})"), 1000); }

TEST(State, B59_mirostats_mu_belongs_to_its_sampler) {
  for (const char* version : {"1", "2"}) {
    const auto make = [&](const char* seed) { return sampler({{"mirostat", version}, {"seed", seed}}, 300); };
    Sampler a = make("1"), b = make("2");
    Ids of_a, of_b;
    for (int i = 0; i < 40; ++i) {
      of_a.push_back(stream(a, i, 1)[0]);
      of_b.push_back(stream(b, i, 1)[0]);
    }
    EXPECT_EQ(of_a, stream(make("1"), 0, 40)) << version;
    EXPECT_EQ(of_b, stream(make("2"), 0, 40)) << version;
  }
}

TEST(State, B67_the_default_seed_is_random_readable_and_replays) {
  std::set<int32_t> first;
  for (int i = 0; i < 20; ++i) first.insert(flat(default_sampler(), 1)[0]);
  EXPECT_GE(first.size(), 2u);
  Sampler s = default_sampler();
  ASSERT_NE(s.seed(), 0xFFFFFFFFu);
  EXPECT_EQ(flat(flat_sampler(std::to_string(s.seed()).c_str()), 20), flat(s, 20));
}

TEST(State, B68_seed_0_is_a_fixed_seed) {
  EXPECT_EQ(flat_sampler("0").seed(), 0u);
  EXPECT_EQ(flat(flat_sampler("0"), 20), flat(flat_sampler("0"), 20));
  std::set<uint32_t> seeds;
  for (int i = 0; i < 5; ++i)
    for (const char* random : {"-1", "4294967295"}) seeds.insert(flat_sampler(random).seed());
  EXPECT_GT(seeds.size(), 1u);
  EXPECT_EQ(seeds.count(0xFFFFFFFFu), 0u);
}

TEST(State, B70_reset_replays_a_given_seed_and_replaces_a_random_one) {
  Sampler fixed = flat_sampler("5");
  const Ids first = flat(fixed, 5);
  fixed.reset();
  EXPECT_EQ(flat(fixed, 5), first);
  Sampler random = default_sampler();
  std::set<uint32_t> seeds{random.seed()};
  for (int i = 0; i < 5; ++i) {
    flat(random, 2);
    random.reset();
    seeds.insert(random.seed());
  }
  EXPECT_GT(seeds.size(), 1u);
  EXPECT_EQ(flat(flat_sampler(std::to_string(random.seed()).c_str()), 20), flat(random, 20));
}

TEST(State, B71_children_use_the_seed_plus_their_index) {
  Params shared = params(neutral({}));
  std::set<Ids> streams;
  for (int j = 0; j < 3; ++j) {
    shared.set_number("seed", 7 + j);
    const Ids child = flat(Sampler(shared, 1000), 20);
    EXPECT_EQ(child, flat(flat_sampler(std::to_string(7 + j).c_str()), 20));
    streams.insert(child);
  }
  EXPECT_EQ(streams.size(), 3u);
}

TEST(State, B76_reset_replays_clone_continues_and_nothing_leaks) {
  const std::pair<const char*, Values> stages[] = {
      {"penalties", {{"repeat_penalty", "1.3"}, {"frequency_penalty", "0.2"}, {"presence_penalty", "0.1"}}},
      {"dry", {{"dry_multiplier", "0.9"}, {"dry_allowed_length", "1"}, {"dry_sequence_breakers", "[]"}}},
      {"mirostat", {{"mirostat", "1"}}},
      {"mirostat_v2", {{"mirostat", "2"}}},
      {"xtc", {{"xtc_probability", "0.5"}, {"xtc_threshold", "0.01"}}},
      {"adaptive_p", {{"samplers", R"(["top_k","adaptive_p"])"}, {"adaptive_target", "0.4"}}},
      {"dist", {}},
  };
  for (const auto& [stage, values] : stages) {
    SCOPED_TRACE(stage);
    Values seeded = values;
    seeded.emplace_back("seed", "11");
    const auto make = [&] { return Sampler(params(seeded), 60); };
    Sampler s = make();
    const std::vector<std::string> steps = s.steps();
    EXPECT_NE(std::find(steps.begin(), steps.end(), stage), steps.end());
    const Ids first = stream(s, 0, 100), head(first.begin(), first.begin() + 50), rest(first.begin() + 50, first.end());
    EXPECT_EQ(stream(make(), 0, 100), first);
    s.reset();
    EXPECT_EQ(stream(s, 0, 50), head);
    Sampler fed = s.clone(), untouched = s.clone();
    EXPECT_EQ(stream(s, 50, 50), rest);
    fed.accept(Ids(30, 2));
    EXPECT_EQ(stream(untouched, 50, 50), rest);
    s.reset();
    EXPECT_EQ(stream(s, 0, 100), first);
  }
}

}  // namespace
}  // namespace bankml::cases
