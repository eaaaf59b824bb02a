// op `request`: a llama-server request body; either the values in force afterwards, or the refusal with its text.
//
// `expect.settings` lists the values that differ from the defaults, so every parameter of the library's table is looked at: listed
// ones must have the recorded value, the others their default. The cases were recorded with a vocabulary of 262,144 tokens whose
// end-of-generation tokens are 1, 106 and 212; what `ignore_eos` adds to `logit_bias` is added here before the comparison, because
// the params alone know no vocabulary. Floats are compared as float32; null stands for a value that JSON cannot say (an infinity).
#include <bit>
#include <cmath>

#include "tests/replay/hex.h"
#include "tests/replay/row.h"

namespace bankml::replay {
namespace {

constexpr int32_t recorded_end_tokens[] = {1, 106, 212};
constexpr size_t recorded_vocab_size = 262144;

// The params of one row, and the library that holds them.
struct Params {
  Library& library;
  Library::Handle handle;
  json get(const std::string& name) const { return json::parse(library.get(handle, name)); }
};

// logit_bias as the files write it: {token, bias}, texts expanded, -inf as null, ignore_eos's tokens at the end.
json effective_biases(const Params& params, const json& texts) {
  json list = json::array();
  const auto add = [&list](int32_t token, const json& bias) {
    if (token < 0 || static_cast<size_t>(token) >= recorded_vocab_size) return;  // matches nothing
    list.push_back({{"token", token}, {"bias", bias == json(false) ? json(nullptr) : bias}});
  };
  for (const json& entry : params.get("logit_bias")) {
    if (!entry[0].is_string()) {
      add(entry[0].get<int32_t>(), entry[1]);
      continue;
    }
    const std::string hex = to_hex(entry[0].get<std::string>());
    if (!texts.contains(hex)) throw Mismatch("bias text " + hex + " has no recorded tokens");
    for (const json& token : texts[hex]) add(token.get<int32_t>(), entry[1]);
  }
  if (params.get("ignore_eos") == json(true))
    for (const int32_t token : recorded_end_tokens) add(token, false);
  return list;
}

bool equal_values(const json& got, const json& recorded) {
  if (got.is_array() || got.is_object()) {
    if (got.type() != recorded.type() || got.size() != recorded.size()) return false;
    for (auto a = got.begin(), b = recorded.begin(); a != got.end(); ++a, ++b)
      if (!equal_values(*a, *b)) return false;
    return true;
  }
  if (!got.is_number() || !recorded.is_number()) return got == recorded;
  if (got.is_number_integer() && recorded.is_number_integer()) return got.get<int64_t>() == recorded.get<int64_t>();
  return std::bit_cast<uint32_t>(got.get<float>()) == std::bit_cast<uint32_t>(recorded.get<float>());
}

bool is_infinite(const Params& params, const std::string& name) {
  return !std::isfinite(static_cast<float>(params.library.number(params.handle, name)));
}

void compare_parameter(const Params& params, const Library::Parameter& parameter, const json& settings, const json& texts) {
  const std::string& name = parameter.name;
  const bool listed = settings.contains(name);
  if (listed && settings[name].is_null()) {
    if (!is_infinite(params, name)) throw Mismatch(name + " is finite, recorded is an infinity");
    return;
  }
  const json recorded = listed ? settings[name] : json::parse(parameter.default_json);
  const json got = name == "logit_bias" ? effective_biases(params, texts) : params.get(name);
  if (!listed && got == recorded) return;  // the recorder's "differs" is the comparison of numbers: -0.0 does not differ from 0
  if (!equal_values(got, recorded)) throw Mismatch(name + " " + got.dump() + ", recorded " + recorded.dump());
}

void compare_settings(const Params& params, const json& settings, const json& texts) {
  size_t found = 0;
  for (const Library::Parameter& parameter : params.library.table()) {
    if (settings.contains(parameter.name)) ++found;
    compare_parameter(params, parameter, settings, texts);
  }
  const size_t informative = settings.contains("grammar") ? 1 : 0;
  if (found + informative != settings.size())
    throw Mismatch("settings name a parameter that is not in the table: " + settings.dump());
}

// A refusal may come with the body or, for what the server notices when it builds the samplers, with the sampler.
std::string refusal(const Params& params, const std::string& body) {
  try {
    params.library.load(params.handle, "llama-server", body);
    const OwnedSampler sampler(params.library, params.library.sampler(params.handle, 0, recorded_vocab_size).handle);
    return "";
  } catch (const Refused& refused) {
    return refused.what();
  }
}

}  // namespace

void run_request(const json& row, RowContext& context) {
  require_known(row, "field", {"id", "op", "name", "cat", "request", "texts", "expect"});
  const json& expect = row.at("expect");
  require_known(expect, "expect", {"settings", "error", "status"});
  const auto body = row.at("request").get<std::string>();
  const OwnedParams owned(context.library, context.library.params());
  const Params params{context.library, owned.get()};
  if (expect.contains("error")) {
    const std::string got = refusal(params, body);
    if (got != expect["error"].get<std::string>())
      throw Mismatch("error '" + got + "', recorded '" + expect["error"].get<std::string>() + "'");
    return;
  }
  context.library.load(params.handle, "llama-server", body);
  compare_settings(params, expect.at("settings"), row.value("texts", json::object()));
}

}  // namespace bankml::replay
