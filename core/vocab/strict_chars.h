// Code points of a piece, decoded as UTF-8 is defined: no overlong forms, no surrogates, nothing above U+10FFFF. The byte layer of
// dialect `strict`; piece_chars.h is the reference's. A character may begin in one piece and end in the next; what is left over
// says by itself how long its character is.
//
// Source: the Unicode Standard, table 3-7 (well-formed UTF-8 byte sequences). Tested by tests/vocab/strict_chars.cpp
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/vocab/piece_chars.h"

namespace bankml {

// One more byte of an unfinished character. False = no character goes on so.
inline bool strict_follows(Unfinished& rest, uint8_t byte) noexcept {
  if (byte >> 6 != 2) return false;
  const uint32_t next = rest.value << 6 | (byte & 0x3Fu);
  const bool lead_of_three = rest.need == 2 && rest.value < 0x10;  // behind the lead byte; of four bytes the value is larger
  if (lead_of_three && (next < 0x20 || (next >= 0x360 && next < 0x380))) return false;
  if (rest.need == 3 && (next < 0x10 || next > 0x10F)) return false;
  rest = {next, rest.need - 1};
  return true;
}

// Replaces `out`. False = not the inside of well-formed UTF-8; out and rest are of no use then.
inline bool decode_strict(std::string_view piece, Unfinished start, std::vector<uint32_t>& out, Unfinished& rest) {
  out.clear();
  rest = start;
  for (const char c : piece) {
    const auto byte = static_cast<uint8_t>(c);
    if (rest.need > 0) {
      if (!strict_follows(rest, byte)) return false;
    } else if (byte < 0x80) {
      rest = {byte, 0};
    } else if (byte >= 0xC2 && byte <= 0xF4) {
      rest = byte < 0xE0 ? Unfinished{byte & 0x1Fu, 1} : byte < 0xF0 ? Unfinished{byte & 0x0Fu, 2} : Unfinished{byte & 0x07u, 3};
    } else {
      return false;
    }
    if (rest.need == 0) out.push_back(rest.value);
  }
  if (rest.need == 0) rest = {};
  return true;
}

// The characters that an unfinished one may become, all between two code points.
struct CharInterval {
  uint32_t lowest, highest;
};
inline CharInterval completions(Unfinished rest) noexcept {
  CharInterval all{rest.value << (6 * rest.need), (rest.value << (6 * rest.need)) | ((1u << (6 * rest.need)) - 1)};
  if (rest.need == 2 && rest.value == 0) all.lowest = 0x800;
  if (rest.need == 2 && rest.value == 0xD) all.highest = 0xD7FF;  // then come surrogates
  if (rest.need == 3 && rest.value == 0) all.lowest = 0x10000;
  all.highest = std::min(all.highest, 0x10FFFFu);
  return all;
}

}  // namespace bankml
