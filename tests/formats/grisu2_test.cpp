// Digits of doubles against nlohmann-json itself: random bits, powers of two and ten with their neighbours, subnormals.
#include "core/formats/grisu2.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <random>

namespace bankml::json {
namespace {

void compare(double value) {
  std::string text;
  append_digits(text, grisu2(value));
  ASSERT_EQ(text, nlohmann::json(value).dump()) << std::hexfloat << value;
}

TEST(Grisu2, equals_nlohmann_json) {
  std::mt19937_64 dice(1);
  const int rounds = std::getenv("BANKML_TEST_LONG") != nullptr ? 20000000 : 200000;
  for (int i = 0; i < rounds; ++i) {
    const double value = std::bit_cast<double>(dice() & 0x7FFFFFFFFFFFFFFFu);
    if (std::isfinite(value) && value > 0) compare(value);
    compare(static_cast<double>(1 + dice() % 1000000) / static_cast<double>(1 + dice() % 1000));
    if (HasFatalFailure()) return;
  }
  for (int e = -1074; e <= 1023; ++e) {
    const double power = std::ldexp(1.0, e);
    for (const double value : {std::nextafter(power, 0.0), power, std::nextafter(power, INFINITY)}) {
      if (value > 0) compare(value);
    }
  }
  for (int e = -323; e <= 308; ++e) {
    const double power = std::pow(10.0, e);
    for (const double value : {std::nextafter(power, 0.0), power, std::nextafter(power, INFINITY)}) {
      if (value > 0) compare(value);
    }
  }
}

}  // namespace
}  // namespace bankml::json
