// A schema as GBNF rules, of the same language as the reference's: which texts are allowed, where blanks may stand, and which rule
// names meet (a property whose path gives the name of a rule that is looked up later takes its place).
//
// Source: llama.cpp b11192. Tested by tests/schema/llama_schema.cpp
#pragma once

#include <string>

#include "core/schema/schema_ast.h"

namespace bankml::schema {

// Throws Failure(schema) with all bad patterns, one a line, behind "JSON schema conversion failed:"; Failure(limit).
std::string write_gbnf(const Document& document);

}  // namespace bankml::schema
