// Every mask against the plain simulation, token by token: recorded grammars' kinds and random ones, random walks.
#include <gtest/gtest.h>

#include <cstdlib>
#include <random>

#include "tests/grammar/fixture.h"
#include "tests/grammar/random_grammar.h"
#include "tests/reference/plain_grammar.h"

namespace bankml::grammar {
namespace {

std::shared_ptr<const Vocab> odd_vocab() {
  return bytes_and({"ab",
                    "abc",
                    "ba",
                    "aab",
                    "bb",
                    "bbb",
                    "a\xC3\xA9",
                    "\xC3\xA9",
                    "\xC3\xA0",
                    "\xE2\x82",
                    "\xE2\x82\xAC",
                    "\x82\xAC",
                    "\xAC",
                    "\xAC"
                    "a",
                    "\xF0\x9F\x98\x80",
                    "\xF0\x9F",
                    "\x98\x80",
                    "\xC3"
                    "A",
                    "\xC0\x80",
                    "a\xC0\x80"
                    "b",
                    std::string("a\0b", 3),
                    "\xE2\x80",
                    "a\xE2",
                    "b\xC3",
                    "cc",
                    "c",
                    "ca",
                    "  ",
                    " a",
                    "aaaa",
                    "abab",
                    "\n\n",
                    "a\x80",
                    "\xF8\x80\x80\x80",
                    "d-",
                    "bc",
                    "cab",
                    "abcabc"});
}

// Walks `steps` tokens at most; at each place the mask, test and accept are compared. Returns the number of places.
size_t walk(const std::string& text, const std::shared_ptr<const Vocab>& vocab, std::mt19937& dice, size_t steps) {
  const Rules rules = parse_gbnf(text, {"root", 1000000, [](std::string_view) { return int64_t{-1}; }});
  reference::PlainGrammar plain(rules, *vocab);
  Options options;
  if (dice() % 2 == 0)
    options.plain_nodes = static_cast<uint32_t>(dice() % 8);  // so that regions and groups occur in small vocabularies too
  if (dice() % 2 == 0) options.settled_level = static_cast<uint32_t>(3 + dice() % 3);
  const auto made = Grammar::from_gbnf(vocab, text, options);
  ErrorText error;
  size_t places = 0;
  for (size_t step = 0; step < steps && plain.stack_count() < 300; ++step) {
    const std::vector<uint32_t> words = made->mask();
    std::vector<int32_t> ids;
    for (int32_t token = 0; token < static_cast<int32_t>(vocab->size()); ++token) {
      const bool expected = plain.allows(token);
      EXPECT_EQ((words[static_cast<size_t>(token) / 32] >> (token % 32) & 1) != 0, expected)
          << text << " step " << step << " token " << token;
      EXPECT_EQ(made->test(token), expected) << text << " step " << step << " token " << token;
      if (expected && !vocab->is_eog(token)) ids.push_back(token);
    }
    ++places;
    if (testing::Test::HasFailure()) return places;
    EXPECT_EQ(made->is_complete(), plain.complete()) << text;
    EXPECT_EQ(made->is_dead(), ids.empty() && !plain.complete()) << text;
    // Mostly an allowed token, sometimes any: accept has rules of its own.
    const auto any = static_cast<int32_t>(dice() % vocab->size());
    const bool stray = ids.empty() || dice() % 8 == 0;
    const int32_t token = stray ? any : ids[dice() % ids.size()];
    const bool taken = plain.accept(token);
    EXPECT_EQ(made->accept(&token, 1, error) == Status::ok, taken)
        << text << " step " << step << " token " << token << error.c_str();
    if (ids.empty() && !taken) break;
  }
  return places;
}

TEST(Masks, FixedGrammars) {
  const auto vocab = odd_vocab();
  std::mt19937 dice(1);
  for (const char* text :
       {"root ::= \"a\"*", "root ::= [a-c]+ \"d\"?", "root ::= .*", "root ::= [^\\u00e9]*", "root ::= \"\\u20ac\" \"a\"",
        "root ::= [^a]+", "root ::= \"a\" !<[97]> \"b\"", "root ::= <[256]> \"c\"", "root ::= !<[5]>*",
        "root ::= ([ab] root)? \"c\"", "root ::= s\ns ::= \"a\" s \"b\" | \"a\" s \"c\" | \"b\"", "root ::= \"ab\"{0,40} \"c\"",
        "root ::= (\"a\" | \"b\"){3,60} \"d\"", "root ::= v\nv ::= \"a\" (v (\"b\" v)*)? \"c\" | \"b\"",
        "root ::= e root | \"b\"\ne ::= f\nf ::= | \"c\"", "root ::= [\\u2028-\\u2020]", "root ::= \"\\x00\" | [^b]",
        "root ::= (\"a\"*)* \"b\"", "root ::= x y | x z\nx ::= \"a\" | \"ab\"\ny ::= \"bc\"\nz ::= \"c\""}) {
    for (int repeat = 0; repeat < 20; ++repeat) {
      walk(text, vocab, dice, 30);
      ASSERT_FALSE(HasFailure());
    }
  }
}

TEST(Masks, RandomGrammars) {
  const auto vocab = odd_vocab();
  const bool long_run = std::getenv("BANKML_TEST_LONG") != nullptr;
  const size_t wanted = affordable(long_run ? 1000000 : 100000);
  std::mt19937 dice(2);
  size_t places = 0, grammars = 0;
  while (places < wanted) {
    const std::string text = random_grammar(dice);
    if (parse_message(text) != "ok") continue;
    ++grammars;
    for (int repeat = 0; repeat < 3; ++repeat) places += walk(text, vocab, dice, 16);
    ASSERT_FALSE(HasFailure()) << text;
  }
  RecordProperty("grammars", static_cast<int>(grammars));
}

}  // namespace
}  // namespace bankml::grammar
