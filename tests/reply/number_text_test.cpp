// Numbers of replies: against nlohmann-json, which llama-server writes with, over floats of every exponent, and by hand.
#include "core/reply/number_text.h"

#include <gtest/gtest.h>

#include <bit>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <random>
#include <string>

#if __has_include(<nlohmann/json.hpp>)
#include <nlohmann/json.hpp>
#define HAVE_NLOHMANN 1
#else
#define HAVE_NLOHMANN 0
#endif

namespace bankml::reply {
namespace {

std::string widened(float value) {
  std::string out;
  append_widened(out, value);
  return out;
}

std::string shortest(float value) {
  std::string out;
  append_shortest(out, value);
  return out;
}

TEST(NumberText, ByHand) {
  EXPECT_EQ(widened(-0.693147180559945f), "-0.6931471824645996");
  EXPECT_EQ(widened(0.5f), "0.5");
  EXPECT_EQ(widened(1.0f), "1.0");
  EXPECT_EQ(widened(0.0f), "0.0");
  EXPECT_EQ(widened(-0.0f), "-0.0");
  EXPECT_EQ(widened(-5.9604645e-08f), "-5.960464477539063e-08");  // log of the largest p below 1
  EXPECT_EQ(widened(std::numeric_limits<float>::lowest()), "-3.4028234663852886e+38");
  EXPECT_EQ(widened(std::numeric_limits<float>::denorm_min()), "1.401298464324817e-45");
  EXPECT_EQ(widened(-103.278929903431851103f), "-103.2789306640625");
  EXPECT_EQ(widened(0.0001f), "9.999999747378752e-05");
  EXPECT_EQ(widened(999999984306749440.0f), "9.999999843067494e+17");
  EXPECT_EQ(shortest(-0.693147180559945f), "-0.6931472");
  EXPECT_EQ(shortest(-9999.0f), "-9999.0");
  EXPECT_EQ(shortest(-1.569009e-05f), "-1.569009e-05");
  EXPECT_EQ(shortest(-0.0009105783f), "-0.0009105783");
  EXPECT_EQ(shortest(0.0f), "0.0");
  EXPECT_EQ(shortest(-0.0f), "-0.0");
  EXPECT_EQ(shortest(100000.0f), "100000.0");
}

TEST(NumberText, ReadsBackAsTheSameNumber) {
  std::mt19937 engine(3);
  for (int round = 0; round < 300000; ++round) {
    const float value = std::bit_cast<float>(static_cast<uint32_t>(engine()));
    if (!std::isfinite(value)) continue;
    ASSERT_EQ(std::strtod(widened(value).c_str(), nullptr), static_cast<double>(value));
    ASSERT_EQ(std::strtof(shortest(value).c_str(), nullptr), value);
  }
}

#if HAVE_NLOHMANN
// Digits from the first to the last that is not zero.
size_t significant(const std::string& number) {
  std::string digits;
  for (const char c : number.substr(0, number.find('e'))) {
    if (c >= '0' && c <= '9' && !(digits.empty() && c == '0')) digits += c;
  }
  return digits.empty() ? 0 : digits.find_last_not_of('0') + 1;
}

TEST(NumberText, AsNlohmannJsonWritesThem) {
  const char* const all = std::getenv("BANKML_TEST_LONG");
  const uint32_t step = all != nullptr && *all == '1' ? 61 : 6007;  // odd: every exponent, many fractions
  size_t longer = 0;
  for (uint32_t bits = 0; bits < 0x7F800000u - step; bits += step) {
    const float value = -std::bit_cast<float>(bits);
    const std::string expected = nlohmann::json(value).dump();
    ASSERT_EQ(widened(value), expected) << bits;
    char buffer[64];
    const auto end = std::to_chars(buffer, buffer + sizeof buffer, static_cast<double>(value));
    longer += significant(expected) > significant(std::string(buffer, end.ptr)) ? 1 : 0;
  }
  EXPECT_GT(longer, 0u);  // the shortest digits would not do
}
#endif

}  // namespace
}  // namespace bankml::reply
