// JSON schema of dialect `llama`: GBNF text whose language is that of llama.cpp's own converter, and its refusals.
//
// Schemas that make the reference crash, hang or write without end are refused: a limit (schema_reader.h, gbnf_rules.h), or GBNF
// that the grammar's parser refuses. Source: llama.cpp b11192. Tested by tests/schema/llama_schema.cpp
#pragma once

#include <string>
#include <string_view>

namespace bankml::schema {

// json: one JSON value. Throws Failure: parse (malformed JSON), schema (the reference's text), limit.
std::string llama_gbnf(std::string_view json);

}  // namespace bankml::schema
