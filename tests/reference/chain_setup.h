// One sampler configuration, in the plain form that tests and benches hand to both sides: to bankml through its C ABI
// (tests/reference/chain_setup.cpp) and to llama.cpp's library (tests/reference/llama_peer.cpp).
//
// The values go straight to the chain: no request-time clamp is applied to them.
//
// Tested by tests/reference/llama_peer_test.cpp
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bankml.h"

namespace bankml::reference {

struct ChainSetup {
  uint32_t seed = 0;
  float temperature = 0.8f;
  float dynatemp_range = 0.0f;
  float dynatemp_exponent = 1.0f;
  int32_t top_k = 40;
  float top_p = 0.95f;
  float min_p = 0.05f;
  float typical_p = 1.0f;
  float top_n_sigma = -1.0f;
  float xtc_probability = 0.0f;
  float xtc_threshold = 0.1f;
  int32_t repeat_last_n = 64;
  float repeat_penalty = 1.0f;
  float frequency_penalty = 0.0f;
  float presence_penalty = 0.0f;
  float dry_multiplier = 0.0f;
  float dry_base = 1.75f;
  int32_t dry_allowed_length = 2;
  int32_t dry_penalty_last_n = 64;
  int32_t mirostat = 0;
  float mirostat_tau = 5.0f;
  float mirostat_eta = 0.1f;
  float adaptive_target = -1.0f;
  float adaptive_decay = 0.9f;
  int32_t min_keep = 0;
  std::vector<std::pair<int32_t, float>> logit_bias;

  // Request names of the steps, in order; dist (or adaptive_p, where listed) is always last.
  std::vector<std::string> samplers = {"penalties", "dry", "top_n_sigma", "top_k", "typ_p", "top_p", "min_p", "xtc", "temperature"};

  // Breakers as token sequences (head, then tail), or as strings, which need a vocabulary. Not both.
  std::vector<std::vector<int32_t>> dry_breaker_tokens;
  std::vector<std::string> dry_sequence_breakers;

  bool dry_is_on() const noexcept { return dry_multiplier != 0.0f && dry_base >= 1.0f && dry_penalty_last_n > 0; }
};

using ParamsHandle = std::unique_ptr<bankml_params, void (*)(bankml_params*)>;
using SamplerHandle = std::unique_ptr<bankml_sampler, void (*)(bankml_sampler*)>;
using VocabHandle = std::unique_ptr<bankml_vocab, void (*)(bankml_vocab*)>;

// Tokens of a text's bytes; answers the texts that the params leave open.
using Tokenize = std::function<std::vector<int32_t>(const std::string&)>;

// The same configuration as bankml params, through the public setters. Throws std::runtime_error with the library's own text.
ParamsHandle make_params(const ChainSetup& setup, const bankml_vocab* vocab = nullptr, const Tokenize& tokenize = {});

// make_params, then a sampler. n_vocab 0 = the vocabulary's size.
SamplerHandle make_sampler(const ChainSetup& setup, const bankml_vocab* vocab, size_t n_vocab, const Tokenize& tokenize = {});

// One line of JSON that names every value differing from the defaults, for failure reports.
std::string describe(const ChainSetup& setup);

}  // namespace bankml::reference
