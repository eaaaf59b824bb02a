// Access to a parsed JSON value. Asking for another kind than the value's is a fault of the library, not of the document: callers
// look at kind() and word their own refusal, which names the field.
// Tested by tests/formats/json_test.cpp
#include "core/base/status.h"
#include "core/formats/json.h"

namespace bankml::json {

const char* kind_name(Kind kind) noexcept {
  switch (kind) {
    case Kind::null:
      return "null";
    case Kind::boolean:
      return "boolean";
    case Kind::number:
      return "number";
    case Kind::string:
      return "string";
    case Kind::array:
      return "array";
    case Kind::object:
      return "object";
  }
  return "unknown";
}

// Here and not in the header: Value holds a vector of Member, which holds a Value.
Value::Value() noexcept = default;
Value::Value(const Value&) = default;
Value::Value(Value&&) noexcept = default;
Value& Value::operator=(const Value&) = default;
Value& Value::operator=(Value&&) noexcept = default;
Value::~Value() = default;

void Value::require(Kind kind) const {
  if (kind_ == kind) return;
  throw Failure(Status::internal, std::string("JSON value is a ") + kind_name(kind_) + " and was read as a " + kind_name(kind));
}

bool Value::boolean() const {
  require(Kind::boolean);
  return boolean_;
}

const std::string& Value::number_text() const {
  require(Kind::number);
  return text_;
}

NumberKind Value::number_kind() const {
  require(Kind::number);
  return number_kind_;
}

uint64_t Value::unsigned_integer() const {
  require(Kind::number);
  if (number_kind_ != NumberKind::unsigned_integer) throw Failure(Status::internal, "JSON number " + text_ + " is not unsigned");
  return unsigned_;
}

int64_t Value::signed_integer() const {
  require(Kind::number);
  if (number_kind_ != NumberKind::signed_integer) throw Failure(Status::internal, "JSON number " + text_ + " is not signed");
  return signed_;
}

double Value::real() const {
  require(Kind::number);
  switch (number_kind_) {
    case NumberKind::unsigned_integer:
      return static_cast<double>(unsigned_);
    case NumberKind::signed_integer:
      return static_cast<double>(signed_);
    case NumberKind::real:
      break;
  }
  return real_;
}

const std::string& Value::string() const {
  require(Kind::string);
  return text_;
}

const std::vector<Value>& Value::items() const {
  require(Kind::array);
  return items_;
}

const std::vector<Member>& Value::members() const {
  require(Kind::object);
  return members_;
}

const Value* Value::find(std::string_view name) const noexcept {
  for (size_t i = members_.size(); i-- > 0;) {
    if (members_[i].name == name) return &members_[i].value;
  }
  return nullptr;
}

}  // namespace bankml::json
