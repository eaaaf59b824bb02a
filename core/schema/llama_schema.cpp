// Tested by tests/schema/llama_schema.cpp
#include "core/schema/llama_schema.h"

#include "core/formats/json.h"
#include "core/schema/gbnf_writer.h"
#include "core/schema/schema_reader.h"

namespace bankml::schema {

std::string llama_gbnf(std::string_view json) { return write_gbnf(read_schema(json::parse(json))); }

}  // namespace bankml::schema
