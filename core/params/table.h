// The one table of parameters: names, aliases, type, range, default, owning step and a line of documentation for each.
//
// Everything that has to know "which parameters exist" reads it: validation (param_value), the rows of bankml_param_info, the
// command's flags and the reference page. Adding a parameter is a row here and a member of Params. Ranges are those of the native
// setters: every finite value to which the chain gives a result. What a request may say is narrower or wider and stands in
// request_json, since it belongs to the system that the request was written for.
// Tested by tests/params/table.cpp
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/params/params.h"

namespace bankml {

enum class ParamKind : uint8_t { integer = 1, number = 2, boolean = 3, json = 4 };  // the values of BANKML_KIND_...

// Which member a row of kind json stands for; such members have no number.
enum class JsonParam : uint8_t { none, samplers, logit_bias, dry_sequence_breakers, dry_breaker_tokens, disable };

struct ParamRow {
  const char* name;     // canonical; llama-server's request field where it has one
  const char* aliases;  // comma-separated, "" if none
  ParamKind kind;
  const char* default_json;  // default of the profile `llama`
  double min;                // inclusive; 0, 0 for kind json
  double max;
  const char* step;  // the step that reads it, "" if several or none
  const char* doc;

  // Where the value lives: exactly one of these, by kind (integer: `integer` or `seed`).
  int32_t Params::*integer = nullptr;
  uint32_t Params::*seed = nullptr;
  float Params::*number = nullptr;
  bool Params::*boolean = nullptr;
  JsonParam json = JsonParam::none;
};

size_t param_count() noexcept;
const ParamRow& param_row(size_t index) noexcept;  // index < param_count()

constexpr size_t no_param = static_cast<size_t>(-1);
// Index of a canonical name or an alias; no_param if there is none. Names are case-sensitive.
size_t find_param(std::string_view name) noexcept;

}  // namespace bankml
