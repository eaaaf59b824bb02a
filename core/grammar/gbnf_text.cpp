// The characters of GBNF; gbnf_text.h says which quirks are kept. Tested by tests/grammar/gbnf_parser.cpp
#include "core/grammar/gbnf_text.h"

#include <algorithm>

namespace bankml::grammar {

GbnfError::Place GbnfError::place_of(std::string_view text, size_t at) {
  Place place{1, 1};
  for (size_t i = 0; i < at && i < text.size(); ++i) {
    const bool ends_line = text[i] == '\n' || (text[i] == '\r' && (i + 1 == text.size() || text[i + 1] != '\n'));
    place = ends_line ? Place{place.line + 1, 1} : Place{place.line, place.column + 1};
  }
  return place;
}

GbnfError::GbnfError(Status status, const std::string& message, Place place)
    : Failure(status, "grammar, line " + std::to_string(place.line) + ", column " + std::to_string(place.column) + ": " + message),
      message_(message),
      line_(place.line),
      column_(place.column) {}

GbnfError::GbnfError(Status status, const std::string& message, std::string_view text, size_t at)
    : GbnfError(status, message, place_of(text, at)) {}

void GbnfText::fail_at(const std::string& message, size_t at) const {
  throw GbnfError(Status::parse, message + " at " + std::string(text_.substr(std::min(at, text_.size()))), text_, at);
}

void GbnfText::fail(const std::string& message) const { throw GbnfError(Status::parse, message, text_, at_); }

void GbnfText::over_limit(const std::string& message) const { throw GbnfError(Status::limit, message, text_, at_); }

void GbnfText::blanks(bool newline_ok) noexcept {
  for (; !done(); ++at_) {
    const char c = peek();
    if (c == '#') {
      while (!done() && peek() != '\r' && peek() != '\n') ++at_;
      --at_;  // the loop passes the last byte of the comment
    } else if (c != ' ' && c != '\t' && !(newline_ok && (c == '\r' || c == '\n'))) {
      return;
    }
  }
}

std::string_view GbnfText::name() {
  const size_t begin = at_;
  while (at_name()) ++at_;
  if (at_ == begin) fail_at("expecting name");
  return since(begin);
}

uint64_t GbnfText::number(const char* missing, const char* overflow) {
  if (!at_digit()) fail_at(missing);
  uint64_t value = 0;
  bool fits = true;
  for (; at_digit(); ++at_) {
    const auto digit = static_cast<uint64_t>(peek() - '0');
    if (value > (UINT64_MAX - digit) / 10) fits = false;
    value = value * 10 + digit;
  }
  if (!fits) fail(overflow);
  return value;
}

uint32_t GbnfText::hex(size_t digits) {
  const size_t begin = at_;
  uint32_t value = 0;
  for (size_t i = 0; i < digits; ++i, ++at_) {
    const char c = peek();
    uint32_t digit = 0;
    if (c >= '0' && c <= '9') {
      digit = static_cast<uint32_t>(c - '0');
    } else if (c >= 'a' && c <= 'f') {
      digit = static_cast<uint32_t>(c - 'a' + 10);
    } else if (c >= 'A' && c <= 'F') {
      digit = static_cast<uint32_t>(c - 'A' + 10);
    } else {
      fail_at("expecting " + std::to_string(digits) + " hex chars", begin);
    }
    value = value << 4 | digit;
  }
  return value;
}

uint32_t GbnfText::raw() noexcept {
  const auto lead = static_cast<uint8_t>(peek());
  const uint32_t length = lead < 0xC0 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  uint32_t value = lead & ((1u << (8 - length)) - 1);
  ++at_;
  for (uint32_t i = 1; i < length && !done(); ++i, ++at_) value = value << 6 | (static_cast<uint8_t>(peek()) & 0x3Fu);
  return value;
}

uint32_t GbnfText::code_point() {
  if (done()) fail("unexpected end of input");
  if (peek() != '\\') return raw();
  const size_t begin = at_;
  const char c = peek(1);
  at_ += 2;
  switch (c) {
    case 'x':
      return hex(2);
    case 'u':
      return hex(4);
    case 'U':
      return hex(8);
    case 't':
      return '\t';
    case 'r':
      return '\r';
    case 'n':
      return '\n';
    case '\\':
    case '"':
    case '[':
    case ']':
    case '-':
      return static_cast<uint8_t>(c);
    default:
      fail_at("unknown escape", begin);
  }
}

}  // namespace bankml::grammar
