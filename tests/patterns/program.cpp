// How repetitions are laid out, and what a match may begin with.
#include "core/patterns/program.h"

#include <gtest/gtest.h>

namespace bankml::patterns {
namespace {

TEST(PatternProgram, Sizes) {
  EXPECT_EQ(Program("").size(), 1u);
  EXPECT_EQ(Program("abc").size(), 4u);
  EXPECT_EQ(Program("a*").size(), 3u);
  EXPECT_EQ(Program("a+").size(), 3u);      // one part, passed again
  EXPECT_EQ(Program("a{1,}").size(), 4u);   // two parts
  EXPECT_EQ(Program("a{2,4}").size(), 7u);  // four parts, two of them optional
  EXPECT_EQ(Program("a{0}").size(), 1u);
  EXPECT_EQ(Program("(a|b|c)").size(), 8u);
  EXPECT_EQ(Program("(a)(b)").slots(), 6u);
}

TEST(PatternProgram, WhatAMatchMayBeginWith) {
  const Program word("tool");
  EXPECT_TRUE(word.may_begin('t'));
  EXPECT_FALSE(word.may_begin('o'));
  EXPECT_FALSE(word.may_be_empty());
  const Program star("^(a|b)*");
  EXPECT_TRUE(star.may_be_empty() && star.may_begin('z'));
  const Program either("\\b(?:x?y|[0-9])");
  for (int byte = 0; byte < 256; ++byte) {
    EXPECT_EQ(either.may_begin(static_cast<uint8_t>(byte)), byte == 'x' || byte == 'y' || (byte >= '0' && byte <= '9'));
  }
}

}  // namespace
}  // namespace bankml::patterns
