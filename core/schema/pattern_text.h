// Patterns of strings as the reference writes them. Quirks kept (docs/errata.md): no JSON escaping; an operator takes one byte, or
// the whole run of literals before it where that ends in an escape or a quote; operators are chained in GBNF; `^a|b$` is `^(a|b)$`.
//
// Source: llama.cpp b11192. Tested by tests/schema/llama_schema.cpp
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace bankml::schema {

struct PatternText {
  std::string text;   // of the inside of the string; empty if there is an error or any string is allowed
  std::string error;  // "Invalid pattern P: REASON", else empty
  bool any_string = false;
};

// add_rule: makes a rule of a text and returns its name.
PatternText pattern_text(std::string_view pattern, const std::function<std::string(const std::string&)>& add_rule);

}  // namespace bankml::schema
