// Writes JSON strings: the two-character escapes where JSON has them, \u00XX for other control characters, all else as it stands.
// Tested by tests/formats/json_test.cpp
#include "core/base/utf8.h"
#include "core/formats/json.h"

namespace bankml::json {

void append_string(std::string& out, std::string_view utf8) {
  constexpr char hex[] = "0123456789abcdef";
  out.push_back('"');
  for (size_t at = 0; at < utf8.size();) {
    const Utf8Char c = utf8_decode(utf8, at);
    if (c.length == 0) {
      utf8_append(out, 0xFFFD);
      ++at;
      continue;
    }
    const std::string_view bytes = utf8.substr(at, c.length);
    at += c.length;
    switch (c.code) {
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
        if (c.code < 0x20) {
          out += "\\u00";
          out.push_back(hex[c.code >> 4]);
          out.push_back(hex[c.code & 15]);
        } else {
          out += bytes;
        }
    }
  }
  out.push_back('"');
}

}  // namespace bankml::json
