// The languages of JSON Schema's `format`. None accepts a text that the Python package jsonschema (with its format packages) refuses.
//
// Exact: date (real calendar, years 0001 to 9999), time, date-time (RFC 3339; no leap seconds, which that package refuses), duration,
// uuid, ipv4, ipv6, json-pointer, relative-json-pointer. The others are subsets; formats.cpp says of each what is left out.
// Tested by tests/regular/formats.cpp
#pragma once

#include <optional>
#include <string_view>

#include "core/regular/dfa.h"

namespace bankml::regular {

enum class FormatKind : uint8_t {
  exact,
  subset,      // every word is valid, some valid texts are no words
  annotation,  // unknown: the keyword says nothing
};

struct Format {
  FormatKind kind;
  Dfa language;          // everything() for an annotation
  const char* left_out;  // subset: which valid texts are no words, for a warning; else ""
};

// Minimal; built when first asked for and kept, as there are only a few of them.
Format format(std::string_view name);

}  // namespace bankml::regular
