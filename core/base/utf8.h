// UTF-8, one character at a time and strict as RFC 3629: no overlong forms, no surrogates, nothing above U+10FFFF.
//
// Header only: callers walk short texts (JSON strings, vocabulary pieces) and want the loop inlined. All comparisons are on byte
// values, so neither the machine's endianness nor the signedness of char matters.
// Tested by tests/base/utf8_test.cpp
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace bankml {

struct Utf8Char {
  uint32_t code;    // the code point; 0 when length is 0
  uint32_t length;  // bytes it takes, 1 to 4; 0 = no character starts here (bad byte, cut character, end of text)
};

// The character that starts at text[at].
inline Utf8Char utf8_decode(std::string_view text, size_t at) noexcept {
  const Utf8Char bad{0, 0};
  if (at >= text.size()) return bad;
  const auto byte = [&](size_t i) { return static_cast<uint32_t>(static_cast<unsigned char>(text[at + i])); };
  const uint32_t first = byte(0);
  if (first < 0x80) return {first, 1};
  uint32_t length = 0;
  uint32_t lowest = 0;  // smallest code point that needs this length; anything below is an overlong form
  if (first >= 0xC2 && first <= 0xDF) {
    length = 2, lowest = 0x80;
  } else if (first >= 0xE0 && first <= 0xEF) {
    length = 3, lowest = 0x800;
  } else if (first >= 0xF0 && first <= 0xF4) {
    length = 4, lowest = 0x10000;
  } else {
    return bad;
  }
  if (text.size() - at < length) return bad;
  uint32_t code = first & (0x7Fu >> length);
  for (uint32_t i = 1; i < length; ++i) {
    const uint32_t next = byte(i);
    if ((next & 0xC0) != 0x80) return bad;
    code = code << 6 | (next & 0x3F);
  }
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  if (code < lowest || code > 0x10FFFF || surrogate) return bad;
  return {code, length};
}

struct Utf8Begun {
  uint32_t length;  // bytes that are there, 1 to 4; 0 = no character begins with this byte, or the text ends here
  uint32_t needed;  // bytes of the whole character, 2 to 4, 1 for ASCII; 0 with length 0
};

// What stands of a character at text[at]: all of it where length is needed; else the longest beginning that some character has
// (Unicode's "maximal subpart"), followed by the end of the text or by a byte that damages it.
inline Utf8Begun utf8_begun(std::string_view text, size_t at) noexcept {
  if (at >= text.size()) return {0, 0};
  const auto byte = [&](size_t i) { return static_cast<uint32_t>(static_cast<unsigned char>(text[at + i])); };
  const uint32_t first = byte(0);
  if (first < 0x80) return {1, 1};
  if (first < 0xC2 || first > 0xF4) return {0, 0};
  const uint32_t needed = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
  // The second byte's range rules out overlong forms, surrogates and what is above U+10FFFF.
  const uint32_t low = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
  const uint32_t high = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
  uint32_t length = 1;
  while (length < needed && length < text.size() - at) {
    const uint32_t next = byte(length);
    if (next < (length == 1 ? low : 0x80) || next > (length == 1 ? high : 0xBF)) break;
    ++length;
  }
  return {length, needed};
}

// Appends a code point; the caller keeps to U+0000 ... U+10FFFF (surrogates are encoded as they stand).
inline void utf8_append(std::string& out, uint32_t code) {
  const auto put = [&](uint32_t byte) { out.push_back(static_cast<char>(static_cast<unsigned char>(byte))); };
  if (code < 0x80) {
    put(code);
  } else if (code < 0x800) {
    put(0xC0 | code >> 6);
    put(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    put(0xE0 | code >> 12);
    put(0x80 | (code >> 6 & 0x3F));
    put(0x80 | (code & 0x3F));
  } else {
    put(0xF0 | code >> 18);
    put(0x80 | (code >> 12 & 0x3F));
    put(0x80 | (code >> 6 & 0x3F));
    put(0x80 | (code & 0x3F));
  }
}

inline bool utf8_valid(std::string_view text) noexcept {
  for (size_t at = 0; at < text.size();) {
    const Utf8Char c = utf8_decode(text, at);
    if (c.length == 0) return false;
    at += c.length;
  }
  return true;
}

}  // namespace bankml
