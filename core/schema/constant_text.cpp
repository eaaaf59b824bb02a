// Tested by tests/schema/constant_text.cpp
#include "core/schema/constant_text.h"

#include <cmath>
#include <map>

#include "core/formats/grisu2.h"

namespace bankml::schema {
namespace constant {

void append(std::string& out, std::string_view string) {
  static constexpr char hex[] = "0123456789abcdef";
  out += '"';
  for (const char c : string) {
    const auto byte = static_cast<unsigned char>(c);
    switch (c) {
      case '"':
        out += "\\\"";
        break;
      case '\\':
        out += "\\\\";
        break;
      case '\b':
        out += "\\b";
        break;
      case '\f':
        out += "\\f";
        break;
      case '\n':
        out += "\\n";
        break;
      case '\r':
        out += "\\r";
        break;
      case '\t':
        out += "\\t";
        break;
      default:
        if (byte < 0x20) {
          out += "\\u00";
          out += hex[byte >> 4];
          out += hex[byte & 15];
        } else {
          out += c;
        }
    }
  }
  out += '"';
}

void append_number(std::string& out, const json::Value& number) {
  switch (number.number_kind()) {
    case json::NumberKind::unsigned_integer:
      json::append_unsigned(out, number.unsigned_integer());
      return;
    case json::NumberKind::signed_integer:
      json::append_integer(out, number.signed_integer());
      return;
    case json::NumberKind::real:
      break;
  }
  double value = number.real();
  if (std::signbit(value)) {
    out += '-';
    value = -value;
  }
  if (value == 0) {
    out += "0.0";
  } else {
    json::append_digits(out, json::grisu2(value));
  }
}

// As deep as the document: json::max_depth.
void append(std::string& out, const json::Value& value) {
  switch (value.kind()) {
    case json::Kind::null:
      out += "null";
      return;
    case json::Kind::boolean:
      out += value.boolean() ? "true" : "false";
      return;
    case json::Kind::number:
      return append_number(out, value);
    case json::Kind::string:
      return append(out, value.string());
    case json::Kind::array: {
      out += '[';
      for (size_t i = 0; i < value.items().size(); ++i) {
        if (i > 0) out += ',';
        append(out, value.items()[i]);
      }
      out += ']';
      return;
    }
    case json::Kind::object: {
      std::map<std::string_view, const json::Value*> last;
      for (const json::Member& member : value.members()) last[member.name] = &member.value;
      out += '{';
      bool first = true;
      for (const json::Member& member : value.members()) {
        const auto known = last.find(member.name);
        if (known == last.end()) continue;  // a name given twice stands where it came first
        if (!first) out += ',';
        first = false;
        append(out, member.name);
        out += ':';
        append(out, *known->second);
        last.erase(known);
      }
      out += '}';
    }
  }
}

}  // namespace constant

std::string constant_text(const json::Value& value) {
  std::string out;
  constant::append(out, value);
  return out;
}

std::string constant_text(std::string_view string) {
  std::string out;
  constant::append(out, string);
  return out;
}

}  // namespace bankml::schema
