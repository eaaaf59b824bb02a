// Saved samplers go on as if nothing had happened; whatever is not exactly a saved sampler of the same kind is refused.
#include "core/chain/state.h"

#include <gtest/gtest.h>

#include "core/base/state_bytes.h"
#include "tests/chain/chain_fixture.h"

namespace bankml::chain_test {
namespace {

Params any_params(uint32_t round) {
  std::mt19937 dice(round);
  Params p;
  p.seed = round;
  const auto maybe = [&](float value, float off) { return dice() % 2 == 0 ? value : off; };
  p.repeat_penalty = maybe(1.2f, 1.0f);
  p.presence_penalty = maybe(0.4f, 0.0f);
  p.repeat_last_n = static_cast<int32_t>(dice() % 70);
  p.dry_multiplier = maybe(0.8f, 0.0f);
  p.dry_penalty_last_n = static_cast<int32_t>(1 + dice() % 100);
  p.dry_breaker_tokens = {{1}, {2, 3}};
  p.xtc_probability = maybe(0.5f, 0.0f);
  p.mirostat = static_cast<int32_t>(dice() % 3);
  if (p.mirostat == 0 && dice() % 3 == 0) {
    p.samplers.push_back(StepKind::adaptive_p);
    p.adaptive_target = 0.3f;
  }
  return p;
}

TEST(State, a_loaded_sampler_goes_on_as_the_saved_one) {
  for (uint32_t round = 0; round < 200; ++round) {
    const size_t n = 50 + round;
    const Params params = any_params(round);
    Sampler saved(params, nullptr, n);
    for (uint32_t i = 0; i < round; ++i) feed(saved, {draw(saved, random_row(n, i))});
    if (round % 2 == 0) draw(saved, random_row(n, 77));  // a pending token
    Params other_seed = params;
    other_seed.seed = 4711;
    Sampler loaded(other_seed, nullptr, n);
    feed(loaded, {3, 4});
    const std::string bytes = saved.save();
    loaded.load(bytes);
    EXPECT_EQ(loaded.save(), bytes);
    EXPECT_EQ(loaded.seed_in_use(), saved.seed_in_use());
    for (uint32_t i = 0; i < 40; ++i) {
      const std::vector<float> row = random_row(n, 1000 + i);
      const int32_t token = draw(saved, row);
      ASSERT_EQ(token, draw(loaded, row)) << "round " << round << " draw " << i;
      feed(saved, {token});
      feed(loaded, {token});
    }
    EXPECT_EQ(loaded.save(), saved.save());
    loaded.reset();
    saved.reset();
    EXPECT_EQ(loaded.save(), saved.save());
  }
}

std::string refusal(Sampler& sampler, const std::string& bytes) {
  const std::string before = sampler.save();
  try {
    sampler.load(bytes);
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.status(), Status::state);
    EXPECT_EQ(sampler.save(), before);
    return failure.text();
  }
  return "";
}

TEST(State, every_damage_is_refused) {
  Sampler sampler(any_params(5), nullptr, 60);
  for (uint32_t i = 0; i < 30; ++i) feed(sampler, {draw(sampler, random_row(60, i))});
  const std::string bytes = sampler.save();
  for (size_t at = 0; at < bytes.size(); ++at) {
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ (1 << (at % 8)));
    EXPECT_NE(refusal(sampler, damaged), "") << at;
    if (at % 37 == 0 || at > bytes.size() - 20) EXPECT_NE(refusal(sampler, bytes.substr(0, at)), "") << at;
  }
  EXPECT_NE(refusal(sampler, bytes + "x"), "");
  EXPECT_NE(refusal(sampler, ""), "");
  std::string newer = bytes;
  newer[7] = '2';
  EXPECT_EQ(refusal(sampler, newer), "the sampler's state bytes are of another version");
}

// A checksum proves nothing about who wrote the bytes: tokens and counts are looked at.
TEST(State, forged_bytes_are_refused) {
  Params params;
  params.seed = 1;
  params.repeat_penalty = 1.5f;
  Sampler sampler(params, nullptr, 60);
  feed(sampler, {7});
  const std::string bytes = sampler.save();
  const size_t window = 8 + 8 + 8 + 4 + 4 + 4;  // the first step's: its size, then its tokens
  const auto forged = [&](size_t at, uint32_t value) {
    std::string made = bytes.substr(0, bytes.size() - 8);
    for (size_t i = 0; i < 4; ++i) made[at + i] = static_cast<char>(value >> (8 * i));
    StateWriter sum;
    sum.u64(fnv64(made));
    return made + sum.bytes();
  };
  ASSERT_EQ(static_cast<unsigned char>(bytes[window]), 1u);
  EXPECT_EQ(refusal(sampler, forged(window + 8, 7)), "");
  for (const uint32_t token : {60u, 0xFFFFFFFFu, 0x7FFFFFFFu, 0x80000000u})
    EXPECT_NE(refusal(sampler, forged(window + 8, token)), "");
  for (const uint32_t count : {2u, 65u, 0xFFFFFFFFu}) EXPECT_NE(refusal(sampler, forged(window, count)), "");
}

TEST(State, other_samplers_are_refused) {
  const Params params = any_params(8);
  Sampler sampler(params, nullptr, 60);
  Params other = params;
  other.temperature = 0.3f;
  EXPECT_EQ(refusal(sampler, Sampler(other, nullptr, 60).save()), "the sampler's state bytes belong to other parameters");
  EXPECT_EQ(refusal(sampler, Sampler(params, nullptr, 61).save()), "the sampler's state bytes belong to another n_vocab");
  other = params;
  other.disable = {"top_k"};
  other.seed = 99;
  EXPECT_EQ(refusal(sampler, Sampler(other, nullptr, 60).save()), "");
}

}  // namespace
}  // namespace bankml::chain_test
