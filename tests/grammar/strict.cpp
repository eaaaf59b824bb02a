// The strict byte layer: every mask, test and accept against the plain simulation on bytes, and what it promises in words.
#include <gtest/gtest.h>

#include <cstdlib>
#include <random>

#include "tests/grammar/fixture.h"
#include "tests/grammar/random_grammar.h"
#include "tests/reference/plain_strict_grammar.h"

namespace bankml::grammar {
namespace {

Options strict_options() {
  Options options;
  options.decoding = Decoding::strict;
  return options;
}

// Pieces that end or begin inside characters, damaged ones, NUL; an unused and a control token that spell "a", two end tokens.
std::shared_ptr<const Vocab> odd_vocab() {
  std::vector<std::string> pieces;
  for (int i = 0; i < 256; ++i) pieces.emplace_back(1, static_cast<char>(i));
  for (const char* text : {"ab", "abc", "ba", "bb", "a\xC3\xA9", "\xC3\xA9", "\xE2\x82", "\xE2\x82\xAC", "\x82\xAC", "\xAC\x61",
                           "\xF0\x9F\x98\x80", "\xF0\x9F", "\x98\x80", "\x9F\x98", "\xC3\x41", "\xC0\x80", "a\xE2", "b\xC3",
                           "a\x80",
                           "\xED\xA0", "\xED\xA0\x80", "\xED\x9F", "\xF4\x90", "\xF4\x8F", "\xE0\x80", "\xE0\xA0", "\xA9\xC3",
                           "\xA9\x62\xE2\x82", "  ", " a", "aaaa", "abab", "\n\n", "\xF8\x80\x80\x80", "cc", "cab"})
    pieces.emplace_back(text);
  pieces.emplace_back("a\0b", 3);
  pieces.emplace_back("");
  pieces.emplace_back("a");  // unused
  pieces.emplace_back("a");  // control
  pieces.emplace_back("</s>");
  pieces.emplace_back("a");  // an end token by its flag
  std::string bytes;
  std::vector<size_t> offsets{0};
  for (const std::string& piece : pieces) {
    bytes += piece;
    offsets.push_back(bytes.size());
  }
  std::vector<uint32_t> flags(pieces.size());
  const size_t n = pieces.size();
  flags[n - 4] = token_unused;
  flags[n - 3] = token_control;
  flags[n - 1] = token_eog;
  return Vocab::from_pieces(reinterpret_cast<const uint8_t*>(bytes.data()), offsets.data(), flags.data(), n,
                            static_cast<int32_t>(n - 2), -1);
}

size_t walk(const std::string& text, const std::shared_ptr<const Vocab>& vocab, std::mt19937& dice, size_t steps) {
  const Rules rules = parse_gbnf(text, {"root", 1000000, [](std::string_view) { return int64_t{-1}; }});
  reference::PlainStrictGrammar plain(rules, *vocab);
  Options options = strict_options();
  if (dice() % 2 == 0) options.plain_nodes = static_cast<uint32_t>(dice() % 8);
  if (dice() % 2 == 0) options.settled_level = static_cast<uint32_t>(3 + dice() % 3);
  const auto made = Grammar::from_gbnf(vocab, text, options);
  ErrorText error;
  size_t places = 0;
  for (size_t step = 0; step < steps && plain.stack_count() < 200; ++step) {
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
    EXPECT_EQ(made->is_complete(), plain.complete()) << text;
    EXPECT_EQ(made->is_dead(), plain.dead()) << text;
    // Without a dead end: something is allowed wherever the text has come.
    EXPECT_TRUE(!ids.empty() || plain.complete() || step == 0) << text << " step " << step;
    if (testing::Test::HasFailure()) return places;
    const bool stray = ids.empty() || dice() % 8 == 0;
    const int32_t token = stray ? static_cast<int32_t>(dice() % vocab->size()) : ids[dice() % ids.size()];
    const bool taken = plain.accept(token);
    EXPECT_EQ(made->accept(&token, 1, error) == Status::ok, taken) << text << " step " << step << " token " << token;
    if (ids.empty() && !taken) break;
  }
  return places;
}

TEST(StrictMasks, FixedGrammars) {
  const auto vocab = odd_vocab();
  std::mt19937 dice(1);
  for (const char* text :
       {"root ::= .*", "root ::= [^\\u00e9]*", "root ::= \"\\u20ac\" \"a\"", "root ::= [^a]+", "root ::= \"a\" !<[97]> \"b\"",
        "root ::= <[294]> \"c\"", "root ::= !<[5]>*", "root ::= [\\u0800-\\u20ac]+", "root ::= [\\U00010000-\\U0010FFFF]*",
        "root ::= [\\uD800-\\uDFFF] | \"b\"", "root ::= \"a\" ([\\uD7FF-\\uE000] \"b\")*", "root ::= \"a\" \"\\x00\" \"b\"",
        "root ::= ([ab] root)? \"c\"", "root ::= \"ab\"{0,40} \"c\"", "root ::= [^\\x00-\\uFFFF]{2,60}",
        "root ::= s | \"a\" t\ns ::= \"x\" s\nt ::= [z-a] | t2 \"b\"\nt2 ::= <[100000]> | \"b\"", "root ::= \"x\" root",
        "root ::= (\"a\" | <[97]>) [\\u00e9\\u20ac]", "root ::= (\"\\u00e9\" | <[195]>) \"a\"?"}) {
    for (size_t repeat = 0; repeat < affordable(20); ++repeat) {
      walk(text, vocab, dice, 30);
      ASSERT_FALSE(HasFailure());
    }
  }
}

TEST(StrictMasks, RandomGrammars) {
  const auto vocab = odd_vocab();
  const size_t wanted = affordable(std::getenv("BANKML_TEST_LONG") != nullptr ? 100000 : 3000);
  std::mt19937 dice(2);
  for (size_t places = 0; places < wanted;) {
    const std::string text = random_grammar(dice);
    if (parse_message(text) != "ok") continue;
    for (int repeat = 0; repeat < 3; ++repeat) places += walk(text, vocab, dice, 16);
    ASSERT_FALSE(HasFailure()) << text;
  }
}

TEST(Strict, a_text_without_an_end_is_dead_from_the_start) {
  const auto vocab = odd_vocab();
  for (const char* text : {"root ::= \"x\" root", "root ::= [\\uD800-\\uDFFF]", "root ::= <[100000]>",
                           "root ::= [z-a] | [^\\x00-\\U0010FFFF]"}) {
    EXPECT_TRUE(Grammar::from_gbnf(vocab, text, strict_options())->is_dead()) << text;
  }
}

TEST(Strict, end_tokens_only_where_the_text_is_complete) {
  const auto vocab = odd_vocab();
  const auto grammar = Grammar::from_gbnf(vocab, "root ::= \"a\" \"\\u00e9\"*", strict_options());
  const auto ends = vocab->eog_tokens();
  ErrorText error;
  const int32_t tokens[] = {'a', 0xC3, 0xA9};
  const bool complete[] = {true, false, true};
  for (int i = 0; i < 3; ++i) {
    ASSERT_EQ(grammar->accept(&tokens[i], 1, error), Status::ok);
    EXPECT_EQ(grammar->is_complete(), complete[i]);
    for (const int32_t end : ends) {
      EXPECT_EQ(grammar->test(end), complete[i]);
      EXPECT_EQ(grammar->accept(&end, 1, error) == Status::ok, complete[i]);
    }
  }
}

TEST(Strict, saved_bytes_belong_to_their_byte_layer) {
  const auto vocab = odd_vocab();
  const auto loose = Grammar::from_gbnf(vocab, "root ::= .*", {});
  const auto strict = Grammar::from_gbnf(vocab, "root ::= .*", strict_options());
  EXPECT_THROW(strict->load(loose->save()), Failure);
  EXPECT_NO_THROW(strict->load(strict->save()));
}

}  // namespace
}  // namespace bankml::grammar
