// The parameters of a sampler: one plain struct, values in force, with the defaults of the profile `llama`.
//
// Names and ranges are in params/table; where a value came from is kept beside the values by params/param_set. Names follow
// llama-server's request fields.
// Tested by tests/params/table.cpp
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace bankml {

constexpr uint32_t random_seed = 0xFFFFFFFFu;  // "choose one", and report it

enum class StepKind : uint8_t { dry, top_k, top_p, top_n_sigma, min_p, typical, temperature, xtc, infill, penalties, adaptive_p };

struct BiasEntry {
  int32_t token;
  float bias;  // -inf bans the token
};

struct TextBias {  // a bias whose token is given as text: each of the text's tokens gets it
  std::string text;
  float bias;
  size_t position;  // index in `logit_bias` before which its tokens are inserted, so that the request's order is kept
};

struct Params {
  uint32_t seed = random_seed;
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
  std::vector<std::string> dry_sequence_breakers = {"\n", ":", "\"", "*"};
  std::vector<std::vector<int32_t>> dry_breaker_tokens;  // breakers as token sequences: head, then tail
  int32_t mirostat = 0;
  float mirostat_tau = 5.0f;
  float mirostat_eta = 0.1f;
  float adaptive_target = -1.0f;
  float adaptive_decay = 0.9f;
  int32_t min_keep = 0;
  int32_t n_probs = 0;
  bool ignore_eos = false;
  std::vector<StepKind> samplers = {StepKind::penalties, StepKind::dry,     StepKind::top_n_sigma,
                                    StepKind::top_k,     StepKind::typical, StepKind::top_p,
                                    StepKind::min_p,     StepKind::xtc,     StepKind::temperature};
  std::vector<BiasEntry> logit_bias;
  std::vector<TextBias> text_bias;
  std::vector<std::string> disable;  // fast paths not to take (tests and benches)

  // Answers of the host's tokenizer to texts that need tokens (breaker tails, string biases), by the text's bytes.
  std::map<std::string, std::vector<int32_t>> text_tokens;
};

}  // namespace bankml
