// Reading and writing the list parameters.
// Tested by tests/params/param_lists.cpp
#include "core/params/param_lists.h"

#include <cmath>
#include <limits>

#include "core/base/status.h"
#include "core/math/fp_env.h"
#include "core/params/param_value.h"
#include "core/params/step_names.h"

namespace bankml {

namespace param_lists_detail {

[[noreturn]] void refuse(std::string_view given, const std::string& what) {
  throw Failure(Status::arg, std::string(given) + ": " + what);
}

const std::vector<json::Value>& items_of(std::string_view given, const json::Value& value, const char* of_what) {
  if (!value.is_array()) refuse(given, std::string("takes an array of ") + of_what + ", not " + json::kind_name(value.kind()));
  return value.items();
}

std::vector<std::string> read_strings(std::string_view given, const json::Value& value) {
  std::vector<std::string> result;
  for (const json::Value& item : items_of(given, value, "strings")) {
    if (!item.is_string()) refuse(given, std::string("takes an array of strings; one is ") + json::kind_name(item.kind()));
    result.push_back(item.string());
  }
  return result;
}

std::vector<StepKind> read_order(std::string_view given, const json::Value& value) {
  if (value.is_string()) return parse_native_order(given, value.string());
  std::vector<StepKind> result;
  for (const std::string& name : read_strings(given, value)) {
    const std::optional<StepKind> step = step_from_native_name(name);
    if (!step) refuse(given, "unknown step \"" + name + "\"");
    result.push_back(*step);
  }
  return result;
}

int32_t read_token(std::string_view given, const json::Value& value, const char* where) {
  const bool is_integer = value.is_number() && value.number_kind() != json::NumberKind::real;
  if (!is_integer)
    refuse(given, std::string(where) + " must be an integer token id" + (value.is_number() ? ", got " + value.number_text() : ""));
  const double id = value.real();
  if (id < std::numeric_limits<int32_t>::min() || id > std::numeric_limits<int32_t>::max()) {
    refuse(given, "token id " + value.number_text() + " does not fit 32 bits");
  }
  return static_cast<int32_t>(id);
}

std::vector<std::vector<int32_t>> read_token_lists(std::string_view given, const json::Value& value) {
  std::vector<std::vector<int32_t>> result;
  for (const json::Value& item : items_of(given, value, "token arrays")) {
    std::vector<int32_t> tokens;
    for (const json::Value& token : items_of(given, item, "token arrays"))
      tokens.push_back(read_token(given, token, "a breaker's token"));
    if (tokens.empty()) refuse(given, "a breaker needs at least one token, got []");
    result.push_back(std::move(tokens));
  }
  return result;
}

float read_bias(std::string_view given, const std::string& of, const json::Value& value) {
  if (value.is_boolean() && !value.boolean()) return -std::numeric_limits<float>::infinity();
  if (!value.is_number()) {
    refuse(given, "the bias of " + of + " must be a number or false, not " +
                      (value.is_boolean() ? "true" : json::kind_name(value.kind())));
  }
  const float bias = static_cast<float>(value.real());
  if (std::isinf(bias) && bias > 0) refuse(given, "the bias of " + of + " is too large: " + value.number_text());
  return bias;
}

// Biases in the order given; ids and texts go to their own list.
struct Biases {
  std::vector<BiasEntry> ids;
  std::vector<TextBias> texts;

  void add_text(const std::string& text, float bias) {
    if (!text.empty()) texts.push_back({text, bias, ids.size()});  // an empty text has no tokens
  }
};

Biases read_biases(std::string_view given, const json::Value& value) {
  Biases result;
  if (value.is_object()) {
    for (const json::Member& member : value.members()) {
      const float bias = read_bias(given, "\"" + member.name + "\"", member.value);
      if (const std::optional<int32_t> token = bias_key_token(member.name)) {
        result.ids.push_back({*token, bias});
      } else {
        result.add_text(member.name, bias);
      }
    }
    return result;
  }
  for (const json::Value& entry : items_of(given, value, "[token or text, bias] pairs, or an object")) {
    if (!entry.is_array() || entry.items().size() != 2) refuse(given, "an entry must be a pair [token or text, bias]");
    const json::Value& key = entry.items()[0];
    if (key.is_string()) {
      result.add_text(key.string(), read_bias(given, "\"" + key.string() + "\"", entry.items()[1]));
    } else {
      const int32_t token = read_token(given, key, "the first of a pair");
      result.ids.push_back({token, read_bias(given, "token " + std::to_string(token), entry.items()[1])});
    }
  }
  return result;
}

void append_bias(std::string& out, float bias) {
  if (!std::isinf(bias)) {
    append_float(out, bias);
  } else {
    out += bias < 0 ? "false" : "1e39";  // a request can make +inf of a number; this text reads back as the same
  }
}

void append_biases(std::string& out, const Params& params) {
  out += '[';
  const char* separator = "";
  size_t text = 0;
  for (size_t i = 0; i <= params.logit_bias.size(); ++i) {
    for (; text < params.text_bias.size() && params.text_bias[text].position <= i; ++text) {
      out += separator;
      out += '[';
      json::append_string(out, params.text_bias[text].text);
      out += ',';
      append_bias(out, params.text_bias[text].bias);
      out += ']';
      separator = ",";
    }
    if (i == params.logit_bias.size()) break;
    out += separator;
    out += '[';
    json::append_integer(out, params.logit_bias[i].token);
    out += ',';
    append_bias(out, params.logit_bias[i].bias);
    out += ']';
    separator = ",";
  }
  out += ']';
}

template <typename List, typename Append>
void append_list(std::string& out, const List& list, Append append) {
  out += '[';
  const char* separator = "";
  for (const auto& item : list) {
    out += separator;
    append(item);
    separator = ",";
  }
  out += ']';
}

}  // namespace param_lists_detail

void set_param_list(Params& params, JsonParam which, std::string_view given, const json::Value& value) {
  using namespace param_lists_detail;
  switch (which) {
    case JsonParam::samplers:
      params.samplers = read_order(given, value);
      return;
    case JsonParam::logit_bias: {
      Biases biases = read_biases(given, value);
      params.logit_bias = std::move(biases.ids);
      params.text_bias = std::move(biases.texts);
      return;
    }
    case JsonParam::dry_sequence_breakers:
      params.dry_sequence_breakers = read_strings(given, value);
      return;
    case JsonParam::dry_breaker_tokens:
      params.dry_breaker_tokens = read_token_lists(given, value);
      return;
    case JsonParam::disable:
      params.disable = read_strings(given, value);
      return;
    case JsonParam::none:
      return;
  }
}

void append_param_list(std::string& out, const Params& params, JsonParam which) {
  using namespace param_lists_detail;
  const auto append_text = [&out](const std::string& text) { json::append_string(out, text); };
  switch (which) {
    case JsonParam::samplers:
      append_list(out, params.samplers, [&out](StepKind kind) { json::append_string(out, step_request_name(kind)); });
      return;
    case JsonParam::logit_bias:
      append_biases(out, params);
      return;
    case JsonParam::dry_sequence_breakers:
      append_list(out, params.dry_sequence_breakers, append_text);
      return;
    case JsonParam::dry_breaker_tokens:
      append_list(out, params.dry_breaker_tokens, [&out](const std::vector<int32_t>& tokens) {
        append_list(out, tokens, [&out](int32_t token) { json::append_integer(out, token); });
      });
      return;
    case JsonParam::disable:
      append_list(out, params.disable, append_text);
      return;
    case JsonParam::none:
      return;
  }
}

std::vector<StepKind> parse_native_order(std::string_view given, std::string_view text) {
  std::vector<StepKind> result;
  if (text.find_first_not_of(step_letters) == std::string_view::npos) {
    for (char letter : text) result.push_back(*step_from_letter(letter));
    return result;
  }
  for (const std::string& name : split_names(text, ';')) {
    const std::optional<StepKind> step = step_from_native_name(name);
    if (!step) param_lists_detail::refuse(given, "unknown step \"" + name + "\"");
    result.push_back(*step);
  }
  return result;
}

std::vector<std::string> split_names(std::string_view text, char separator) {
  std::vector<std::string> result;
  while (!text.empty()) {
    const size_t end = text.find(separator);
    if (end != 0) result.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return result;
}

std::optional<int32_t> bias_key_token(const std::string& key) {
  const std::string_view text = std::string_view(key).substr(0, key.find('\0'));  // a C string ends at a NUL
  if (text.empty()) return 0;
  size_t at = 0;
  while (at < text.size() && (text[at] == ' ' || (text[at] >= '\t' && text[at] <= '\r'))) ++at;
  const bool negative = at < text.size() && text[at] == '-';
  if (at < text.size() && (text[at] == '-' || text[at] == '+')) ++at;
  if (at == text.size()) return std::nullopt;
  uint64_t value = 0;
  constexpr uint64_t limit = uint64_t{1} << 63;
  for (; at < text.size(); ++at) {
    if (text[at] < '0' || text[at] > '9') return std::nullopt;
    const auto digit = static_cast<uint64_t>(text[at] - '0');
    value = value > (limit - digit) / 10 ? limit : value * 10 + digit;
  }
  // strtol stops at the ends of a 64-bit long; the id is its low half.
  if (!negative && value >= limit) value = limit - 1;
  return static_cast<int32_t>(static_cast<uint32_t>(negative ? uint64_t{0} - value : value));
}

}  // namespace bankml
