// Texts of the params that need tokens: tails of DRY breakers and string biases.
//
// The library has no tokenizer, except for SentencePiece vocabularies read from GGUF. What it cannot answer is listed for the host
// (bankml_params_text_count), and a sampler is refused while one is open.
//
// Tested by tests/chain/texts.cpp
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/params/params.h"
#include "core/steps/dry.h"
#include "core/steps/dry_breakers.h"
#include "core/vocab/vocab.h"

namespace bankml {

struct OpenText {
  std::string bytes;
  const char* purpose;  // the parameter that holds it: "dry_sequence_breakers" or "logit_bias"
};

// Texts without an answer, in the order in which the sampler would need them; each text once. vocab may be nullptr.
std::vector<OpenText> open_texts(const Params& params, const Vocab* vocab);

// The biases in the request's order, string biases replaced by one entry per token. Throws Failure(open_text).
std::vector<BiasEntry> resolved_biases(const Params& params, const Vocab* vocab);

// The breakers of the params, prepared once per (vocabulary, list) and shared. Throws Failure(open_text), or Failure(arg) where
// strings are given and the host has no pieces.
std::shared_ptr<const DryBreakers> resolved_breakers(const Params& params, const Vocab* vocab, size_t n_vocab);

}  // namespace bankml
