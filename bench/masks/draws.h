// Draws under a grammar against the same draws without one: a walk through a document whose logits favour its next token, as a
// model's do. Tested by nothing: timings only, but the redraws are counted.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "bankml.hpp"

namespace bankml::bench {

// Appends rows to `results` and prints them.
void draws(const Vocab& vocab, const std::string& grammar, const std::vector<int32_t>& tokens, nlohmann::ordered_json& results);

}  // namespace bankml::bench
