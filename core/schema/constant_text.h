// A constant of a schema (const, enum, a property's name) as JSON without blanks, the one spelling that dialect `llama` allows.
//
// As nlohmann-json 3.11 dumps it: members in document order, integers as digits, other numbers by Grisu2 (formats/grisu2.h),
// control characters escaped, all else as it is. Source: llama.cpp b11192. Tested by tests/schema/constant_text.cpp
#pragma once

#include <string>
#include <string_view>

#include "core/formats/json.h"

namespace bankml::schema {

std::string constant_text(const json::Value& value);
std::string constant_text(std::string_view string);

}  // namespace bankml::schema
