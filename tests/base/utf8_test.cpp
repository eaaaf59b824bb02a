// core/base/utf8.h: every code point both ways, and everything that is not UTF-8.
#include "core/base/utf8.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace bankml
