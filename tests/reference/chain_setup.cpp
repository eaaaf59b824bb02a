// A ChainSetup as bankml params, set one by one through the public C ABI.
//
// Tested by tests/reference/llama_peer_test.cpp
#include "tests/reference/chain_setup.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace bankml::reference {
namespace {

using nlohmann::json;

struct NumberField {
  const char* name;
  double (*get)(const ChainSetup&);
};

#define BANKML_FIELD(name)                                                         \
  {                                                                                \
#name, [](const ChainSetup& setup) { return static_cast<double>(setup.name); } \
  }
constexpr NumberField number_fields[] = {
    BANKML_FIELD(seed),
    BANKML_FIELD(temperature),
    BANKML_FIELD(dynatemp_range),
    BANKML_FIELD(dynatemp_exponent),
    BANKML_FIELD(top_k),
    BANKML_FIELD(top_p),
    BANKML_FIELD(min_p),
    BANKML_FIELD(typical_p),
    BANKML_FIELD(top_n_sigma),
    BANKML_FIELD(xtc_probability),
    BANKML_FIELD(xtc_threshold),
    BANKML_FIELD(repeat_last_n),
    BANKML_FIELD(repeat_penalty),
    BANKML_FIELD(frequency_penalty),
    BANKML_FIELD(presence_penalty),
    BANKML_FIELD(dry_multiplier),
    BANKML_FIELD(dry_base),
    BANKML_FIELD(dry_allowed_length),
    BANKML_FIELD(dry_penalty_last_n),
    BANKML_FIELD(mirostat),
    BANKML_FIELD(mirostat_tau),
    BANKML_FIELD(mirostat_eta),
    BANKML_FIELD(adaptive_target),
    BANKML_FIELD(adaptive_decay),
    BANKML_FIELD(min_keep),
};
#undef BANKML_FIELD

void check(bankml_status status, const bankml_params* params) {
  if (status != BANKML_OK) throw std::runtime_error(bankml_params_error(params));
}

void set_json(bankml_params* params, const char* name, const json& value) {
  const std::string text = value.dump();
  check(bankml_params_set_json(params, name, text.data(), text.size()), params);
}

json bias_list(const ChainSetup& setup) {
  json list = json::array();
  for (const auto& [token, bias] : setup.logit_bias) {
    if (std::isinf(bias)) {
      list.push_back(json::array({token, false}));
    } else {
      list.push_back(json::array({token, static_cast<double>(bias)}));
    }
  }
  return list;
}

void answer_texts(bankml_params* params, const bankml_vocab* vocab, const Tokenize& tokenize) {
  size_t count = 0;
  check(bankml_params_text_count(params, vocab, &count), params);
  for (size_t i = 0; i < count; ++i) {
    const uint8_t* bytes = nullptr;
    size_t length = 0;
    const char* purpose = nullptr;
    check(bankml_params_text(params, i, &bytes, &length, &purpose), params);
    if (!tokenize) throw std::runtime_error("a text of the params needs tokens, and there is no tokenizer");
    const std::vector<int32_t> tokens = tokenize(std::string(reinterpret_cast<const char*>(bytes), length));
    check(bankml_params_set_text_tokens(params, i, tokens.data(), tokens.size()), params);
  }
}

}  // namespace

ParamsHandle make_params(const ChainSetup& setup, const bankml_vocab* vocab, const Tokenize& tokenize) {
  char error[512] = "";
  ParamsHandle params(bankml_params_new(nullptr, error, sizeof error), bankml_params_free);
  if (!params) throw std::runtime_error(error);
  for (const NumberField& field : number_fields)
    check(bankml_params_set_number(params.get(), field.name, field.get(setup)), params.get());
  set_json(params.get(), "samplers", setup.samplers);
  set_json(params.get(), "logit_bias", bias_list(setup));
  set_json(params.get(), "dry_sequence_breakers", setup.dry_sequence_breakers);
  set_json(params.get(), "dry_breaker_tokens", setup.dry_breaker_tokens);
  answer_texts(params.get(), vocab, tokenize);
  return params;
}

SamplerHandle make_sampler(const ChainSetup& setup, const bankml_vocab* vocab, size_t n_vocab, const Tokenize& tokenize) {
  const ParamsHandle params = make_params(setup, vocab, tokenize);
  char error[512] = "";
  SamplerHandle sampler(bankml_sampler_new(params.get(), vocab, n_vocab, error, sizeof error), bankml_sampler_free);
  if (!sampler) throw std::runtime_error(error);
  return sampler;
}

std::string describe(const ChainSetup& setup) {
  const ChainSetup defaults;
  json text = json::object();
  for (const NumberField& field : number_fields)
    if (field.get(setup) != field.get(defaults)) text[field.name] = field.get(setup);
  if (setup.samplers != defaults.samplers) text["samplers"] = setup.samplers;
  if (!setup.logit_bias.empty()) text["logit_bias"] = bias_list(setup);
  if (!setup.dry_breaker_tokens.empty()) text["dry_breaker_tokens"] = setup.dry_breaker_tokens;
  if (!setup.dry_sequence_breakers.empty()) text["dry_sequence_breakers"] = setup.dry_sequence_breakers;
  return text.dump(-1, ' ', false, json::error_handler_t::replace);
}

}  // namespace bankml::reference
