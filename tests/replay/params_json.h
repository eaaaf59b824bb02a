// The `params` of a recorded case as bankml params, and the texts that they leave open.
#pragma once

#include <nlohmann/json.hpp>

#include "tests/replay/library.h"

namespace bankml::replay {

// Native setters only: the recorded values go straight to the chain, without a request's clamps and substitutions. The caller owns
// the params.
Library::Handle params_from_json(Library& library, const nlohmann::json& values, Library::Handle vocab);

// Answers every open text from `texts` (bytes in hex -> tokens). Where the vocabulary has a tokenizer of its own, its answers must
// equal the recorded ones.
void answer_texts(Library& library, Library::Handle params, Library::Handle vocab, const nlohmann::json& texts);

}  // namespace bankml::replay
