// llama-server's request fields in the order in which it evaluates them, with the rule of each.
// Source: llama.cpp b11192, tools/server. Tested by tests/params/request_json.cpp
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace bankml {

enum class RequestRule : uint8_t {
  check_boolean,  // not a sampling parameter: only its type is checked
  check_int,      // not a sampling parameter: type and range
  clamp,          // moved into the range
  hard,           // refused outside the range
  dry_base,
  ignore_eos,
  breakers,
  logit_bias,
  samplers,
  unsupported  // grammar and schema
};

struct RequestField {
  const char* name;
  const char* aliases;  // comma-separated; tried in order where `name` is absent
  RequestRule rule;
  const char* param;  // name in the table, "" for the server's own fields
  double min;
  double max;
};

std::span<const RequestField> request_fields() noexcept;

// A field that the server knows, sampling or not.
bool is_request_field(std::string_view name) noexcept;
bool is_unsupported_field(std::string_view name) noexcept;

}  // namespace bankml
