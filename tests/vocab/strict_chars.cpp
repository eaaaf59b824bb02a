// core/vocab/strict_chars.h against the definition of UTF-8: every character, every cut of it, every wrong byte.
#include "core/vocab/strict_chars.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "core/base/utf8.h"

namespace bankml {
namespace {

bool scalar(uint32_t c) { return c <= 0x10FFFF && (c < 0xD800 || c > 0xDFFF); }

std::string bytes_of(uint32_t c) {
  std::string bytes;
  utf8_append(bytes, c);
  return bytes;
}

TEST(StrictChars, every_character_in_every_cut) {
  std::vector<uint32_t> chars;
  const bool all_of_them = std::getenv("BANKML_TEST_LONG") != nullptr;
  for (uint32_t c = 0; c <= 0x10FFFF; ++c) {
    if (!scalar(c) || (c > 0x1000 && c % 64 > 1 && c % 64 != 63 && c % 61 != 0 && !all_of_them)) continue;
    const std::string bytes = bytes_of(c);
    for (size_t cut = 0; cut <= bytes.size(); ++cut) {
      Unfinished rest;
      ASSERT_TRUE(decode_strict(std::string_view(bytes).substr(0, cut), {}, chars, rest));
      ASSERT_EQ(rest.need, cut == 0 ? 0 : bytes.size() - cut) << c;
      if (rest.need > 0) {
        const CharInterval all = completions(rest);
        ASSERT_TRUE(all.lowest <= c && c <= all.highest) << c;
        // What the ends of the interval begin with is what is there.
        ASSERT_EQ(bytes_of(all.lowest).substr(0, cut), bytes.substr(0, cut)) << c;
        ASSERT_EQ(bytes_of(all.highest).substr(0, cut), bytes.substr(0, cut)) << c;
        ASSERT_TRUE(scalar(all.lowest) && scalar(all.highest)) << c;
      }
      std::vector<uint32_t> more;
      Unfinished end;
      ASSERT_TRUE(decode_strict(std::string_view(bytes).substr(cut), rest, more, end));
      ASSERT_EQ(end, Unfinished{});
      ASSERT_EQ(chars.size() + more.size(), 1u);
      ASSERT_EQ(chars.empty() ? more[0] : chars[0], c);
    }
  }
}

// All texts of one, two and three bytes, and of four that begin with F0-FF: taken if and only if they begin a text of characters.
TEST(StrictChars, nothing_else) {
  std::vector<uint32_t> chars;
  Unfinished rest;
  const auto taken = [&](std::string_view text) { return decode_strict(text, {}, chars, rest); };
  const auto expected = [](std::string_view text) {
    // Characters from the front; what is left must begin one.
    size_t at = 0;
    while (at < text.size()) {
      const auto lead = static_cast<uint8_t>(text[at]);
      const size_t length = lead < 0x80 ? 1 : lead < 0xC0 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : lead < 0xF8 ? 4 : 0;
      if (length == 0) return false;
      const std::string_view one = text.substr(at, length);
      uint32_t low = length == 1 ? lead : lead & (0x7Fu >> length), high = low;
      for (size_t i = 1; i < length; ++i) {
        const bool there = i < one.size();
        if (there && (static_cast<uint8_t>(one[i]) & 0xC0) != 0x80) return false;
        low = low << 6 | (there ? static_cast<uint8_t>(one[i]) & 0x3Fu : 0);
        high = high << 6 | (there ? static_cast<uint8_t>(one[i]) & 0x3Fu : 0x3Fu);
      }
      bool some = false;
      for (const uint32_t c : {low, high, 0x80u, 0x800u, 0xD7FFu, 0xE000u, 0x10000u, 0x10FFFFu})
        some = some || (low <= c && c <= high && scalar(c) && bytes_of(c).size() == length);
      if (!some) return false;
      at += length;
    }
    return true;
  };
  const uint8_t odd[] = {0x00, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1,
                         0xEC, 0xED, 0xEE, 0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xF7, 0xF8, 0xFF};
  for (const uint8_t a : odd) {
    for (const uint8_t b : odd) {
      for (const uint8_t c : odd) {
        for (const uint8_t d : odd) {
          const std::string text{static_cast<char>(a), static_cast<char>(b), static_cast<char>(c), static_cast<char>(d)};
          for (size_t length = 0; length <= 4; ++length) {
            ASSERT_EQ(taken(std::string_view(text).substr(0, length)), expected(std::string_view(text).substr(0, length)))
                << int{a} << " " << int{b} << " " << int{c} << " " << int{d} << " length " << length;
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace bankml
