// JSON numbers to and from doubles, exactly and without a locale.
//
// std::from_chars rounds to nearest even over the whole range, but reports an overflow and (for texts that round to zero) an
// underflow with one and the same code and leaves the value alone; strtod, which nlohmann-json uses, gives ±inf and ±0 there. Which
// of the two it was is read off the text: the decimal position of its first significant digit.
// Tested by tests/formats/json_test.cpp
#include <charconv>
#include <cmath>
#include <limits>
#include <system_error>

#include "core/formats/json.h"
#include "core/math/fp_env.h"

namespace bankml::json {

namespace json_number_detail {

bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }

// Decimal exponent of the number's first significant digit (123.4 has 2), saturated far outside any double's range. Meant for texts
// that from_chars found out of range, so the value is never zero.
int64_t magnitude(std::string_view text) noexcept {
  constexpr int64_t far = 100000000000000000;  // ten times this still fits
  size_t at = !text.empty() && text[0] == '-' ? 1 : 0;
  int64_t integer_digits = 0;  // significant digits in front of the point
  int64_t leading_zeros = 0;   // zeros between the point and the first significant digit
  bool significant = false;
  for (; at < text.size() && is_digit(text[at]); ++at) {
    significant = significant || text[at] != '0';
    if (significant) ++integer_digits;
  }
  if (at < text.size() && text[at] == '.') {
    for (++at; at < text.size() && is_digit(text[at]); ++at) {
      significant = significant || text[at] != '0';
      if (!significant) ++leading_zeros;
    }
  }
  int64_t exponent = 0;
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    ++at;
    const bool negative = at < text.size() && text[at] == '-';
    if (at < text.size() && (text[at] == '-' || text[at] == '+')) ++at;
    for (; at < text.size() && is_digit(text[at]); ++at) {
      if (exponent < far) exponent = exponent * 10 + (text[at] - '0');
    }
    if (exponent > far) exponent = far;
    if (negative) exponent = -exponent;
  }
  return exponent + (integer_digits > 0 ? integer_digits - 1 : -1 - leading_zeros);
}

template <typename Number>
void append_chars(std::string& out, Number value) {
  char buffer[64];
  const std::to_chars_result result = std::to_chars(buffer, buffer + sizeof buffer, value);
  out.append(buffer, result.ptr);
}

}  // namespace json_number_detail

double decimal_to_double(std::string_view text) noexcept {
  double value = 0;
  const std::from_chars_result result = std::from_chars(text.data(), text.data() + text.size(), value);
  if (result.ec == std::errc()) return value;
  const bool negative = !text.empty() && text[0] == '-';
  const double size = json_number_detail::magnitude(text) > 0 ? std::numeric_limits<double>::infinity() : 0.0;
  return negative ? -size : size;
}

void append_real(std::string& out, double value) {
  if (!std::isfinite(value)) {
    out += "null";
    return;
  }
  json_number_detail::append_chars(out, value);
}

void append_real(std::string& out, float value) {
  if (!std::isfinite(value)) {
    out += "null";
    return;
  }
  json_number_detail::append_chars(out, value);
}

void append_integer(std::string& out, int64_t value) { json_number_detail::append_chars(out, value); }
void append_unsigned(std::string& out, uint64_t value) { json_number_detail::append_chars(out, value); }

}  // namespace bankml::json
