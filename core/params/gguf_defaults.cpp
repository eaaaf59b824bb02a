// One row per key, read in the reference's order.
// Tested by tests/params/gguf_defaults.cpp
#include "core/params/gguf_defaults.h"

#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/status.h"
#include "core/formats/json.h"
#include "core/math/fp_env.h"
#include "core/params/param_lists.h"
#include "core/params/param_value.h"
#include "core/params/step_names.h"
#include "core/params/table.h"

namespace bankml {

namespace gguf_defaults_detail {

struct Key {
  const char* name;  // after "general.sampling."
  const char* param;
};

constexpr std::array<Key, 12> keys = {{{"sequence", "samplers"},
                                       {"top_k", "top_k"},
                                       {"top_p", "top_p"},
                                       {"min_p", "min_p"},
                                       {"xtc_probability", "xtc_probability"},
                                       {"xtc_threshold", "xtc_threshold"},
                                       {"temp", "temperature"},
                                       {"penalty_last_n", "repeat_last_n"},
                                       {"penalty_repeat", "repeat_penalty"},
                                       {"mirostat", "mirostat"},
                                       {"mirostat_tau", "mirostat_tau"},
                                       {"mirostat_eta", "mirostat_eta"}}};

// A finite number as its text with six decimals reads back.
double through_text(double value) {
  if (!std::isfinite(value)) return value;
  char buffer[400];  // the largest double has 309 digits before the point
  const std::to_chars_result end = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::fixed, 6);
  return json::decimal_to_double(std::string_view(buffer, static_cast<size_t>(end.ptr - buffer)));
}

std::optional<double> number_of(const gguf::Value& value) {
  if (value.is_array()) return std::nullopt;
  switch (value.type()) {
    case gguf::Type::u8:
    case gguf::Type::u16:
    case gguf::Type::u32:
    case gguf::Type::u64:
      return static_cast<double>(value.unsigned_integer());
    case gguf::Type::i8:
    case gguf::Type::i16:
    case gguf::Type::i32:
    case gguf::Type::i64:
      return static_cast<double>(value.signed_integer());
    case gguf::Type::f32:
      return through_text(static_cast<double>(value.f32()));
    case gguf::Type::f64:
      return through_text(value.f64());
    case gguf::Type::boolean:
    case gguf::Type::string:
      break;
  }
  return std::nullopt;
}

void read_order(Loaded& result, const gguf::Value& value) {
  if (!value.is(gguf::Type::string)) throw Failure(Status::arg, "its type is not a string");
  const std::vector<std::string> names = split_names(value.string(), ';');
  if (names.empty()) throw Failure(Status::arg, "it is empty");
  std::vector<StepKind> order;
  for (const std::string& name : names) {
    if (const std::optional<StepKind> step = step_from_request_name(name)) {
      order.push_back(*step);
    } else {
      result.warnings.push_back(value.key() + ": unknown step \"" + name + "\" was dropped");
    }
  }
  result.params.samplers = std::move(order);
}

void read_number(Loaded& result, const gguf::Value& value, const ParamRow& row) {
  const std::optional<double> number = number_of(value);
  if (!number)
    throw Failure(Status::arg, std::string("its type ") + (value.is_array() ? "is an array" : gguf::type_name(value.type())) +
                                   " is not a number");
  set_param_number(result.params, row, row.name, *number);
}

}  // namespace gguf_defaults_detail

Loaded load_gguf_defaults(const Params& base, const gguf::File& file) {
  using namespace gguf_defaults_detail;
  Loaded result;
  result.params = base;
  for (const Key& key : keys) {
    const std::string name = std::string("general.sampling.") + key.name;
    const gguf::Value* value = file.find(name);
    if (value == nullptr) continue;
    const size_t param = find_param(key.param);
    try {
      if (param_row(param).kind == ParamKind::json) {
        read_order(result, *value);
      } else {
        read_number(result, *value, param_row(param));
      }
      result.origins.push_back({param, "gguf:" + name});
    } catch (const Failure& failure) {
      result.warnings.push_back(name + " was ignored: " + failure.text());
    }
  }
  return result;
}

}  // namespace bankml
