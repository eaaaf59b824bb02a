// A recorded case (docs/spec: recorded cases) in the plain form that the peer's chain is built from.
//
// Tested by tests/reference/llama_peer_test.cpp
#pragma once

#include <nlohmann/json.hpp>

#include "tests/reference/chain_setup.h"
#include "tests/reference/llama_peer.h"

namespace bankml::reference {

// The `params` of a case. Throws std::runtime_error on a name that it does not know. With a vocabulary and no breakers given, the
// default strings apply; without a vocabulary there are none.
ChainSetup setup_from_json(const nlohmann::json& params, bool has_vocab);

// Runs a `chain` case on the peer and returns its `expect`. With string breakers, `texts` is set to the tokens of every tail that
// the scan of the vocabulary can meet.
nlohmann::json record_chain(const LlamaLibraryPtr& library, const LlamaModel* model, const nlohmann::json& row,
                            nlohmann::json& texts);

}  // namespace bankml::reference
