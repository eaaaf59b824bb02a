// The integers between two bounds, as the reference writes them digit by digit: right for two bounds in order, wrong in its own way
// for others and for one bound (docs/errata.md). Source: llama.cpp b11192. Tested by tests/schema/llama_schema.cpp
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace bankml::schema {

// The least int64 as minimum and the largest as maximum are no bounds. Throws Failure(schema) where no bound is left.
std::string int_bounds(std::optional<int64_t> minimum, std::optional<int64_t> maximum);

}  // namespace bankml::schema
