// Code points of a piece, decoded as the reference's grammars decode it, which is not how UTF-8 is defined.
//
// Quirks kept: only the bytes before the first NUL count; a lead byte alone decides the length (80-BF leads nothing: the piece is
// invalid and has no code points; F0-FF all lead four); followers inside one piece give their low six bits whatever they are; no
// check for overlong forms, surrogates or the upper end. A character may begin in one piece and end in the next: `Unfinished` is
// what is left over, and there the followers are checked. Source: llama.cpp b11192, decode_utf8 in src/llama-grammar.cpp. Tested by
// tests/vocab/char_trie.cpp
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace bankml {

// How pieces are read: as the reference's grammars do (below), or as UTF-8 (strict_chars.h).
enum class Decoding : uint8_t { llama, strict };

struct Unfinished {
  uint32_t value = 0;  // of the bytes so far
  uint32_t need = 0;   // bytes still missing; 0 = at the border of a character
  bool operator==(const Unfinished&) const = default;
};

// Lead bytes C0 and C1: no character begins so, whatever follows.
inline bool overlong_ascii(Unfinished rest) noexcept { return rest.need == 1 && rest.value < 2; }

// Replaces `out`. False = invalid: no code points, and the next piece begins afresh (`rest` is cleared).
inline bool decode_piece(std::string_view piece, Unfinished start, std::vector<uint32_t>& out, Unfinished& rest) {
  out.clear();
  rest = {};
  piece = piece.substr(0, piece.find('\0'));
  uint32_t value = start.value;
  uint32_t need = start.need;
  size_t at = 0;
  for (; at < piece.size() && need > 0; ++at, --need) {
    const auto byte = static_cast<uint8_t>(piece[at]);
    if (byte >> 6 != 2) return false;
    value = value << 6 | (byte & 0x3Fu);
  }
  if (start.need > 0 && need == 0) out.push_back(value);
  while (at < piece.size()) {
    const auto lead = static_cast<uint8_t>(piece[at++]);
    if (lead >= 0x80 && lead < 0xC0) {
      out.clear();
      return false;
    }
    need = lead < 0x80 ? 0 : lead < 0xE0 ? 1 : lead < 0xF0 ? 2 : 3;
    value = lead & ((1u << (7 - need)) - 1);
    for (; at < piece.size() && need > 0; ++at, --need) value = value << 6 | (static_cast<uint8_t>(piece[at]) & 0x3Fu);
    if (need == 0) out.push_back(value);
  }
  rest = need == 0 ? Unfinished{} : Unfinished{value, need};
  return true;
}

}  // namespace bankml
