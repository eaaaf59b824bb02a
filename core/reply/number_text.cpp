// Digits and layout of numbers: see number_text.h.
//
// Tested by tests/reply/number_text_test.cpp, against nlohmann-json itself
#include "core/math/fp_env.h"

#include "core/reply/number_text.h"

#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <string_view>

#include "core/formats/grisu2.h"

namespace bankml::reply {

namespace number_text_detail {

json::Digits shortest(float value) noexcept {
  char buffer[32];
  const std::to_chars_result end = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::scientific);
  json::Digits digits;
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

template <class MakeDigits>
void append(std::string& out, float value, MakeDigits make_digits) {
  if (std::signbit(value)) {
    out += '-';
    value = -value;
  }
  if (value == 0.0f) {
    out += "0.0";
  } else {
    json::append_digits(out, make_digits(value));
  }
}

}  // namespace number_text_detail

void append_widened(std::string& out, float value) {
  number_text_detail::append(out, value, [](float x) { return json::grisu2(static_cast<double>(x)); });
}

void append_shortest(std::string& out, float value) { number_text_detail::append(out, value, number_text_detail::shortest); }

}  // namespace bankml::reply
