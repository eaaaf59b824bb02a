// Any bytes as JSON: read or refused cleanly, never anything else, and as nlohmann-json does (tests/formats/json_compare.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "tests/formats/json_compare.h"

namespace bankml::fuzz {

// Writes a value back as JSON text, duplicates and number texts included.
inline void write_json(std::string& out, const json::Value& value) {
  switch (value.kind()) {
    case json::Kind::null:
      out += "null";
      break;
    case json::Kind::boolean:
      out += value.boolean() ? "true" : "false";
      break;
    case json::Kind::number:
      out += value.number_text();
      break;
    case json::Kind::string:
      json::append_string(out, value.string());
      break;
    case json::Kind::array:
      out += '[';
      for (const json::Value& item : value.items()) {
        if (out.back() != '[') out += ',';
        write_json(out, item);
      }
      out += ']';
      break;
    case json::Kind::object:
      out += '{';
      for (const json::Member& member : value.members()) {
        if (out.back() != '{') out += ',';
        json::append_string(out, member.name);
        out += ':';
        write_json(out, member.value);
      }
      out += '}';
      break;
  }
}

// Aborts where a promise is broken, so that every driver notices.
inline void json(const uint8_t* data, size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const std::string difference = json_compare::differs(text);
  if (!difference.empty()) {
    std::fprintf(stderr, "nlohmann-json differs: %s\n", difference.c_str());
    std::abort();
  }
  try {
    std::string once;
    write_json(once, json::parse(text));
    std::string twice;
    write_json(twice, json::parse(once));
    if (once != twice) std::abort();
  } catch (const Failure& failure) {
    if (failure.status() != Status::parse || failure.text().empty()) std::abort();
  }
}

}  // namespace bankml::fuzz
