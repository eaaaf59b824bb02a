// A bias id may be any integer and wraps modulo 2^32 as the server's conversion does; the keys of a bias object follow C's strtol.
// Of two equal keys the last value counts, at the first one's place: the server's JSON library keeps objects so.
// Tested by tests/params/request_json.cpp
#include "core/params/request_lists.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "core/base/status.h"
#include "core/math/fp_env.h"
#include "core/params/param_lists.h"
#include "core/params/request_numbers.h"
#include "core/params/step_names.h"

namespace bankml {

namespace request_lists_detail {

std::optional<float> read_bias(const json::Value& value) {
  if (value.is_number()) return request_float(value);
  if (value.is_boolean() && !value.boolean()) return -std::numeric_limits<float>::infinity();
  return std::nullopt;
}

void skip(Loaded& result, const std::string& what) { result.warnings.push_back("Field 'logit_bias': " + what + " was skipped"); }

void add_token(Loaded& result, int32_t token, float bias) {
  if (token < 0) {
    skip(result, "token " + std::to_string(token));
  } else {
    result.params.logit_bias.push_back({token, bias});
  }
}

void add_text(Loaded& result, const std::string& text, float bias) {
  if (!text.empty()) result.params.text_bias.push_back({text, bias, result.params.logit_bias.size()});  // "" has no tokens
}

void read_pair(Loaded& result, const json::Value& entry) {
  const std::string malformed = "an entry that is no [token or text, bias] pair";
  if (!entry.is_array() || entry.items().size() != 2) return skip(result, malformed);
  const json::Value& key = entry.items()[0];
  const std::optional<float> bias = read_bias(entry.items()[1]);
  if (!bias) return skip(result, malformed);
  if (key.is_string()) {
    add_text(result, key.string(), *bias);
  } else if (key.is_number() && key.number_kind() != json::NumberKind::real) {
    add_token(result, request_int32(key), *bias);
  } else {
    skip(result, malformed);
  }
}

}  // namespace request_lists_detail

void read_request_breakers(Loaded& result, const json::Value& value) {
  const auto is_string = [](const json::Value& item) { return item.is_string(); };
  if (!value.is_array() || value.items().empty() || !std::all_of(value.items().begin(), value.items().end(), is_string)) {
    throw Failure(Status::arg, "Error: dry_sequence_breakers must be a non-empty array of strings");
  }
  result.params.dry_sequence_breakers.clear();
  for (const json::Value& item : value.items()) result.params.dry_sequence_breakers.push_back(item.string());
}

void read_request_biases(Loaded& result, const json::Value& value) {
  using namespace request_lists_detail;
  result.params.logit_bias.clear();
  result.params.text_bias.clear();
  if (value.is_array()) {
    for (const json::Value& entry : value.items()) read_pair(result, entry);
    return;
  }
  if (!value.is_object()) return skip(result, std::string("a value of type ") + json::kind_name(value.kind()));
  std::unordered_map<std::string_view, const json::Value*> last;
  for (const json::Member& member : value.members()) last[member.name] = &member.value;
  for (const json::Member& member : value.members()) {
    const auto entry = last.find(member.name);
    if (entry == last.end()) continue;  // came under this name before
    const std::optional<float> bias = read_bias(*entry->second);
    last.erase(entry);
    if (!bias) {
      skip(result, "the entry \"" + member.name + "\"");
    } else if (const std::optional<int32_t> token = bias_key_token(member.name)) {
      add_token(result, *token, *bias);
    } else {
      add_text(result, member.name, *bias);
    }
  }
}

bool read_request_samplers(Loaded& result, const json::Value& value) {
  std::vector<StepKind> order;
  const auto add = [&](const std::optional<StepKind>& step, const std::string& name) {
    if (step) {
      order.push_back(*step);
    } else {
      result.warnings.push_back("Field 'samplers': unknown step \"" + name + "\" was dropped");
    }
  };
  if (value.is_array()) {
    for (const json::Value& item : value.items()) {
      if (!item.is_string()) refuse_request_type("string", item);
      add(step_from_request_name(item.string()), item.string());
    }
  } else if (value.is_string()) {
    for (char letter : value.string()) add(step_from_letter(letter), std::string(1, letter));
  } else {
    result.warnings.push_back(std::string("Field 'samplers': a value of type ") + json::kind_name(value.kind()) + " was ignored");
    return false;
  }
  result.params.samplers = std::move(order);
  return true;
}

}  // namespace bankml
