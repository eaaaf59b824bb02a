// The JSON reader: one pass over the bytes, with a stack of its own instead of recursion, so that depth costs heap and not stack.
//
// Grammar: RFC 8259. Which number is of which kind follows nlohmann-json's lexer (json.h says why). Errors carry the line and the
// column of the byte at which the text stops being JSON.
// Tested by tests/formats/json_test.cpp
#include <charconv>
#include <cmath>
#include <system_error>
#include <utility>

#include "core/base/status.h"
#include "core/base/utf8.h"
#include "core/formats/json.h"
#include "core/math/fp_env.h"

namespace bankml::json {

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  Value document() {
    if (text_.substr(0, 3) == "\xEF\xBB\xBF") at_ = 3;
    bool done = false;
    while (!done) {
      skip_space();
      // Expecting a value here. An opened container puts the reader back at this point, or is closed at once.
      if (peek() == '[' || peek() == '{') {
        open();
        skip_space();
        if (peek() != closer()) {
          if (top().is_object()) member_name();
          continue;
        }
        ++at_;
        done = close();
      } else {
        done = finish(scalar());
      }
      // A value ended inside a container: a comma leads to the next one, closers end containers.
      while (!done) {
        skip_space();
        const bool object = top().is_object();
        if (peek() == closer()) {
          ++at_;
          done = close();
        } else if (peek() == ',') {
          ++at_;
          if (object) {
            skip_space();
            member_name();
          }
          break;
        } else {
          fail(object ? "expected ',' or '}' in an object" : "expected ',' or ']' in an array");
        }
      }
    }
    skip_space();
    if (at_ < text_.size()) fail("unexpected text after the value");
    return std::move(root_);
  }

 private:
  struct Open {
    Value value;
    std::string name;  // of the member being read, when the value is an object
  };

  [[noreturn]] void fail(const std::string& what) const { fail_at(at_, what); }

  [[noreturn]] void fail_at(size_t at, const std::string& what) const {
    size_t line = 1;
    size_t line_start = 0;
    for (size_t i = 0; i < at; ++i) {
      if (text_[i] == '\n') {
        ++line;
        line_start = i + 1;
      }
    }
    std::string message = "line " + std::to_string(line) + ", column " + std::to_string(at - line_start + 1) + ": " + what;
    if (at >= text_.size()) message += " (the text ends here)";
    throw Failure(Status::parse, std::move(message));
  }

  // The next byte; a NUL past the end, which no caller takes for a part of JSON's grammar.
  char peek() const noexcept { return at_ < text_.size() ? text_[at_] : '\0'; }
  bool digit() const noexcept { return peek() >= '0' && peek() <= '9'; }

  void skip_space() noexcept {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n' || text_[at_] == '\r')) ++at_;
  }

  const Value& top() const noexcept { return stack_.back().value; }
  char closer() const noexcept { return top().is_object() ? '}' : ']'; }

  void open() {
    if (stack_.size() == max_depth) fail("nested deeper than " + std::to_string(max_depth) + " levels");
    stack_.emplace_back();
    stack_.back().value.kind_ = peek() == '{' ? Kind::object : Kind::array;
    stack_.back().value.text_begin_ = at_;
    ++at_;
  }

  bool close() {
    Value value = std::move(stack_.back().value);
    stack_.pop_back();
    value.text_end_ = at_;
    return finish(std::move(value));
  }

  // Hands a complete value to the container around it. True when it was the document itself.
  bool finish(Value&& value) {
    if (stack_.empty()) {
      root_ = std::move(value);
      return true;
    }
    Open& around = stack_.back();
    if (around.value.is_object()) {
      around.value.members_.push_back(Member{std::move(around.name), std::move(value)});
      around.name.clear();
    } else {
      around.value.items_.push_back(std::move(value));
    }
    return false;
  }

  void member_name() {
    if (peek() != '"') fail("expected a member name in double quotes");
    stack_.back().name = quoted();
    skip_space();
    if (peek() != ':') fail("expected ':' after a member name");
    ++at_;
  }

  Value scalar() {
    Value value;
    value.text_begin_ = at_;
    const char c = peek();
    if (c == '"') {
      value.kind_ = Kind::string;
      value.text_ = quoted();
    } else if (c == '-' || digit()) {
      number(value);
    } else if (c == 't') {
      word("true");
      value.kind_ = Kind::boolean;
      value.boolean_ = true;
    } else if (c == 'f') {
      word("false");
      value.kind_ = Kind::boolean;
    } else if (c == 'n') {
      word("null");
    } else {
      fail("expected a value");
    }
    value.text_end_ = at_;
    return value;
  }

  void word(std::string_view expected) {
    if (text_.substr(at_, expected.size()) != expected) fail("expected '" + std::string(expected) + "'");
    at_ += expected.size();
  }

  void digits(const char* where) {
    if (!digit()) fail(std::string("expected a digit ") + where);
    while (digit()) ++at_;
  }

  void number(Value& value) {
    const size_t begin = at_;
    const bool negative = peek() == '-';
    bool integer = true;
    if (negative) ++at_;
    if (peek() == '0') {
      ++at_;
    } else {
      digits("after '-'");
    }
    if (peek() == '.') {
      integer = false;
      ++at_;
      digits("after '.'");
    }
    if (peek() == 'e' || peek() == 'E') {
      integer = false;
      ++at_;
      if (peek() == '+' || peek() == '-') ++at_;
      digits("in the exponent");
    }
    value.kind_ = Kind::number;
    value.text_ = text_.substr(begin, at_ - begin);
    const char* first = value.text_.data();
    const char* last = first + value.text_.size();
    if (integer && !negative && std::from_chars(first, last, value.unsigned_).ec == std::errc()) {
      value.number_kind_ = NumberKind::unsigned_integer;
    } else if (integer && negative && std::from_chars(first, last, value.signed_).ec == std::errc()) {
      value.number_kind_ = NumberKind::signed_integer;
    } else {
      value.number_kind_ = NumberKind::real;
      value.real_ = decimal_to_double(value.text_);
      if (!std::isfinite(value.real_)) throw Failure(Status::parse, "number overflow parsing '" + value.text_ + "'");
    }
  }

  std::string quoted() {
    std::string out;
    ++at_;
    for (;;) {
      if (at_ >= text_.size()) fail("unterminated string");
      const unsigned char c = static_cast<unsigned char>(text_[at_]);
      if (c == '"') {
        ++at_;
        return out;
      }
      if (c == '\\') {
        escape(out);
        continue;
      }
      if (c < 0x20) fail("control character in a string");
      const Utf8Char character = utf8_decode(text_, at_);
      if (character.length == 0) fail("invalid UTF-8 in a string");
      out.append(text_, at_, character.length);
      at_ += character.length;
    }
  }

  void escape(std::string& out) {
    const size_t begin = at_;
    ++at_;  // the backslash
    const char c = peek();
    constexpr std::string_view letters = "\"\\/bfnrt";
    constexpr std::string_view meanings = "\"\\/\b\f\n\r\t";
    const size_t letter = letters.find(c);
    if (at_ < text_.size() && letter != std::string_view::npos) {
      out.push_back(meanings[letter]);
      ++at_;
      return;
    }
    if (c != 'u') fail("unknown escape in a string");
    ++at_;
    uint32_t code = four_hex();
    if (code >= 0xDC00 && code <= 0xDFFF) fail_at(begin, "lone surrogate in a string");
    if (code >= 0xD800 && code <= 0xDBFF) {
      if (text_.substr(at_, 2) != "\\u") fail_at(begin, "lone surrogate in a string");
      at_ += 2;
      const uint32_t low = four_hex();
      if (low < 0xDC00 || low > 0xDFFF) fail_at(begin, "lone surrogate in a string");
      code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
    }
    utf8_append(out, code);
  }

  uint32_t four_hex() {
    uint32_t code = 0;
    for (int i = 0; i < 4; ++i, ++at_) {
      const char c = peek();
      uint32_t value = 0;
      if (c >= '0' && c <= '9') {
        value = static_cast<uint32_t>(c - '0');
      } else if (c >= 'a' && c <= 'f') {
        value = static_cast<uint32_t>(c - 'a') + 10;
      } else if (c >= 'A' && c <= 'F') {
        value = static_cast<uint32_t>(c - 'A') + 10;
      } else {
        fail("expected four hexadecimal digits after \\u");
      }
      code = code << 4 | value;
    }
    return code;
  }

  std::string_view text_;
  size_t at_ = 0;
  std::vector<Open> stack_;
  Value root_;
};

Value parse(std::string_view text) { return Reader(text).document(); }

}  // namespace bankml::json
