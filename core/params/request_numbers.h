// JSON numbers as llama-server reads them: the conversions of its JSON library (nlohmann-json) on x86-64.
//
// true is 1; a fraction is cut off; an integer too large for the field wraps modulo 2^32; a real number outside the field's range
// becomes what the CPU's conversion gives, the smallest integer (for uint32, the low half of the smallest int64: 0). A double too
// large for a float is an infinity. Anything else is refused with that library's text.
// Tested by tests/params/request_json.cpp
#pragma once

#include <cstdint>

#include "core/formats/json.h"

namespace bankml {

// Failure(arg): "[json.exception.type_error.302] type must be number, but is string".
int32_t request_int32(const json::Value& value);
uint32_t request_uint32(const json::Value& value);
float request_float(const json::Value& value);
bool request_boolean(const json::Value& value);

[[noreturn]] void refuse_request_type(const char* wanted, const json::Value& value);

}  // namespace bankml
