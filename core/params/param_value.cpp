// Numbers: one range check for all, from the table. Lists are in param_lists.
// Tested by tests/params/param_set.cpp
#include "core/params/param_value.h"

#include <charconv>
#include <cmath>

#include "core/base/status.h"
#include "core/math/fp_env.h"
#include "core/params/param_lists.h"

namespace bankml {

namespace param_value_detail {

[[noreturn]] void refuse(std::string_view given, const std::string& what) {
  throw Failure(Status::arg, std::string(given) + ": " + what);
}

std::string limit_text(const ParamRow& row, double limit) {
  std::string text;
  if (row.kind == ParamKind::number) {
    json::append_real(text, static_cast<float>(limit));
    return text;
  }
  return number_text(limit);
}

[[noreturn]] void refuse_range(const ParamRow& row, std::string_view given, double value) {
  refuse(given, number_text(value) + " is outside " + limit_text(row, row.min) + " ... " + limit_text(row, row.max));
}

}  // namespace param_value_detail

std::string number_text(double value) {
  char buffer[64];
  const std::to_chars_result end = std::to_chars(buffer, buffer + sizeof buffer, value);
  return std::string(buffer, end.ptr);
}

void append_float(std::string& out, float value) {
  if (value == 0 && std::signbit(value)) {
    out += "-0.0";  // "-0" would read back as the integer 0
  } else {
    json::append_real(out, value);
  }
}

void set_param_number(Params& params, const ParamRow& row, std::string_view given, double value) {
  if (row.kind == ParamKind::json) param_value_detail::refuse(given, "takes a JSON value, not the number " + number_text(value));
  if (!std::isfinite(value)) param_value_detail::refuse(given, number_text(value) + " is not a finite number");
  if (row.kind == ParamKind::number) {
    // Compared as float, the type in force: 0.99 is not above the limit 0.99f; 1e39 becomes an infinity, outside every range.
    const double rounded = static_cast<float>(value);
    if (rounded < row.min || rounded > row.max) param_value_detail::refuse_range(row, given, value);
    params.*row.number = static_cast<float>(value);
    return;
  }
  if (value != std::floor(value)) param_value_detail::refuse(given, number_text(value) + " is not an integer");
  if (value < row.min || value > row.max) param_value_detail::refuse_range(row, given, value);
  if (row.kind == ParamKind::boolean) {
    params.*row.boolean = value != 0;
  } else if (row.seed != nullptr) {
    params.*row.seed = value < 0 ? random_seed : static_cast<uint32_t>(value);
  } else {
    params.*row.integer = static_cast<int32_t>(value);
  }
}

void set_param_json(Params& params, const ParamRow& row, std::string_view given, const json::Value& value) {
  if (row.kind == ParamKind::json) {
    set_param_list(params, row.json, given, value);
  } else if (row.kind == ParamKind::boolean && value.is_boolean()) {
    params.*row.boolean = value.boolean();
  } else if (value.is_number()) {
    set_param_number(params, row, given, value.real());
  } else {
    param_value_detail::refuse(given, std::string("takes a ") + (row.kind == ParamKind::boolean ? "boolean" : "number") + ", not " +
                                          json::kind_name(value.kind()));
  }
}

void set_param_string(Params& params, const ParamRow& row, std::string_view given, std::string_view value) {
  if (row.json == JsonParam::samplers) {
    params.samplers = parse_native_order(given, value);
  } else if (row.json == JsonParam::disable) {
    params.disable = split_names(value, ',');
  } else {
    param_value_detail::refuse(given, "takes no string (\"" + std::string(value) + "\"); use a number or JSON");
  }
}

double get_param_number(const Params& params, const ParamRow& row) {
  if (row.number != nullptr) return static_cast<double>(params.*row.number);
  if (row.integer != nullptr) return params.*row.integer;
  if (row.seed != nullptr) return params.*row.seed;
  if (row.boolean != nullptr) return params.*row.boolean ? 1 : 0;
  throw Failure(Status::arg, std::string(row.name) + ": is a JSON value, not a number");
}

void append_param_json(std::string& out, const Params& params, const ParamRow& row) {
  if (row.number != nullptr) {
    append_float(out, params.*row.number);
  } else if (row.integer != nullptr) {
    json::append_integer(out, params.*row.integer);
  } else if (row.seed != nullptr) {
    json::append_unsigned(out, params.*row.seed);
  } else if (row.boolean != nullptr) {
    out += params.*row.boolean ? "true" : "false";
  } else {
    append_param_list(out, params, row.json);
  }
}

}  // namespace bankml
