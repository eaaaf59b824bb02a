// The `params` of a recorded case as bankml params, and the texts that they leave open.
#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "bankml.h"

namespace bankml::replay {

using ParamsHandle = std::unique_ptr<bankml_params, void (*)(bankml_params*)>;
using SamplerHandle = std::unique_ptr<bankml_sampler, void (*)(bankml_sampler*)>;

ParamsHandle new_params();

// Native setters only: the recorded values go straight to the chain, without a request's clamps and substitutions.
ParamsHandle params_from_json(const nlohmann::json& values, const bankml_vocab* vocab);

// Answers every open text from `texts` (bytes in hex -> tokens). Where the vocabulary has a tokenizer of its own, its answers must
// equal the recorded ones.
void answer_texts(bankml_params* params, const bankml_vocab* vocab, const nlohmann::json& texts);

// The vocabulary's own tokens of a text given in hex; false if it has no tokenizer.
bool tokenize(const bankml_vocab* vocab, const std::string& hex, std::vector<int32_t>& tokens);

}  // namespace bankml::replay
