// The server's fields, in its order, each with a rule; one function per rule.
//
// Quirks kept: "typ_p" is no alias of typical_p in a request; a request cannot set a NaN or infinite penalty (1e39 clamps to the
// largest float) but can set an infinite temperature, dry_base or bias; "dry_base" below 1 means the value that was in force before
// the request; "n_probs" wins over "logprobs" and then "logprobs" is not even looked at.
// Tested by tests/params/request_json.cpp
#include "core/params/request_json.h"

#include <algorithm>
#include <cfloat>
#include <charconv>
#include <cmath>
#include <limits>
#include <string>

#include "core/base/status.h"
#include "core/formats/json.h"
#include "core/math/fp_env.h"
#include "core/params/request_fields.h"
#include "core/params/request_lists.h"
#include "core/params/request_numbers.h"
#include "core/params/table.h"

namespace bankml {

namespace request_json_detail {

constexpr const char* overflow_code = "[json.exception.out_of_range.406] ";

// printf's "%f" without its locale, as std::to_string prints a float.
std::string six_decimals(double value) {
  char buffer[64];
  const std::to_chars_result end = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::fixed, 6);
  return std::string(buffer, end.ptr);
}

[[noreturn]] void refuse_range(const std::string& min, const std::string& max, const std::string& got) {
  throw Failure(Status::arg, "Value must be between " + min + " <= value <= " + max + ", but got " + got);
}

void check_hard_int(const RequestField& field, int32_t value) {
  if (value >= field.min && value <= field.max) return;
  const auto text = [](double limit) { return std::to_string(static_cast<int32_t>(limit)); };
  refuse_range(text(field.min), text(field.max), std::to_string(value));
}

void read_integer(Params& params, const ParamRow& row, const RequestField& field, const json::Value& value) {
  if (row.seed != nullptr) {
    params.*row.seed = request_uint32(value);
    return;
  }
  int32_t number = request_int32(value);
  if (field.rule == RequestRule::hard) check_hard_int(field, number);
  number = std::max(static_cast<int32_t>(field.min), std::min(static_cast<int32_t>(field.max), number));
  params.*row.integer = number;
}

void read_float(Params& params, const ParamRow& row, const RequestField& field, const json::Value& value) {
  const float min = static_cast<float>(field.min);
  const float max = static_cast<float>(field.max);
  float number = request_float(value);
  if (field.rule == RequestRule::hard) {
    if (number < min || number > max) refuse_range(six_decimals(min), six_decimals(max), six_decimals(number));
  } else {
    // In this order a -0.0 at the lower limit 0 becomes 0.0, as in the server.
    number = number < max ? number : max;
    number = min < number ? number : min;
  }
  params.*row.number = number;
}

// One field that is present and not null. `params` are being changed; `base` are the values before the request.
void read_field(Loaded& result, const Params& base, const RequestField& field, const json::Value& value) {
  const size_t param = find_param(field.param);
  switch (field.rule) {
    case RequestRule::check_boolean:
      request_boolean(value);
      return;
    case RequestRule::check_int:
      check_hard_int(field, request_int32(value));
      return;
    case RequestRule::clamp:
    case RequestRule::hard:
      if (param_row(param).kind == ParamKind::number) {
        read_float(result.params, param_row(param), field, value);
      } else {
        read_integer(result.params, param_row(param), field, value);
      }
      break;
    case RequestRule::dry_base: {
      const float number = request_float(value);
      result.params.dry_base = number < 1 ? base.dry_base : number;
      break;
    }
    case RequestRule::ignore_eos:
      result.params.ignore_eos = request_boolean(value);
      break;
    case RequestRule::breakers:
      read_request_breakers(result, value);
      break;
    case RequestRule::logit_bias:
      read_request_biases(result, value);
      break;
    case RequestRule::samplers:
      if (!read_request_samplers(result, value)) return;
      break;
    case RequestRule::unsupported:
      result.warnings.push_back(std::string("Field '") + field.name + "': ignored, constraints are not supported yet");
      return;
  }
  result.origins.push_back({param, "request"});
}

// The value that the server would use for a field: the first of its names that is present and not null.
const json::Value* find_value(const json::Value& request, const RequestField& field, std::string_view& name) {
  std::string_view names = field.name;
  for (std::string_view rest = field.aliases;;) {
    const json::Value* value = request.find(names);
    if (value != nullptr && !value->is_null()) {
      name = names;
      return value;
    }
    if (rest.empty()) return nullptr;
    const size_t comma = std::min(rest.find(','), rest.size());
    names = rest.substr(0, comma);
    rest.remove_prefix(std::min(comma + 1, rest.size()));
  }
}

void check_names(Loaded& result, const json::Value& request, bool strict) {
  for (const json::Member& member : request.members()) {
    const bool unknown = !is_request_field(member.name);
    if (strict && (unknown || (is_unsupported_field(member.name) && !member.value.is_null()))) {
      throw Failure(Status::arg,
                    "Field '" + member.name + "': " + (unknown ? "unknown field" : "constraints are not supported yet"));
    }
    if (unknown) result.warnings.push_back("Field '" + member.name + "': unknown field, ignored");
  }
}

json::Value parse_request(std::string_view text) {
  json::Value request;
  try {
    request = json::parse(text);
  } catch (const Failure& failure) {
    const bool overflow = failure.text().starts_with("number overflow");
    throw Failure(Status::parse, overflow ? overflow_code + failure.text() : "request is not JSON: " + failure.text());
  }
  if (!request.is_object())
    throw Failure(Status::parse, std::string("request must be a JSON object, not ") + json::kind_name(request.kind()));
  return request;
}

}  // namespace request_json_detail

Loaded load_llama_server_request(const Params& base, std::string_view text, bool strict) {
  using namespace request_json_detail;
  const json::Value request = parse_request(text);
  Loaded result;
  result.params = base;
  check_names(result, request, strict);
  for (const RequestField& field : request_fields()) {
    std::string_view name;
    const json::Value* value = find_value(request, field, name);
    if (value == nullptr) continue;
    try {
      read_field(result, base, field, *value);
    } catch (const Failure& failure) {
      throw Failure(failure.status(), "Field '" + std::string(name) + "': " + failure.text());
    }
  }
  check_server_sampler(result.params);
  return result;
}

void check_server_sampler(const Params& params) {
  const std::string prefix = "Failed to initialize samplers: ";
  const float repeat = params.repeat_penalty;
  if (!std::isfinite(repeat) || repeat <= 0 || !std::isfinite(1 / repeat)) {
    throw Failure(Status::arg, prefix + "penalty_repeat must be finite and greater than 0");
  }
  if (!std::isfinite(params.frequency_penalty)) throw Failure(Status::arg, prefix + "penalty_freq must be finite");
  if (!std::isfinite(params.presence_penalty)) throw Failure(Status::arg, prefix + "penalty_present must be finite");
}

}  // namespace bankml
