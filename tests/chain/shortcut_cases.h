// A chain with one of its shortcuts and without it, draw by draw, on rows of every kind.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>

#include "tests/chain/chain_fixture.h"

namespace bankml::chain_test {

// Logits that are hard for certain draws and orders: ties, all equal, flat, -inf, denormal, one token left, already sorted; and
// rows that must be refused: a NaN, a +inf, nothing but -inf.
inline std::vector<float> shortcut_row(size_t n, std::mt19937& engine) {
  std::vector<float> row = random_row(n, static_cast<uint32_t>(engine()), 3.0f);
  const auto unit = [&] { return static_cast<float>(engine() >> 8) * 0x1p-24f; };
  switch (engine() % 18) {
    case 0:
      for (float& x : row) x = std::floor(x * 2.0f) * 0.5f;
      break;
    case 1:
      for (float& x : row) x = 1.0f;
      break;
    case 2:
      for (float& x : row) x *= 1e-4f;
      break;
    case 3:
      for (float& x : row) x = engine() % 3 == 0 ? -std::numeric_limits<float>::infinity() : x;
      row[engine() % n] = 2.0f;
      break;
    case 4:
      for (float& x : row) x *= 1e-39f;
      break;
    case 5:
      for (float& x : row) x = -std::numeric_limits<float>::infinity();
      row[engine() % n] = unit();
      break;
    case 6:
      std::sort(row.begin(), row.end());
      break;
    case 7:
      std::sort(row.begin(), row.end(), [](float a, float b) { return a > b; });
      break;
    case 8:
      for (float& x : row) x = x * 30.0f + 100.0f;
      break;
    case 9:
      for (float& x : row) x = std::bit_cast<float>(std::bit_cast<uint32_t>(x) & 0xFFFF0000u);
      break;
    case 10:  // a few peaks over a gaussian, as models give
      for (float& x : row) x = engine() % 997 == 0 ? x + unit() * 12.0f : x;
      break;
    case 11:
      for (float& x : row) x = x * 1e30f;
      break;
    case 12:
      row[engine() % n] = std::numeric_limits<float>::quiet_NaN();
      break;
    case 13:
      row[engine() % n] = std::numeric_limits<float>::infinity();
      break;
    case 14:
      for (float& x : row) x = -std::numeric_limits<float>::infinity();
      break;
    default:
      break;
  }
  return row;
}

// Whether the surviving candidates are kept, and compared.
enum class Kept { no, yes };

// A tenth of the rounds where every instruction is dear: BANKML_TEST_SHORT=1, under sanitizers and emulators.
inline uint32_t affordable(uint32_t rounds) {
  const char* shorter = std::getenv("BANKML_TEST_SHORT");
  return shorter != nullptr && shorter[0] == '1' ? (rounds + 9) / 10 : rounds;
}

// `rounds` random samplers that must take the shortcut `name`, changed by change(params, engine), against the plain chain.
template <class Change>
void compare_shortcut(const char* name, uint32_t seed, uint32_t rounds, Kept kept, Change&& change, size_t size = 0) {
  std::mt19937 engine(seed);
  uint64_t fast_sets = 0, plain_sets = 0;
  const bool keep = kept == Kept::yes;
  for (uint32_t round = 0; round < affordable(rounds) && !::testing::Test::HasFailure(); ++round) {
    const size_t n = size != 0 ? size : engine() % 2 == 0 ? 1 + engine() % 6000 : 1 + engine() % 400;
    Params params;
    params.seed = round;
    if (engine() % 3 == 0) params.repeat_penalty = 1.3f;
    if (engine() % 3 == 0) params.presence_penalty = 0.5f;
    if (engine() % 4 == 0) {
      params.dry_multiplier = 0.8f;
      params.dry_breaker_tokens = {{1}, {2, 3}};
    }
    for (int i = 0; i < 4 && engine() % 3 == 0; ++i)
      params.logit_bias.push_back(
          {static_cast<int32_t>(engine() % n), i == 0 && n > 1 ? -std::numeric_limits<float>::infinity() : 2.0f});
    change(params, engine);
    Params plain_params = params;
    plain_params.disable = {name};
    for (const simd::Level level : {simd::Level::scalar, simd::Level::avx2, simd::Level::avx512, simd::Level::neon}) {
      if (simd::kernels_of(level) == nullptr) continue;
      Sampler fast(params, nullptr, n, *simd::kernels_of(level));
      ASSERT_STREQ(fast.plan_name(), name);
      Sampler plain(plain_params, nullptr, n, *simd::kernels_of(level));
      ASSERT_STRNE(plain.plan_name(), name);
      fast.keep(keep);
      plain.keep(keep);
      std::mt19937 rows(round);
      for (int step = 0; step < 5; ++step) {
        const std::vector<float> row = shortcut_row(n, rows);
        std::vector<uint32_t> mask((n + 31) / 32);
        for (uint32_t& word : mask) word = static_cast<uint32_t>(rows());
        const uint32_t* allowed = step % 3 == 2 ? mask.data() : nullptr;
        int32_t token = -1, wanted = -1;
        ErrorText error, wanted_error;
        const Status status = fast.sample(row.data(), n, allowed, &token, error);
        const Status wanted_status = plain.sample(row.data(), n, allowed, &wanted, wanted_error);
        ASSERT_EQ(status, wanted_status) << error.c_str() << " / " << wanted_error.c_str();
        ASSERT_STREQ(error.c_str(), wanted_error.c_str());
        const bool bad = std::any_of(row.begin(), row.end(), [](float x) { return std::isnan(x) || x == HUGE_VALF; });
        if (bad && allowed == nullptr) {
          ASSERT_EQ(status, Status::nonfinite) << error.c_str();
        }
        ASSERT_EQ(token, wanted) << "round " << round << " step " << step << " " << simd::kernels_of(level)->name << " n " << n;
        ASSERT_EQ(fast.perf.work.random_outputs, plain.perf.work.random_outputs);
        if (keep && status == Status::ok) {
          const Candidates* a = fast.kept();
          const Candidates* b = plain.kept();
          ASSERT_EQ(a->size, b->size);
          ASSERT_EQ(std::memcmp(a->data, b->data, a->size * sizeof(Candidate)), 0) << "round " << round;
        }
        if (token >= 0) {
          feed(fast, {token});
          feed(plain, {token});
        }
      }
      fast_sets += fast.perf.work.full_sets;
      plain_sets += plain.perf.work.full_sets;
    }
  }
  EXPECT_LT(fast_sets, plain_sets);  // else the shortcut is hardly ever taken
}

}  // namespace bankml::chain_test
