// Searches that go on: pieces of any length give the same, and no text or pattern takes more than its share.
#include "core/patterns/search.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/patterns/random_pattern.h"

namespace bankml::patterns {
namespace {

Slots found(const std::string& pattern, const std::string& text, Search::Where where = Search::anywhere) {
  const Program program(pattern);
  Search search(program, where);
  Scratch scratch;
  search.feed(text, scratch);
  Slots slots;
  return search.match(scratch, slots) ? slots : Slots{};
}

TEST(PatternSearch, OrderOfTryingAndGroups) {
  EXPECT_EQ(found("a|ab", "xab"), (Slots{1, 2}));
  EXPECT_EQ(found("ab|a", "xab"), (Slots{1, 3}));
  EXPECT_EQ(found("a*?b", "caab"), (Slots{1, 4}));
  EXPECT_EQ(found("(a*)*", "aa"), (Slots{0, 2, 2, 2}));  // two empty passes more
  EXPECT_EQ(found("(a|b)*?$", "ab"), (Slots{0, 2, 1, 2}));
  EXPECT_EQ(found("((a)|b)*", "ab"), (Slots{0, 2, 1, 2, 0, 1}));  // groups keep what an earlier pass left
  EXPECT_EQ(found("x(y)(z)?", "axy"), (Slots{1, 3, 2, 3, unset, unset}));
  EXPECT_EQ(found("a", "ba", Search::whole), Slots{});
  EXPECT_EQ(found("a|ab", "ab", Search::whole), (Slots{0, 2}));
  EXPECT_EQ(found("", ""), (Slots{0, 0}));
  EXPECT_EQ(found("$", "ab"), (Slots{2, 2}));
  EXPECT_EQ(found("\\bb", "a b"), (Slots{2, 3}));
  EXPECT_EQ(found("[^]", std::string(1, '\0')), (Slots{0, 1}));
}

TEST(PatternSearch, PiecesOfAnyLength) {
  std::mt19937 dice(5);
  for (int i = 0; i < 3000; ++i) {
    const Program program(random_pattern(dice));
    const std::string text = random_text(dice, 30);
    for (const Search::Where where : {Search::anywhere, Search::whole}) {
      Scratch scratch;
      Search at_once(program, where), in_pieces(program, where);
      at_once.feed(text, scratch);
      for (size_t at = 0; at < text.size();) {
        const size_t n = 1 + dice() % 5;
        Slots between;
        in_pieces.match(scratch, between);  // asking changes nothing
        in_pieces.feed(std::string_view(text).substr(at, n), scratch);
        at += n;
      }
      Slots a, b;
      const bool there = at_once.match(scratch, a);
      ASSERT_EQ(in_pieces.match(scratch, b), there);
      if (!there) a = b = {};
      ASSERT_EQ(a, b);
    }
  }
}

// Where a backtracking matcher doubles its ways with every byte, or its stack grows with the text.
TEST(PatternSearch, LongTexts) {
  const std::string a(100000, 'a');
  EXPECT_EQ(found("(a+)+$", a + "b"), Slots{});
  EXPECT_EQ(found("(a+)+$", a), (Slots{0, 100000, 0, 100000}));
  EXPECT_EQ(found("(a*)*", a), (Slots{0, 100000, 100000, 100000}));
  EXPECT_EQ(found("(a*)*c", a), Slots{});
  EXPECT_EQ(found("(a|aa)+$", a + "b"), Slots{});
  EXPECT_EQ(found("(a|aa)+$", a), (Slots{0, 100000, 99999, 100000}));
  EXPECT_EQ(found("([\\s\\S]*)(b)", a), Slots{});
  EXPECT_EQ(found("(a?){50}a{50}$", a + "b"), Slots{});
  EXPECT_EQ(found("(.*)(.*)(.*)(.*)(.*)x", a), Slots{});
  std::string nested = "a*";
  for (int i = 0; i < 40; ++i) nested = "(" + nested + "b*)*";
  EXPECT_EQ(found(nested + "x", a.substr(0, 1000)), Slots{});
}

// Of a text without end, a search keeps only what its program has.
TEST(PatternSearch, MemoryIsOfTheProgramNotOfTheText) {
  const Program program("(a|b)*?(c+)(d|e)x");
  Search search(program, Search::anywhere);
  Scratch scratch;
  const std::string text = "abcabccdabce";
  for (int i = 0; i < 10; ++i) search.feed(text, scratch);
  const size_t early = search.bytes();
  for (int i = 0; i < 20000; ++i) search.feed(text, scratch);
  EXPECT_LE(search.bytes(), 2 * early);
  EXPECT_LE(search.bytes(), sizeof search + 2 * program.size() * (program.slots() + 1) * sizeof(size_t));
}

}  // namespace
}  // namespace bankml::patterns
