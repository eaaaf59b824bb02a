// Every answer against the std::regex of the machine: what is found in each prefix, groups included, by one search that goes on;
// and which patterns are refused.
#include <gtest/gtest.h>

#include <climits>
#include <cstdlib>
#include <iostream>
#include <optional>
#include <regex>

#include "core/base/status.h"
#include "core/patterns/parser.h"
#include "core/patterns/search.h"
#include "tests/patterns/random_pattern.h"

namespace bankml::patterns {
namespace {

size_t cases(size_t usual) { return std::getenv("BANKML_TEST_LONG") != nullptr ? usual * 20 : usual; }

std::string shown(const Slots& slots) {
  std::string out;
  for (size_t i = 0; i + 1 < slots.size(); i += 2)
    out += slots[i + 1] == unset ? "- " : std::to_string(slots[i]) + ":" + std::to_string(slots[i + 1]) + " ";
  return out;
}

std::string shown(const std::smatch& match) {
  std::string out;
  for (size_t i = 0; i < match.size(); ++i) {
    const auto begin = match.position(i);
    out += match[i].matched ? std::to_string(begin) + ":" + std::to_string(begin + match.length(i)) + " " : "- ";
  }
  return out;
}

TEST(AgainstStd, RandomPatternsAndTextsPrefixByPrefix) {
  std::mt19937 dice(7);
  size_t compared = 0, found = 0;
  const size_t wanted = cases(100000);
  while (compared < wanted) {
    const std::string pattern = random_pattern(dice);
    if (pattern.size() > 40 || loops_of(pattern) > 5) continue;  // std::regex would take too long
    std::regex theirs;
    std::optional<Program> ours;
    try {
      theirs = std::regex(pattern);
    } catch (const std::regex_error&) {
      EXPECT_THROW(Program{pattern}, Failure) << pattern;
      continue;
    }
    ASSERT_NO_THROW(ours.emplace(pattern)) << pattern;
    Scratch scratch;
    for (int t = 0; t < 4; ++t) {
      const std::string text = random_text(dice, 6);
      Search anywhere(*ours, Search::anywhere), whole(*ours, Search::whole);
      for (size_t n = 0; n <= text.size(); ++n, ++compared) {
        const std::string prefix = text.substr(0, n);
        if (n > 0) {
          anywhere.feed(prefix.substr(n - 1), scratch);
          whole.feed(prefix.substr(n - 1), scratch);
        }
        std::smatch match;
        Slots slots;
        const bool there = std::regex_search(prefix, match, theirs);
        ASSERT_EQ(anywhere.match(scratch, slots), there) << pattern << " in '" << prefix << "'";
        if (there) {
          ASSERT_EQ(shown(slots), shown(match)) << pattern << " in '" << prefix << "'";
        }
        const bool all = std::regex_match(prefix, match, theirs);
        ASSERT_EQ(whole.match(scratch, slots), all) << pattern << " is '" << prefix << "'";
        if (all) {
          ASSERT_EQ(shown(slots), shown(match)) << pattern << " is '" << prefix << "'";
        }
        found += there ? 1 : 0;
      }
    }
  }
  EXPECT_GT(found, compared / 4);
  EXPECT_LT(found, compared);
}

// Byte sets: one set of all 256 bytes from each class, range and negation.
TEST(AgainstStd, SetsOfBytes) {
  for (const char* pattern :
       {".",           "\\w",         "\\W",          "\\d",         "\\D",           "\\s",         "\\S",
        "[\\s\\S]",    "[^\\w\\s]",   "[[:alnum:]]",  "[[:alpha:]]", "[[:blank:]]",   "[[:cntrl:]]", "[[:digit:]]",
        "[[:graph:]]", "[[:lower:]]", "[[:print:]]",  "[[:punct:]]", "[[:space:]]",   "[[:upper:]]", "[[:xdigit:]]",
        "[[:w:]]",     "[[:D:]]",     "[[:ALPHA:]x]", "[]",          "[^]",           "\\0",         "[\\b]",
        "\\cA",        "\\u20ac",     "\\/",          "[\\/-9]",     "[--0]",         "[a-]",        "[-a]",
        "[a-c-e]",     "[!--]",       "[\\]\\-a]",    "\\p",         "[\\x80-\\xff]", "[\\x80-a]",   "[^\\x80-\\xff]"}) {
    if (CHAR_MIN == 0 && std::string(pattern).find("x80") != std::string::npos) continue;  // signed characters are meant
    const std::regex theirs(pattern);
    const Program ours(pattern);
    Scratch scratch;
    for (int byte = 0; byte < 256; ++byte) {
      const std::string text(1, static_cast<char>(byte));
      Search whole(ours, Search::whole);
      whole.feed(text, scratch);
      Slots slots;
      EXPECT_EQ(whole.match(scratch, slots), std::regex_match(text, theirs)) << pattern << " byte " << byte;
    }
  }
}

// Patterns with one damage: both refuse, or neither; but for what is not supported here.
TEST(AgainstStd, RefusedPatterns) {
  static const char bytes[] = "()[]{}|*+?^$\\.-,:=!<>abdwsBx0129u\n ";
  std::mt19937 dice(8);
  size_t refused = 0, unsupported = 0;
  for (size_t i = 0; i < cases(30000); ++i) {
    std::string pattern = random_pattern(dice, 2);
    for (auto d = 1 + dice() % 3; d > 0; --d) pattern.insert(dice() % (pattern.size() + 1), 1, bytes[dice() % (sizeof bytes - 1)]);
    bool theirs = true;
    try {
      std::regex made(pattern);
    } catch (const std::regex_error&) {
      theirs = false;
    }
    try {
      Program made(pattern);
      EXPECT_TRUE(theirs) << pattern;
    } catch (const Failure& failure) {
      if (failure.text().find("not supported") != std::string::npos) {
        ++unsupported;
        continue;
      }
      EXPECT_FALSE(theirs && failure.status() == Status::parse) << pattern << ": " << failure.text();
      ++refused;
    }
  }
  EXPECT_GT(refused, 1000u);
  EXPECT_GT(unsupported, 10u);
}

}  // namespace
}  // namespace bankml::patterns
