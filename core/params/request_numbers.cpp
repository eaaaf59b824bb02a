// The conversions are spelled out, since a C++ cast out of range is undefined and other CPUs answer differently.
// Tested by tests/params/request_json.cpp
#include "core/params/request_numbers.h"

#include <cmath>
#include <limits>
#include <string>

#include "core/base/status.h"
#include "core/math/fp_env.h"

namespace bankml {

namespace request_numbers_detail {

int64_t cut_to_int64(double value) {
  constexpr double limit = 9223372036854775808.0;  // 2^63
  return value >= -limit && value < limit ? static_cast<int64_t>(value) : std::numeric_limits<int64_t>::min();
}

// Two's complement of an integer of either sign.
uint64_t integer_bits(const json::Value& value) {
  if (value.number_kind() == json::NumberKind::unsigned_integer) return value.unsigned_integer();
  return static_cast<uint64_t>(value.signed_integer());
}

}  // namespace request_numbers_detail

void refuse_request_type(const char* wanted, const json::Value& value) {
  throw Failure(Status::arg, std::string("[json.exception.type_error.302] type must be ") + wanted + ", but is " +
                                 json::kind_name(value.kind()));
}

int32_t request_int32(const json::Value& value) {
  if (value.is_boolean()) return value.boolean() ? 1 : 0;
  if (!value.is_number()) refuse_request_type("number", value);
  if (value.number_kind() == json::NumberKind::real) {
    const double whole = std::trunc(value.real());
    const bool fits = whole >= std::numeric_limits<int32_t>::min() && whole <= std::numeric_limits<int32_t>::max();
    return fits ? static_cast<int32_t>(whole) : std::numeric_limits<int32_t>::min();
  }
  return static_cast<int32_t>(static_cast<uint32_t>(request_numbers_detail::integer_bits(value)));
}

uint32_t request_uint32(const json::Value& value) {
  if (value.is_boolean()) return value.boolean() ? 1 : 0;
  if (!value.is_number()) refuse_request_type("number", value);
  if (value.number_kind() == json::NumberKind::real) {
    return static_cast<uint32_t>(static_cast<uint64_t>(request_numbers_detail::cut_to_int64(value.real())));
  }
  return static_cast<uint32_t>(request_numbers_detail::integer_bits(value));
}

float request_float(const json::Value& value) {
  if (value.is_boolean()) return value.boolean() ? 1.0f : 0.0f;
  if (!value.is_number()) refuse_request_type("number", value);
  switch (value.number_kind()) {  // from the integer itself: by way of a double it could be rounded twice
    case json::NumberKind::unsigned_integer:
      return static_cast<float>(value.unsigned_integer());
    case json::NumberKind::signed_integer:
      return static_cast<float>(value.signed_integer());
    case json::NumberKind::real:
      break;
  }
  return static_cast<float>(value.real());
}

bool request_boolean(const json::Value& value) {
  if (!value.is_boolean()) refuse_request_type("boolean", value);
  return value.boolean();
}

}  // namespace bankml
