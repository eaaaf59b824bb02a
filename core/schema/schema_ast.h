// A JSON schema as the reference's converter understands it: what is left of a schema after its decisions (schema_reader.h), before
// any grammar text. Nodes stand in one list and name each other by number.
//
// Source: llama.cpp b11192. Tested by tests/schema/llama_schema.cpp
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace bankml::schema {

struct Property {
  std::string name;
  uint32_t value;
  bool required;
};

struct Node {
  enum Kind : uint8_t {
    any,        // any JSON value
    either,     // one of `parts`
    all_of,     // what `parts` contribute
    exactly,    // the text `text`
    one_of,     // one of the texts `texts`
    object,     // properties, then additional ones
    array,      // `item` (or any value) between `least` and `most` times
    tuple,      // `parts` in order
    string,     // `least` to `most` characters
    pattern,    // `text`, an anchored regular expression
    format,     // `text` is the name of a known format
    integer,    // between `minimum` and `maximum`
    builtin,    // `text`: number, boolean, null, string, object, array
    reference,  // to the target that `text` names
  };
  enum Additional : uint8_t { none, any_value, schema };

  Kind kind = any;
  std::string text;
  std::vector<std::string> texts;
  std::vector<uint32_t> parts;
  std::vector<Property> properties;
  Additional additional = none;
  uint32_t item = 0;      // of an array; the additional properties' schema of an object
  bool has_item = false;  // array: false = items are any value
  uint64_t least = 0;
  std::optional<uint64_t> most;
  std::optional<int64_t> minimum, maximum;
};

struct Document {
  std::vector<Node> nodes;
  uint32_t root = 0;
  std::map<std::string, uint32_t> targets;  // of references, by their texts
};

}  // namespace bankml::schema
