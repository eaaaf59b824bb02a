// JSON as syntax: a strict RFC 8259 reader that keeps what a request's meaning may depend on, and a few writers.
//
// Kept on purpose: the order of object members, duplicate members, and the text of every number. Numbers are classified as the JSON
// library of llama-server does (nlohmann-json 3.11), because its conversions decide what a request field becomes: an integer that
// fits uint64 is unsigned, a negative one that fits int64 is signed, everything else is a double. A double that overflows is an
// error, one that underflows is zero or subnormal, as strtod rounds it. No locale is read.
//
// Refused: invalid UTF-8, lone surrogates, control characters inside strings, comments, trailing commas, anything after the value,
// a NUL byte outside a string (nlohmann takes it for the end of the text), and more than `max_depth` open arrays and objects.
// Accepted beyond RFC 8259's grammar: a byte order mark in front, which the RFC allows a reader to ignore and nlohmann ignores.
// Tested by tests/formats/json_test.cpp
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace bankml::json {

enum class Kind : uint8_t { null, boolean, number, string, array, object };
enum class NumberKind : uint8_t { unsigned_integer, signed_integer, real };

constexpr size_t max_depth = 1000;  // keeps the destruction of a hostile document far from the end of a small thread's stack

const char* kind_name(Kind kind) noexcept;  // "null", "boolean", "number", "string", "array", "object": nlohmann's type names

struct Member;

// One value with all below it. Accessors of another kind than the value's throw Failure(Status::internal): callers look at kind()
// first. A value is immutable once parsed; copies are deep.
class Value {
 public:
  Value() noexcept;  // null
  Value(const Value&);
  Value(Value&&) noexcept;
  Value& operator=(const Value&);
  Value& operator=(Value&&) noexcept;
  ~Value();

  Kind kind() const noexcept { return kind_; }
  bool is_null() const noexcept { return kind_ == Kind::null; }
  bool is_boolean() const noexcept { return kind_ == Kind::boolean; }
  bool is_number() const noexcept { return kind_ == Kind::number; }
  bool is_string() const noexcept { return kind_ == Kind::string; }
  bool is_array() const noexcept { return kind_ == Kind::array; }
  bool is_object() const noexcept { return kind_ == Kind::object; }

  bool boolean() const;

  const std::string& number_text() const;  // as it stood in the document
  NumberKind number_kind() const;
  uint64_t unsigned_integer() const;  // number_kind() unsigned_integer only
  int64_t signed_integer() const;     // number_kind() signed_integer only (never positive; "-0" is here, as 0)
  double real() const;                // any number; integers are rounded to the nearest double

  const std::string& string() const;  // UTF-8, escapes decoded; may contain NUL

  const std::vector<Value>& items() const;     // of an array
  const std::vector<Member>& members() const;  // of an object, in document order, duplicates included
  // The last member of that name, nullptr if there is none or this is no object.
  const Value* find(std::string_view name) const noexcept;

  // Bytes [begin, end) of the document that this value was read from.
  size_t text_begin() const noexcept { return text_begin_; }
  size_t text_end() const noexcept { return text_end_; }

 private:
  friend class Reader;
  void require(Kind kind) const;

  Kind kind_ = Kind::null;
  NumberKind number_kind_ = NumberKind::unsigned_integer;
  bool boolean_ = false;
  union {
    uint64_t unsigned_ = 0;
    int64_t signed_;
    double real_;
  };
  size_t text_begin_ = 0;
  size_t text_end_ = 0;
  std::string text_;  // of a string or a number
  std::vector<Value> items_;
  std::vector<Member> members_;
};

struct Member {
  std::string name;
  Value value;
};

// The one value of a document. Throws Failure(Status::parse): "line L, column C: what is wrong" (both from 1, columns in bytes), or
// "number overflow parsing '1e400'", which is nlohmann's text.
Value parse(std::string_view text);

// The exact value of a JSON number's text, round to nearest even; ±inf when it overflows. `text` must match JSON's number grammar.
double decimal_to_double(std::string_view text) noexcept;

// Writers. A string gets quotes and the shortest escapes; bytes that are no UTF-8 become U+FFFD. A number is the shortest text that
// reads back as the same float or double; NaN and infinities, which JSON lacks, become null.
void append_string(std::string& out, std::string_view utf8);
void append_real(std::string& out, double value);
void append_real(std::string& out, float value);
void append_integer(std::string& out, int64_t value);
void append_unsigned(std::string& out, uint64_t value);

}  // namespace bankml::json
