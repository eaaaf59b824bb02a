// op `request`: a llama-server request body; either the values in force afterwards, or the refusal with its text.
//
// `expect.settings` lists the values that differ from the defaults, so every parameter of the library's table is looked at: listed
// ones must have the recorded value, the others their default. The cases were recorded with a vocabulary of 262,144 tokens whose
// end-of-generation tokens are 1, 106 and 212; what `ignore_eos` adds to `logit_bias` is added here before the comparison, because
// the params alone know no vocabulary. Floats are compared as float32; null stands for a value that JSON cannot say (an infinity).
#include <bit>
#include <cmath>

#include "tests/replay/params_json.h"
#include "tests/replay/row.h"

namespace bankml::replay {
namespace {

constexpr int32_t recorded_end_tokens[] = {1, 106, 212};
constexpr size_t recorded_vocab_size = 262144;

json get(const bankml_params* params, const std::string& name) {
  std::string text(1 << 16, '\0');
  size_t needed = 0;
  const bankml_status status = bankml_params_get_json(params, name.c_str(), text.data(), text.size(), &needed);
  if (status != BANKML_OK) throw Mismatch("get " + name + ": " + bankml_status_string(status));
  return json::parse(text.c_str());
}

std::string hex_of(const std::string& text) {
  static constexpr char digits[] = "0123456789abcdef";
  std::string hex;
  for (const char c : text) {
    hex += digits[static_cast<uint8_t>(c) >> 4];
    hex += digits[static_cast<uint8_t>(c) & 15];
  }
  return hex;
}

// logit_bias as the files write it: {token, bias}, texts expanded, -inf as null, ignore_eos's tokens at the end.
json effective_biases(const bankml_params* params, const json& texts) {
  json list = json::array();
  const auto add = [&list](int32_t token, const json& bias) {
    if (token < 0 || static_cast<size_t>(token) >= recorded_vocab_size) return;  // matches nothing
    list.push_back({{"token", token}, {"bias", bias == json(false) ? json(nullptr) : bias}});
  };
  for (const json& entry : get(params, "logit_bias")) {
    if (!entry[0].is_string()) {
      add(entry[0].get<int32_t>(), entry[1]);
      continue;
    }
    const std::string hex = hex_of(entry[0].get<std::string>());
    if (!texts.contains(hex)) throw Mismatch("bias text " + hex + " has no recorded tokens");
    for (const json& token : texts[hex]) add(token.get<int32_t>(), entry[1]);
  }
  if (get(params, "ignore_eos") == json(true))
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

bool is_infinite(const bankml_params* params, const std::string& name) {
  double value = 0;
  return bankml_params_get_number(params, name.c_str(), &value) == BANKML_OK && !std::isfinite(static_cast<float>(value));
}

void compare_parameter(const bankml_params* params, const bankml_param_spec& spec, const json& settings, const json& texts) {
  const std::string name = spec.name;
  const bool listed = settings.contains(name);
  if (listed && settings[name].is_null()) {
    if (!is_infinite(params, name)) throw Mismatch(name + " is finite, recorded is an infinity");
    return;
  }
  const json recorded = listed ? settings[name] : json::parse(spec.default_json);
  const json got = name == "logit_bias" ? effective_biases(params, texts) : get(params, name);
  if (!listed && got == recorded) return;  // the recorder's "differs" is the comparison of numbers: -0.0 does not differ from 0
  if (!equal_values(got, recorded)) throw Mismatch(name + " " + got.dump() + ", recorded " + recorded.dump());
}

void compare_settings(const bankml_params* params, const json& settings, const json& texts) {
  size_t found = 0;
  for (size_t i = 0; i < bankml_param_count(); ++i) {
    bankml_param_spec spec{};
    spec.struct_size = sizeof spec;
    if (bankml_param_info(i, &spec) != BANKML_OK) throw Mismatch("param_info " + std::to_string(i));
    if (settings.contains(spec.name)) ++found;
    compare_parameter(params, spec, settings, texts);
  }
  const size_t informative = settings.contains("grammar") ? 1 : 0;
  if (found + informative != settings.size())
    throw Mismatch("settings name a parameter that is not in the table: " + settings.dump());
}

// A refusal may come with the body or, for what the server notices when it builds the samplers, with the sampler.
std::string refusal(bankml_params* params, const std::string& body) {
  if (bankml_params_load_json(params, "llama-server", body.data(), body.size()) != BANKML_OK) return bankml_params_error(params);
  char error[1024] = "";
  const SamplerHandle sampler(bankml_sampler_new(params, nullptr, recorded_vocab_size, error, sizeof error), bankml_sampler_free);
  return sampler ? "" : error;
}

}  // namespace

void run_request(const json& row, RowContext&) {
  require_known(row, "field", {"id", "op", "name", "cat", "request", "texts", "expect"});
  const json& expect = row.at("expect");
  require_known(expect, "expect", {"settings", "error", "status"});
  const auto body = row.at("request").get<std::string>();
  const ParamsHandle params = new_params();
  if (expect.contains("error")) {
    const std::string got = refusal(params.get(), body);
    if (got != expect["error"].get<std::string>())
      throw Mismatch("error '" + got + "', recorded '" + expect["error"].get<std::string>() + "'");
    return;
  }
  if (bankml_params_load_json(params.get(), "llama-server", body.data(), body.size()) != BANKML_OK)
    throw Mismatch(std::string("refused: ") + bankml_params_error(params.get()));
  compare_settings(params.get(), expect.at("settings"), row.value("texts", json::object()));
}

}  // namespace bankml::replay
