// Tested by tests/schema/llama_schema.cpp
#include "core/schema/int_bounds.h"

#include <algorithm>
#include <limits>

#include "core/base/status.h"

namespace bankml::schema {
namespace int_bounds_detail {

constexpr int64_t lowest = std::numeric_limits<int64_t>::min(), highest = std::numeric_limits<int64_t>::max();
constexpr int most_digits = 16;

std::string one_of(char lo, char hi) {
  static constexpr char hex[] = "0123456789ABCDEF";
  const auto shown = [](char c) {
    if (c >= '0' && c <= '9') return std::string(1, c);
    const auto byte = static_cast<unsigned char>(c);
    return std::string("\\x") + hex[byte >> 4] + hex[byte & 15];
  };
  return "[" + shown(lo) + (lo == hi ? "" : "-" + shown(hi)) + "]";
}
char before(char c) { return static_cast<char>(c - 1); }
char behind(char c) { return static_cast<char>(c + 1); }

std::string digits(size_t least, size_t most) { return "[0-9]{" + std::to_string(least) + "," + std::to_string(most) + "}"; }
std::string digits(size_t count) { return "[0-9]{" + std::to_string(count) + "}"; }

// Texts of digits between two of them; a class whose ends are the wrong way round matches nothing.
std::string between(const std::string& from, const std::string& to) {
  size_t i = 0;
  while (i < from.size() && i < to.size() && from[i] == to[i]) ++i;
  std::string out = i > 0 ? "\"" + from.substr(0, i) + "\"" : "";
  if (i >= from.size() || i >= to.size()) return out;
  const char a = from[i], b = to[i];
  const std::string from_rest = from.substr(i + 1), to_rest = to.substr(i + 1);
  const size_t n = from_rest.size();
  if (!out.empty()) out += " ";
  if (n == 0) return out + one_of(a, b);
  const std::string zeros(n, '0'), nines(n, '9');
  out += "(";
  if (from_rest == zeros) {
    out += one_of(a, before(b)) + " " + digits(n);
  } else {
    out += one_of(a, a) + " (" + between(from_rest, nines) + ")";
    if (behind(a) < b) out += " | " + one_of(behind(a), before(b)) + " " + digits(n);
  }
  return out + " | " + one_of(b, b) + " (" + between(zeros, to_rest) + "))";
}

std::string range(const std::string& x, const std::string& y) {
  if (x.size() > y.size()) return between(x, y);
  std::string out;
  for (size_t k = x.size(); k <= y.size(); ++k) {
    const std::string low = k == x.size() ? x : "1" + std::string(k - 1, '0');
    const std::string high = k == y.size() ? y : std::string(k, '9');
    out += (out.empty() ? "" : " | ") + between(low, high);
  }
  return out;
}

// From m on, with `left` digits left; `top`: no zero in front.
std::string from(uint64_t m, int left, bool top) {
  const auto e = static_cast<size_t>(std::max(left - 1, 1));
  const char lo = top ? '1' : '0';
  if (m == 0) return top ? "[0] | [1-9] " + digits(0, e) : digits(1, static_cast<size_t>(std::max(left, 0)));
  const std::string text = std::to_string(m);
  const char c = text[0];
  if (m < 10) {
    std::string out;
    if (c > lo) out = one_of(lo, before(c)) + " " + digits(1, e) + " | ";
    return out + one_of(c, '9') + " " + digits(0, e);
  }
  const size_t k = text.size();
  std::string out;
  if (c > '1') out = one_of(lo, before(c)) + " " + digits(k, e) + " | ";
  out += one_of(c, c) + " (" + from(std::stoull(text.substr(1)), static_cast<int>(e), false) + ")";
  if (c < '9') out += " | " + one_of(behind(c), '9') + " " + digits(k - 1, e);
  return out;
}

std::string build(std::optional<int64_t> minimum, std::optional<int64_t> maximum, int left, bool top) {
  if (minimum == lowest) minimum.reset();
  if (maximum == highest) maximum.reset();
  const std::string many = digits(0, static_cast<size_t>(std::max(left - 1, 1)));
  if (minimum && maximum) {
    if (*minimum < 0 && *maximum < 0) return "\"-\" (" + build(-*maximum, -*minimum, left, true) + ")";
    if (*minimum < 0) return "\"-\" (" + build(0, -*minimum, left, true) + ") | " + build(0, *maximum, left, true);
    return range(std::to_string(*minimum), std::to_string(*maximum));
  }
  if (minimum) {
    if (*minimum < 0) return "\"-\" (" + build(std::nullopt, -*minimum, left, false) + ") | [0] | [1-9] " + many;
    return from(static_cast<uint64_t>(*minimum), left, top);
  }
  if (maximum) {
    if (*maximum < 0) return "\"-\" (" + build(-*maximum, std::nullopt, left, false) + ")";
    return (top ? "\"-\" [1-9] " + many + " | " : "") + build(0, *maximum, left, true);
  }
  throw Failure(Status::schema, "JSON schema conversion failed:\nAt least one of min_value or max_value must be set");
}

}  // namespace int_bounds_detail

std::string int_bounds(std::optional<int64_t> minimum, std::optional<int64_t> maximum) {
  return int_bounds_detail::build(minimum, maximum, int_bounds_detail::most_digits, true);
}

}  // namespace bankml::schema
