// Tested by tests/reference/logits_test.cpp
#include "tests/reference/logits.h"

#include <bit>
#include <cmath>
#include <limits>

#include "tests/reference/hard_logits.h"

namespace bankml::reference {
namespace {

float scaled(int32_t s, int exponent) { return std::ldexp(static_cast<float>(s), exponent); }

int32_t field_sum(uint64_t x) {
  return static_cast<int32_t>((x & 0xFFFF) + ((x >> 16) & 0xFFFF) + ((x >> 32) & 0xFFFF) + (x >> 48)) - 131070;
}

float equal(uint64_t) { return 1.0f; }
float normal(uint64_t x) { return scaled(field_sum(x), -14); }
float ties(uint64_t x) { return scaled(field_sum(x) >> 12, -2); }
float coarse(uint64_t x) { return static_cast<float>(field_sum(x) >> 15); }
float flat(uint64_t x) { return scaled(field_sum(x), -20); }
float wide(uint64_t x) { return scaled(field_sum(x), -9); }
float negative(uint64_t x) { return normal(x) - 40.0f; }
float positive(uint64_t x) { return normal(x) + 24.0f; }
float masked(uint64_t x) { return x % 3 == 0 ? -std::numeric_limits<float>::infinity() : normal(x); }

float peaked(uint64_t x) {
  const float peak = (x >> 40) % 997 == 0 ? scaled(static_cast<int32_t>((x >> 20) & 1023), -7) : 0.0f;
  return normal(x) + peak;
}

struct Recipe {
  const char* name;
  float (*logit)(uint64_t);
};
constexpr Recipe recipes[] = {{"normal", normal}, {"ties", ties},         {"coarse", coarse},     {"flat", flat},
                              {"wide", wide},     {"negative", negative}, {"positive", positive}, {"equal", equal},
                              {"masked", masked}, {"peaked", peaked}};

double unit(uint64_t x) { return std::ldexp(static_cast<double>((x >> 11) + 1), -53); }  // (0, 1]

float round_to_bf16(float value) {
  const auto bits = std::bit_cast<uint32_t>(value);
  return std::bit_cast<float>((bits + 0x7FFFu + ((bits >> 16) & 1u)) & 0xFFFF0000u);
}

// Ten bits behind the leading one, to nearest even; below 2^-14 the step stays 2^-24. No logit here reaches half's largest value.
float round_to_f16(float value) {
  if (std::fabs(value) < 0x1p-14f) return std::nearbyint(value * 0x1p24f) * 0x1p-24f;
  const auto bits = std::bit_cast<uint32_t>(value);
  return std::bit_cast<float>((bits + 0xFFFu + ((bits >> 13) & 1u)) & 0xFFFFE000u);
}

// Box-Muller; about 8 tokens of a row stand out, as a model's favourites do.
void fill_real(uint64_t seed, size_t n, float* out) {
  SplitMix64 random(seed);
  for (size_t i = 0; i < n; ++i) {
    const double radius = std::sqrt(-2.0 * std::log(unit(random.next())));
    const double angle = 6.283185307179586 * unit(random.next());
    out[i] = static_cast<float>(-3.0 + 3.0 * radius * std::cos(angle));
  }
  for (int peak = 0; peak < 8; ++peak) {
    const uint64_t x = random.next();
    out[x % n] = static_cast<float>(9.0 + 6.0 * unit(random.next()));
  }
}

template <float (*Round)(float)>
void fill_rounded(uint64_t seed, size_t n, float* out) {
  fill_real(seed, n, out);
  for (size_t i = 0; i < n; ++i) out[i] = Round(out[i]);
}

}  // namespace

const std::vector<std::string>& recipe_names() {
  static const std::vector<std::string> names = {"normal",   "ties",   "coarse",  "flat",   "wide",    "negative",
                                                 "positive", "equal",  "masked",  "peaked", "real",    "bf16",
                                                 "f16",      "halves", "borders", "killer", "one_left"};
  return names;
}

bool fill_logits(const std::string& recipe, uint64_t seed, size_t n, float* out) {
  struct RowRecipe {
    const char* name;
    void (*fill)(uint64_t seed, size_t n, float* out);
  };
  constexpr RowRecipe rows[] = {{"real", fill_real},
                                {"bf16", fill_rounded<round_to_bf16>},
                                {"f16", fill_rounded<round_to_f16>},
                                {"halves", fill_halves},
                                {"borders", fill_borders},
                                {"killer", fill_killer},
                                {"one_left", fill_one_left}};
  for (const RowRecipe& row : rows) {
    if (recipe != row.name) continue;
    row.fill(seed, n, out);
    return true;
  }
  for (const Recipe& candidate : recipes) {
    if (recipe != candidate.name) continue;
    SplitMix64 random(seed);
    for (size_t i = 0; i < n; ++i) out[i] = candidate.logit(random.next());
    return true;
  }
  return false;
}

}  // namespace bankml::reference
