// Patterns of JSON Schema: ECMA-262 with the u flag, over code points, found anywhere in the text.
//
// Read are classes, `\d \w \s`, `\p{...}` of general categories and scripts (Unicode version in unicode.h), groups (named too),
// counts, lazy quantifiers (the language is the same), alternatives, `^ $ \b \B` anywhere, and the escapes of the u flag: letters
// and punctuation that need no escape may not have one. Look-around, back-references, inline flags and other properties are refused
// by name and position: Failure(Status::schema). What is no pattern at all: Failure(Status::parse) with the position. Too large:
// Failure(Status::limit). Positions count code points from 1.
// Tested by tests/regular/ecma.cpp
#pragma once

#include <string_view>

#include "core/patterns/ast.h"
#include "core/regular/dfa.h"
#include "core/regular/limits.h"

namespace bankml::regular {

patterns::Ast parse_ecma(std::string_view pattern, const Limits& limits = {});

// The texts in which the pattern is found (JSON Schema `pattern`).
Dfa ecma_search(std::string_view pattern, const Limits& limits = {});

// The texts that the pattern matches from their first character to their last: ^(?:pattern)$.
Dfa ecma_whole(std::string_view pattern, const Limits& limits = {});

}  // namespace bankml::regular
