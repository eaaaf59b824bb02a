// The same text through our reader and through nlohmann-json: what differs, in words. For the differential test and the fuzz
// target.
//
// Two differences are meant (json.h): nlohmann takes a NUL byte outside a string for the end of the text, and has no depth limit.
#pragma once

#include <cstring>
#include <nlohmann/json.hpp>
#include <string>

#include "core/base/status.h"
#include "core/formats/json.h"

namespace bankml::json_compare {

inline std::string differs(const json::Value& ours, const nlohmann::json& theirs, const std::string& path) {
  const auto kind = [&](bool same) {
    return same ? std::string() : path + ": " + json::kind_name(ours.kind()) + " against " + theirs.type_name();
  };
  switch (ours.kind()) {
    case json::Kind::null:
      return kind(theirs.is_null());
    case json::Kind::boolean:
      return kind(theirs.is_boolean() && theirs.get<bool>() == ours.boolean());
    case json::Kind::string:
      return kind(theirs.is_string() && theirs.get_ref<const std::string&>() == ours.string());
    case json::Kind::number: {
      switch (ours.number_kind()) {
        case json::NumberKind::unsigned_integer:
          return kind(theirs.is_number_unsigned() && theirs.get<uint64_t>() == ours.unsigned_integer());
        case json::NumberKind::signed_integer:
          return kind(theirs.is_number_integer() && !theirs.is_number_unsigned() && theirs.get<int64_t>() == ours.signed_integer());
        case json::NumberKind::real: {
          if (!theirs.is_number_float()) return kind(false);
          const double a = ours.real();
          const double b = theirs.get<double>();
          return std::memcmp(&a, &b, sizeof a) == 0 ? std::string() : path + ": " + ours.number_text() + " reads as another double";
        }
      }
      return kind(false);
    }
    case json::Kind::array: {
      if (!theirs.is_array() || theirs.size() != ours.items().size()) return kind(false) + " (or another size)";
      for (size_t i = 0; i < ours.items().size(); ++i) {
        const std::string difference = differs(ours.items()[i], theirs[i], path + "[" + std::to_string(i) + "]");
        if (!difference.empty()) return difference;
      }
      return {};
    }
    case json::Kind::object: {
      if (!theirs.is_object()) return kind(false);
      for (const json::Member& member : ours.members()) {
        if (!theirs.contains(member.name)) return path + ": '" + member.name + "' is ours alone";
      }
      for (const auto& [name, value] : theirs.items()) {
        const json::Value* found = ours.find(name);
        if (found == nullptr) return path + ": '" + name + "' is theirs alone";
        const std::string difference = differs(*found, value, path + "." + name);
        if (!difference.empty()) return difference;
      }
      return {};
    }
  }
  return kind(false);
}

// Empty: both refuse the text, or both read the same.
inline std::string differs(const std::string& text) {
  std::string our_error;
  std::string their_error;
  json::Value ours;
  nlohmann::json theirs;
  try {
    ours = json::parse(text);
  } catch (const Failure& failure) {
    our_error = failure.text();
    if (failure.status() != Status::parse) return "refused with another status: " + our_error;
  }
  try {
    theirs = nlohmann::json::parse(text);
  } catch (const nlohmann::json::exception& exception) {
    their_error = exception.what();
  }
  if (our_error.empty() && their_error.empty()) return differs(ours, theirs, "$");
  if (our_error.empty()) return "ours alone accepts; theirs: " + their_error;
  if (their_error.empty()) {
    const bool meant = text.find('\0') != std::string::npos || our_error.find("nested deeper") != std::string::npos;
    return meant ? std::string() : "theirs alone accepts; ours: " + our_error;
  }
  const std::string overflow = "[json.exception.out_of_range.406] ";
  if (our_error.find("number overflow") == 0 && their_error != overflow + our_error) return our_error + " against " + their_error;
  if (their_error.find(overflow) == 0 && our_error.find("number overflow") != 0) return our_error + " against " + their_error;
  return {};
}

}  // namespace bankml::json_compare
