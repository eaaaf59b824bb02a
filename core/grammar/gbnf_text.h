// Reading GBNF text: blanks, names, numbers, escapes and code points, and errors that say where.
//
// Quirks of the reference that are kept: the text ends at its first NUL; raw text is decoded by its lead byte alone (a lone 80-BF
// is a code point of its low 7 bits, followers are not checked, so damaged UTF-8 can swallow a closing quote); nothing but blank,
// tab and comment separates, and line ends only where the caller says so. Source: llama.cpp b11192, src/llama-grammar.cpp. Tested
// by tests/grammar/gbnf_parser.cpp
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/status.h"

namespace bankml::grammar {

// A text that is no grammar. `message` is the reference's own, without the position that text() has in front.
class GbnfError : public Failure {
 public:
  GbnfError(Status status, const std::string& message, std::string_view text, size_t at);
  const std::string& message() const noexcept { return message_; }
  size_t line() const noexcept { return line_; }      // from 1
  size_t column() const noexcept { return column_; }  // in bytes, from 1

 private:
  struct Place {
    size_t line, column;
  };
  GbnfError(Status status, const std::string& message, Place place);
  static Place place_of(std::string_view text, size_t at);
  std::string message_;
  size_t line_;
  size_t column_;
};

class GbnfText {
 public:
  explicit GbnfText(std::string_view text) : text_(text.substr(0, text.find('\0'))) {}

  size_t at() const noexcept { return at_; }
  bool done() const noexcept { return at_ >= text_.size(); }
  // The byte `ahead` places on; 0 behind the end.
  char peek(size_t ahead = 0) const noexcept { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }
  void skip(size_t n) noexcept { at_ += n; }
  std::string_view since(size_t begin) const noexcept { return text_.substr(begin, at_ - begin); }

  // Passes blanks and comments, and line ends if they do not matter here.
  void blanks(bool newline_ok) noexcept;
  bool at_name() const noexcept { return is_word(peek()); }
  bool at_digit() const noexcept { return peek() >= '0' && peek() <= '9'; }
  std::string_view name();  // one or more of a-z A-Z 0-9 -
  // A run of digits; `missing` is the message if there is none. A value of 2^64 or more is an error with the text `overflow`.
  uint64_t number(const char* missing, const char* overflow);
  uint32_t code_point();  // raw or escaped

  // "MESSAGE at" is followed by the rest of the text from `at` on; other messages stand alone.
  [[noreturn]] void fail_at(const std::string& message, size_t at) const;
  [[noreturn]] void fail_at(const std::string& message) const { fail_at(message, at_); }
  [[noreturn]] void fail(const std::string& message) const;
  [[noreturn]] void over_limit(const std::string& message) const;

 private:
  static bool is_word(char c) noexcept {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-';
  }
  uint32_t hex(size_t digits);
  uint32_t raw() noexcept;

  std::string_view text_;
  size_t at_ = 0;
};

}  // namespace bankml::grammar
