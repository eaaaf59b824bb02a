// Tested by tests/reference/llama_peer_test.cpp
#include "tests/reference/recorded_setup.h"

#include <bit>
#include <limits>
#include <stdexcept>

#include "tests/reference/fnv.h"
#include "tests/reference/logits.h"

namespace bankml::reference {
namespace {

using nlohmann::json;

std::vector<std::pair<int32_t, float>> biases_from_json(const json& list) {
  std::vector<std::pair<int32_t, float>> biases;
  for (const json& entry : list) {
    const bool banned = entry[1].is_null() || entry[1] == json(false);
    biases.emplace_back(entry[0].get<int32_t>(),
                        banned ? -std::numeric_limits<float>::infinity() : static_cast<float>(entry[1].get<double>()));
  }
  return biases;
}

// true if the name was known.
bool set_number(ChainSetup& setup, const std::string& name, const json& value) {
#define BANKML_SET(field)                                                                 \
  if (name == #field) {                                                                   \
    setup.field = static_cast<decltype(setup.field)>(value.get<decltype(setup.field)>()); \
    return true;                                                                          \
  }
  BANKML_SET(seed)
  BANKML_SET(temperature)
  BANKML_SET(dynatemp_range)
  BANKML_SET(dynatemp_exponent)
  BANKML_SET(top_k)
  BANKML_SET(top_p)
  BANKML_SET(min_p)
  BANKML_SET(typical_p)
  BANKML_SET(top_n_sigma)
  BANKML_SET(xtc_probability)
  BANKML_SET(xtc_threshold)
  BANKML_SET(repeat_last_n)
  BANKML_SET(repeat_penalty)
  BANKML_SET(frequency_penalty)
  BANKML_SET(presence_penalty)
  BANKML_SET(dry_multiplier)
  BANKML_SET(dry_base)
  BANKML_SET(dry_allowed_length)
  BANKML_SET(dry_penalty_last_n)
  BANKML_SET(mirostat)
  BANKML_SET(mirostat_tau)
  BANKML_SET(mirostat_eta)
  BANKML_SET(adaptive_target)
  BANKML_SET(adaptive_decay)
  BANKML_SET(min_keep)
#undef BANKML_SET
  return false;
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

// Every proper suffix of a breaker may be a tail (it is one where a piece ends with the part before it).
json tail_texts(const LlamaModel& model, const ChainSetup& setup) {
  json texts = json::object();
  for (const std::string& breaker : setup.dry_sequence_breakers) {
    const std::string cut = breaker.substr(0, 40);
    for (size_t i = 1; i < cut.size(); ++i) {
      std::vector<int32_t> tokens = model.tokenize(cut.substr(i), false, false);
      texts[hex_of(cut.substr(i))] = tokens;
    }
  }
  return texts;
}

}  // namespace

ChainSetup setup_from_json(const json& params, bool has_vocab) {
  ChainSetup setup;
  if (has_vocab) setup.dry_sequence_breakers = {"\n", ":", "\"", "*"};
  if (params.contains("dry_breaker_tokens")) setup.dry_sequence_breakers.clear();
  for (const auto& [name, value] : params.items()) {
    if (set_number(setup, name, value)) continue;
    if (name == "samplers") {
      setup.samplers = value.get<std::vector<std::string>>();
    } else if (name == "logit_bias") {
      setup.logit_bias = biases_from_json(value);
    } else if (name == "dry_breaker_tokens") {
      setup.dry_breaker_tokens = value.get<std::vector<std::vector<int32_t>>>();
    } else if (name == "dry_sequence_breakers") {
      setup.dry_sequence_breakers = value.get<std::vector<std::string>>();
    } else {
      throw std::runtime_error("unknown parameter '" + name + "'");
    }
  }
  return setup;
}

json record_chain(const LlamaLibraryPtr& library, const LlamaModel* model, const json& row, json& texts) {
  const ChainSetup setup = setup_from_json(row.at("params"), model != nullptr);
  const size_t n_vocab = row.contains("n_vocab") ? row["n_vocab"].get<size_t>() : static_cast<size_t>(model->n_vocab());
  LlamaChain chain(library, setup, static_cast<int32_t>(n_vocab), model);
  chain.accept(row.value("prompt", std::vector<int32_t>()));
  if (model != nullptr && setup.dry_is_on()) texts = tail_texts(*model, setup);

  json expect = {{"tokens", json::array()}, {"n_candidates", json::array()}, {"candidates_fnv", json::array()}};
  std::vector<float> logits(n_vocab);
  for (uint64_t step = 0; step < row.at("steps").get<uint64_t>(); ++step) {
    if (!fill_logits(row.at("kind"), row.at("logits_seed").get<uint64_t>() + step * row.value("seed_step", uint64_t{1}), n_vocab,
                     logits.data()))
      throw std::runtime_error("unknown kind");
    const int32_t token = chain.sample(logits.data(), n_vocab);
    const PeerArray& set = chain.candidates();
    Fnv64 hash;
    json first = json::array();
    for (size_t i = 0; i < set.size; ++i) {
      hash.add(set.data[i].id);
      hash.add(set.data[i].logit);
      hash.add(set.data[i].p);
      if (i < 4)
        first.push_back({set.data[i].id, std::bit_cast<uint32_t>(set.data[i].logit), std::bit_cast<uint32_t>(set.data[i].p)});
    }
    expect["tokens"].push_back(token);
    expect["n_candidates"].push_back(set.size);
    expect["candidates_fnv"].push_back(hash.hex());
    if (step == 0) expect["first_candidates"] = first;
    chain.accept(token);
  }
  return expect;
}

}  // namespace bankml::reference
