// GBNF text to rules: the language of llama.cpp, its limits, its errors with their texts, and its left-recursion check.
// Tested by tests/grammar/gbnf_parser.cpp
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "core/grammar/rules.h"

namespace bankml::grammar {

struct ParseSetup {
  std::string root = "root";
  size_t max_elements = 1000000;  // of all rules together; a grammar that needs more is refused with Status::limit
  // The token that a `<text>` (brackets included) stands for, or -1 if it is not exactly one token. Empty = there is no vocabulary.
  std::function<int64_t(std::string_view)> token_of_text;
};

// Throws GbnfError (a Failure: parse, or limit), and what token_of_text throws.
Rules parse_gbnf(std::string_view text, const ParseSetup& setup);

}  // namespace bankml::grammar
