// Digits and layout of numbers: see number_text.h.
//
// Grisu2 multiplies the double and the borders of its interval by a power of ten that is near in 64 bits, so that the products'
// integer parts have few digits, and cuts digits off as soon as the rest is within the interval, which is taken one unit too narrow
// for the errors of the products. Powers: one in eight, each the nearest 64-bit significand, as the paper has them; those that
// floats need.
// Tested by tests/reply/number_text_test.cpp, against nlohmann-json itself
#include "core/math/fp_env.h"

#include "core/reply/number_text.h"

#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <string_view>

namespace bankml::reply {

namespace number_text_detail {

struct Digits {
  char text[20];
  int n = 0;
  int exponent = 0;  // value = text * 10^exponent
};

struct Scaled {
  uint64_t f;
  int e;  // f * 2^e
};

struct Power {
  uint64_t f;
  int e;
  int k;  // f * 2^e is near 10^k
};

constexpr int first_power = -36, power_step = 8;
constexpr Power powers[] = {
    {0xAA242499697392D3ULL, -183, -36}, {0xFD87B5F28300CA0EULL, -157, -28}, {0xBCE5086492111AEBULL, -130, -20},
    {0x8CBCCC096F5088CCULL, -103, -12}, {0xD1B71758E219652CULL, -77, -4},   {0x9C40000000000000ULL, -50, 4},
    {0xE8D4A51000000000ULL, -24, 12},   {0xAD78EBC5AC620000ULL, 3, 20},     {0x813F3978F8940984ULL, 30, 28},
    {0xC097CE7BC90715B3ULL, 56, 36},    {0x8F7E32CE7BEA5C70ULL, 83, 44},    {0xD5D238A4ABE98068ULL, 109, 52},
};

// The upper half of the product, rounded half up.
Scaled times(Scaled x, const Power& power) noexcept {
  const uint64_t x0 = x.f & 0xFFFFFFFF, x1 = x.f >> 32, y0 = power.f & 0xFFFFFFFF, y1 = power.f >> 32;
  const uint64_t low = x0 * y0, a = x0 * y1, b = x1 * y0;
  const uint64_t middle = (low >> 32) + (a & 0xFFFFFFFF) + (b & 0xFFFFFFFF) + (uint64_t{1} << 31);
  return {x1 * y1 + (a >> 32) + (b >> 32) + (middle >> 32), x.e + power.e + 64};
}

// The first of the powers that brings 2^e * [2^63, 2^64) to an exponent of two in [-60, -32].
const Power& power_for(int e) noexcept {
  const int f = -60 - e - 1;
  const int k = f * 78913 / (1 << 18) + (f > 0 ? 1 : 0);  // 78913 / 2^18 is log10(2)
  return powers[(k - first_power + power_step - 1) / power_step];
}

// Lowers the last digit while that brings the number nearer to the true one, `distance` below the upper border, and stays inside.
void round_last(Digits& digits, uint64_t distance, uint64_t width, uint64_t rest, uint64_t unit) noexcept {
  while (rest < distance && width - rest >= unit && (rest + unit < distance || distance - rest > rest + unit - distance)) {
    --digits.text[digits.n - 1];
    rest += unit;
  }
}

void generate(Digits& digits, uint64_t lower, uint64_t value, Scaled upper) noexcept {
  const int shift = -upper.e;
  const uint64_t one = uint64_t{1} << shift;
  uint64_t width = upper.f - lower, distance = upper.f - value;
  auto whole = static_cast<uint32_t>(upper.f >> shift);
  uint64_t part = upper.f & (one - 1);
  int left = 1;  // digits of the whole part still to come
  uint32_t unit = 1;
  while (whole / unit >= 10) {
    unit *= 10;
    ++left;
  }
  for (; left > 0; unit /= 10) {
    digits.text[digits.n++] = static_cast<char>('0' + whole / unit);
    whole %= unit;
    --left;
    const uint64_t rest = (uint64_t{whole} << shift) + part;
    if (rest <= width) {
      digits.exponent += left;
      return round_last(digits, distance, width, rest, uint64_t{unit} << shift);
    }
  }
  do {
    part *= 10;
    width *= 10;
    distance *= 10;
    digits.text[digits.n++] = static_cast<char>('0' + (part >> shift));
    part &= one - 1;
    --digits.exponent;
  } while (part > width);
  round_last(digits, distance, width, part, one);
}

// value > 0.
Digits grisu2(double value) noexcept {
  const auto bits = std::bit_cast<uint64_t>(value);
  const uint64_t fraction = bits & ((uint64_t{1} << 52) - 1);
  // Floats are normal doubles. The interval reaches half way to the neighbours; below a power of two the lower one is nearer.
  const int e = static_cast<int>(bits >> 52) - 1075;
  const uint64_t f = fraction | uint64_t{1} << 52;
  const Scaled middle{f << 11, e - 11};
  const Scaled upper{(2 * f + 1) << 10, e - 11};
  const Scaled lower{fraction == 0 ? (4 * f - 1) << 9 : (2 * f - 1) << 10, e - 11};
  const Power& power = power_for(upper.e);
  Scaled top = times(upper, power);
  --top.f;
  Digits digits;
  digits.exponent = -power.k;
  generate(digits, times(lower, power).f + 1, times(middle, power).f, top);
  return digits;
}

Digits shortest(float value) noexcept {
  char buffer[32];
  const std::to_chars_result end = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::scientific);
  Digits digits;
  const char* at = buffer;
  for (; at != end.ptr && *at != 'e'; ++at) {
    if (*at != '.') digits.text[digits.n++] = *at;
  }
  const bool below_one = at[1] == '-';
  int exponent = 0;
  for (at += 2; at != end.ptr; ++at) exponent = exponent * 10 + (*at - '0');
  digits.exponent = (below_one ? -exponent : exponent) - (digits.n - 1);
  return digits;
}

void lay_out(std::string& out, const Digits& digits) {
  constexpr int lowest = -4, highest = 15;  // decimal places of the first digit that are written without an exponent
  const int n = digits.n, point = n + digits.exponent;
  const std::string_view text(digits.text, static_cast<size_t>(n));
  if (n <= point && point <= highest) {
    out += text;
    out.append(static_cast<size_t>(point - n), '0');
    out += ".0";
  } else if (0 < point && point <= highest) {
    out += text.substr(0, static_cast<size_t>(point));
    out += '.';
    out += text.substr(static_cast<size_t>(point));
  } else if (lowest < point && point <= 0) {
    out += "0.";
    out.append(static_cast<size_t>(-point), '0');
    out += text;
  } else {
    out += text[0];
    if (n > 1) {
      out += '.';
      out += text.substr(1);
    }
    const int exponent = point - 1, size = exponent < 0 ? -exponent : exponent;
    out += exponent < 0 ? "e-" : "e+";
    if (size < 10) out += '0';
    out += std::to_string(size);
  }
}

template <class MakeDigits>
void append(std::string& out, float value, MakeDigits make_digits) {
  if (std::signbit(value)) {
    out += '-';
    value = -value;
  }
  if (value == 0.0f) {
    out += "0.0";
  } else {
    lay_out(out, make_digits(value));
  }
}

}  // namespace number_text_detail

void append_widened(std::string& out, float value) {
  number_text_detail::append(out, value, [](float x) { return number_text_detail::grisu2(static_cast<double>(x)); });
}

void append_shortest(std::string& out, float value) { number_text_detail::append(out, value, number_text_detail::shortest); }

}  // namespace bankml::reply
