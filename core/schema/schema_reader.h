// Reads a JSON schema by the reference's decisions, in its order: the first keyword that decides, decides; the rest is ignored.
// Quirks are kept (unions without exclusivity); docs/errata.md lists what is refused instead.
//
// Stops at the first error, whose text is the reference's: "JSON schema error at PATH: MESSAGE". Recursion is as deep as the
// document and its references nest, at most `max_depth`. Source: llama.cpp b11192. Tested by tests/schema/llama_schema.cpp
#pragma once

#include "core/formats/json.h"
#include "core/schema/schema_ast.h"

namespace bankml::schema {

constexpr uint32_t max_depth = 256;     // of schemas within schemas, references followed
constexpr uint32_t max_nodes = 200000;  // the reference writes 2^n rules for n nested unions

// Throws Failure(schema) with the reference's text, Failure(limit).
Document read_schema(const json::Value& root);

}  // namespace bankml::schema
