// Strings of tokens: see token_text.h.
// Tested by tests/reply/token_text_test.cpp
#include "core/reply/token_text.h"

#include <algorithm>

#include "core/base/utf8.h"

namespace bankml::reply {

namespace token_text_detail {

// Bytes of a character by its first byte alone; 0 for bytes that begin none of several bytes.
size_t announced(unsigned char byte) noexcept {
  if ((byte & 0xE0) == 0xC0) return 2;
  if ((byte & 0xF0) == 0xE0) return 3;
  return (byte & 0xF8) == 0xF0 ? 4 : 0;
}

std::string_view without_cut_end(std::string_view bytes) noexcept {
  for (size_t back = 1; back <= std::min<size_t>(4, bytes.size()); ++back) {
    if (announced(static_cast<unsigned char>(bytes[bytes.size() - back])) > back) return bytes.substr(0, bytes.size() - back);
  }
  return bytes;
}

// Copies characters; calls damaged(part) for each longest beginning of a character, and for each byte that begins none.
template <class Damaged>
void copy_characters(std::string_view bytes, std::string& out, Damaged damaged) {
  for (size_t at = 0; at < bytes.size();) {
    const Utf8Begun begun = utf8_begun(bytes, at);
    const std::string_view part = bytes.substr(at, std::max<size_t>(begun.length, 1));
    if (begun.length > 0 && begun.length == begun.needed) {
      out += part;
    } else {
      damaged(part);
    }
    at += part.size();
  }
}

}  // namespace token_text_detail

std::string replaced_text(std::string_view bytes) {
  std::string out;
  token_text_detail::copy_characters(token_text_detail::without_cut_end(bytes), out,
                                     [&](std::string_view) { utf8_append(out, 0xFFFD); });
  return out;
}

std::string escaped_text(std::string_view bytes) {
  constexpr char hex[] = "0123456789abcdef";
  std::string out;
  token_text_detail::copy_characters(bytes, out, [&](std::string_view part) {
    for (const char c : part) {
      const auto byte = static_cast<unsigned char>(c);
      out += "\\x";
      out += hex[byte >> 4];
      out += hex[byte & 15];
    }
  });
  return out;
}

std::string marked_text(std::string_view bytes) {
  std::string out = escaped_text(bytes);
  if (!utf8_valid(bytes)) out.insert(0, "bytes:");
  return out;
}

size_t characters(std::string_view bytes) noexcept {
  return static_cast<size_t>(
      std::count_if(bytes.begin(), bytes.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

}  // namespace bankml::reply
