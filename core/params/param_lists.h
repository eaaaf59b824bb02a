// The parameters that are lists: step order, biases, breakers, names of fast paths.
//
// The native setters refuse what a request would drop: an unknown step, a malformed entry, a bias that is no number. A text among
// the biases is kept as text, since its tokens need a tokenizer; it remembers its place among the ids. Tested by
// tests/params/param_lists.cpp
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/formats/json.h"
#include "core/params/table.h"

namespace bankml {

// Throws Failure(Status::arg); params unchanged then.
void set_param_list(Params& params, JsonParam which, std::string_view given, const json::Value& value);
void append_param_list(std::string& out, const Params& params, JsonParam which);

// "kpt" (every character a step letter) or "top_k;top_p;temperature".
std::vector<StepKind> parse_native_order(std::string_view given, std::string_view text);

// Parts between separators, empty ones left out.
std::vector<std::string> split_names(std::string_view text, char separator);

// The key of a bias object as a token id, by the C rule that llama-server uses (leading blanks, sign, decimal digits, nothing after
// them; "" is 0); nullopt = it is a text.
std::optional<int32_t> bias_key_token(const std::string& key);

}  // namespace bankml
