// Pattern text to a tree: ECMAScript over bytes, read as libstdc++'s std::regex reads it, kept quirks included:
//   `\cX` is X itself; `\uHHHH` is the byte of its low eight bits; `\` before any other character is that character;
//   ranges compare bytes as signed characters, so `[\x80-a]` holds 80...FF and 00...61, and `[a-\xFF]` is reversed;
//   `[]` matches nothing, `[^]` anything; quantifiers chain (`a+*`), but none may follow `^ $ \b \B`.
// Not known, refused by name: look-ahead, look-behind, named groups, back-references, collating elements, equivalence classes.
// Source: ISO C++ [re.grammar], ECMA-262 15.10, libstdc++ 12's headers. Tested by tests/patterns/parser.cpp
#pragma once

#include <cstddef>
#include <string_view>

#include "core/patterns/ast.h"

namespace bankml::patterns {

constexpr uint32_t max_height = 100;  // groups and repetitions inside one another
constexpr size_t max_nodes = 100000;  // of the tree

// Throws Failure: parse ("pattern, position P: ...", P counts bytes from 1), or limit.
Ast parse(std::string_view text);

}  // namespace bankml::patterns
