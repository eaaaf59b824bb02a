// core/base/utf8.h: every code point both ways, and everything that is not UTF-8.
#include "core/base/utf8.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <random>
#include <string>

namespace bankml {
namespace {

// RFC 3629's table, spelled out byte range by byte range; a second way to say what a character is.
uint32_t table_length(const std::string& s) {
  const auto in = [&](size_t i, int low, int high) {
    return i < s.size() && static_cast<unsigned char>(s[i]) >= low && static_cast<unsigned char>(s[i]) <= high;
  };
  if (in(0, 0x00, 0x7F)) return 1;
  if (in(0, 0xC2, 0xDF) && in(1, 0x80, 0xBF)) return 2;
  const bool tail3 = in(2, 0x80, 0xBF);
  if (in(0, 0xE0, 0xE0) && in(1, 0xA0, 0xBF) && tail3) return 3;
  if (in(0, 0xE1, 0xEC) && in(1, 0x80, 0xBF) && tail3) return 3;
  if (in(0, 0xED, 0xED) && in(1, 0x80, 0x9F) && tail3) return 3;
  if (in(0, 0xEE, 0xEF) && in(1, 0x80, 0xBF) && tail3) return 3;
  const bool tail4 = tail3 && in(3, 0x80, 0xBF);
  if (in(0, 0xF0, 0xF0) && in(1, 0x90, 0xBF) && tail4) return 4;
  if (in(0, 0xF1, 0xF3) && in(1, 0x80, 0xBF) && tail4) return 4;
  if (in(0, 0xF4, 0xF4) && in(1, 0x80, 0x8F) && tail4) return 4;
  return 0;
}

TEST(Utf8, EveryCodePointComesBack) {
  for (uint32_t code = 0; code <= 0x10FFFF; ++code) {
    std::string text;
    utf8_append(text, code);
    const Utf8Char c = utf8_decode(text, 0);
    if (code >= 0xD800 && code <= 0xDFFF) {
      ASSERT_EQ(c.length, 0u) << code;
      continue;
    }
    ASSERT_EQ(c.code, code);
    ASSERT_EQ(c.length, text.size());
    ASSERT_EQ(utf8_decode(text.substr(0, text.size() - 1), 0).length, 0u) << "cut, " << code;
  }
}

TEST(Utf8, SameCharactersAsTheTable) {
  const unsigned edges[] = {0x00, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF,
                            0xE0, 0xE1, 0xEC, 0xED, 0xEE, 0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xFF};
  for (const unsigned a : edges) {
    for (const unsigned b : edges) {
      for (const unsigned c : edges) {
        for (const unsigned d : edges) {
          const std::string text = {static_cast<char>(a), static_cast<char>(b), static_cast<char>(c), static_cast<char>(d)};
          ASSERT_EQ(utf8_decode(text, 0).length, table_length(text)) << a << ' ' << b << ' ' << c << ' ' << d;
        }
      }
    }
  }
}

TEST(Utf8, PositionsAndEnds) {
  const std::string text = "a\xC3\xA9z";
  EXPECT_EQ(utf8_decode(text, 1).code, 0xE9u);
  EXPECT_EQ(utf8_decode(text, 2).length, 0u);
  EXPECT_EQ(utf8_decode(text, 3).code, static_cast<uint32_t>('z'));
  EXPECT_EQ(utf8_decode(text, 4).length, 0u);
  EXPECT_TRUE(utf8_valid(text));
  EXPECT_FALSE(utf8_valid(text.substr(0, 2)));
  EXPECT_TRUE(utf8_valid(""));
}

// What is there of a character is what some whole character begins with, and one byte more is not.
TEST(Utf8, BeginningsAreThoseOfCharacters) {
  const unsigned edges[] = {0x00, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF,
                            0xE0, 0xE1, 0xEC, 0xED, 0xEE, 0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xFF};
  const auto can_become = [&](std::string text) {
    while (text.size() < 4) text += "\x80";
    for (const char third : {'\x80', '\x9F', '\xA0', '\xBF'}) {
      for (const char second : {'\x80', '\x90', '\xA0'}) {
        std::string filled = text;
        filled[1] = text[1] == '\x80' ? second : text[1];
        filled[2] = text[2] == '\x80' ? third : text[2];
        if (table_length(filled) != 0) return true;
      }
    }
    return false;
  };
  for (const unsigned a : edges) {
    for (const unsigned b : edges) {
      for (const unsigned c : edges) {
        for (const unsigned d : edges) {
          const std::string text = {static_cast<char>(a), static_cast<char>(b), static_cast<char>(c), static_cast<char>(d)};
          const uint32_t whole = table_length(text);
          for (size_t size = 1; size <= 4; ++size) {
            const Utf8Begun begun = utf8_begun(text.substr(0, size), 0);
            if (whole != 0) {
              ASSERT_EQ(begun.needed, whole);
              ASSERT_EQ(begun.length, std::min<size_t>(whole, size));
            } else if (begun.length == 0) {
              ASSERT_EQ(begun.needed, 0u);
              ASSERT_FALSE(can_become(text.substr(0, 1))) << a;
            } else {
              ASSERT_LT(begun.length, begun.needed);
              ASSERT_TRUE(can_become(text.substr(0, begun.length))) << a << ' ' << b << ' ' << c;
              if (begun.length < size) {
                ASSERT_EQ(table_length(text.substr(0, begun.length + 1)), 0u);
              }
            }
          }
        }
      }
    }
  }
  EXPECT_EQ(utf8_begun("\xE0\x80", 0).length, 1u);
  EXPECT_EQ(utf8_begun("\xED\xA0", 0).length, 1u);
  EXPECT_EQ(utf8_begun("\xF4\x90", 0).length, 1u);
  EXPECT_EQ(utf8_begun("\xF0\x9F\x98", 0).length, 3u);
  EXPECT_EQ(utf8_begun("", 0).length, 0u);
}

}  // namespace
}  // namespace bankml
