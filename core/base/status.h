// Status codes of the library, equal to the BANKML_... constants of bankml.h (capi asserts it), and the exception that carries one
// out of a constructor or a parser. Draws never throw: they return a Status and write a short text into an ErrorText.
#pragma once

#include <cstdint>
#include <exception>
#include <string>
#include <utility>

namespace bankml {

enum class Status : int32_t {
  ok = 0,
  arg = 1,
  length = 2,
  token = 3,
  nonfinite = 10,
  no_candidate = 11,
  busy = 20,
  nomem = 21,
  buffer = 22,
  open_text = 23,
  not_kept = 24,
  parse = 30,
  reject = 31,
  schema = 32,
  limit = 33,
  state = 40,
  io = 41,
  internal = 90,
};

// Thrown by constructors, parsers and setters; the C border turns it into its status and text.
class Failure : public std::exception {
 public:
  Failure(Status status, std::string text) : status_(status), text_(std::move(text)) {}
  Status status() const noexcept { return status_; }
  const std::string& text() const noexcept { return text_; }
  const char* what() const noexcept override { return text_.c_str(); }

 private:
  Status status_;
  std::string text_;
};

}  // namespace bankml
