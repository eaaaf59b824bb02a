// The list fields of a llama-server request.
// Tested by tests/params/request_json.cpp
#pragma once

#include "core/formats/json.h"
#include "core/params/loaded.h"

namespace bankml {

// Non-empty array of strings, else Failure(arg) with the server's text.
void read_request_breakers(Loaded& result, const json::Value& value);

// Array of [token, bias] pairs or object of biases; malformed entries are skipped with a warning. Replaces all biases.
void read_request_biases(Loaded& result, const json::Value& value);

// Array of names or string of letters; unknown ones are dropped with a warning. False (with a warning): another type, ignored.
bool read_request_samplers(Loaded& result, const json::Value& value);

}  // namespace bankml
