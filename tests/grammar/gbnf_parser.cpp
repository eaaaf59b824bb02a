// GBNF text: what each construct means, every refusal with its text and place, the limits.
#include <gtest/gtest.h>

#include "tests/grammar/fixture.h"

namespace bankml::grammar {
namespace {

TEST(GbnfParser, MeaningsOfText) {
  struct Case {
    const char* grammar;
    const char* text;
    bool matched;
  };
  for (const Case& c : std::initializer_list<Case>{{"root ::= [] \"a\"", "a", true},
                                                   {"root ::= [^]", "", true},
                                                   {"root ::= [^]", "a", false},
                                                   {"root ::=", "", true},
                                                   {"root ::= (\"a\"\n| \"b\")", "b", true},
                                                   {"root ::= \"a\"{ 1 , 2 }", "aa", true},
                                                   {"root ::= \"a\"{ 1 , 2 }", "aaa", false},
                                                   {"root ::= (\"a\"*)*", "aaa", true},
                                                   {"root ::= (\"a\"*)*", "", true},
                                                   {"root ::= \"a\"+?", "", true},
                                                   {"root ::= \"a\"+?", "aa", true},
                                                   {"root ::= \"ab\"*", "abab", true},
                                                   {"root ::= \"ab\"*", "aba", false},
                                                   {"root ::= \"a\"\nroot ::= \"b\"", "b", true},
                                                   {"root ::= \"a\"\nroot ::= \"b\"", "a", false},
                                                   {"root ::= [a-c-e]+", "abc-e", true},
                                                   {"root ::= [a-c-e]+", "d", false},
                                                   {"root ::= [^z-a]", "m", true},
                                                   {"root ::= [z-a]", "m", false},
                                                   {"root ::= [a\\-z]", "-", true},
                                                   {"root ::= [a\\-z]", "m", false},
                                                   {"root ::= [\\--a]", "0", true},
                                                   {"root ::= [\\--a]", ",", false},
                                                   {"root ::= [+\\--9]", "+", true},
                                                   {"root ::= [+\\--9]", "5", true},
                                                   {"root ::= [+\\--9]", ",", false},
                                                   {"root ::= \"\\x41\\u00e9\\U0001F600\"", "A\xC3\xA9\xF0\x9F\x98\x80", true},
                                                   {"root ::= \"a\nb\"", "a\nb", true},
                                                   {"root ::= .", "\n", true},
                                                   {"root ::= .", "\xF0\x9F\x98\x80", true},
                                                   {"root ::= .", "ab", false},
                                                   {"root ::= \"a\" # \"b\"", "a", true},
                                                   {"root ::= 9-x\n9-x ::= \"q\"", "q", true},
                                                   {"root ::= (\"a\" # c\n{ 2 ,\n 3 })", "aaa", true},
                                                   {"root ::= (\"a\" # c\n{ 2 ,\n 3 })", "a", false},
                                                   {"root ::= \"b\"{0}", "", true},
                                                   {"root ::= \"a\" foo{0}", "a", true},
                                                   {"\r\n# c\rroot ::= \"a\"\r\n\r\nx ::= \"b\"\r", "a", true},
                                                   {"root ::= \"a\" | ", "", true},
                                                   {"root ::= \"\xC3\xA9\"", "\xC3\xA9", true},
                                                   {"root ::= \"a\"{2}{2}", "aaaa", true},
                                                   {"root ::= \"a\"{2}{2}", "aaa", false}}) {
    EXPECT_EQ(matches(c.grammar, c.text), c.matched) << c.grammar << " on " << c.text;
  }
}

TEST(GbnfParser, BoundsOfRepetition) {
  const auto times = [](size_t n) { return std::string(n, 'a'); };
  EXPECT_TRUE(matches("root ::= \"a\"{0,2000}", times(2000)));
  EXPECT_FALSE(matches("root ::= \"a\"{0,2000}", times(2001)));
  EXPECT_TRUE(matches("root ::= \"a\"{0,2001}", times(3000)));  // silently without a bound
  EXPECT_TRUE(matches("root ::= \"a\"{5,3000}", times(4000)));
  EXPECT_TRUE(matches("root ::= \"a\"{2000}", times(2000)));
  EXPECT_FALSE(matches("root ::= \"a\"{2000}", times(1999)));
  const std::string many = "number of repetitions exceeds sane defaults, please reduce the number of repetitions";
  const std::string product =
      "number of rules that are going to be repeated multiplied by the new repetition exceeds sane defaults, please reduce the "
      "number "
      "of repetitions or rule complexity";
  EXPECT_EQ(parse_message("root ::= \"a\"{2001}"), many);
  EXPECT_EQ(parse_message("root ::= \"a\"{2001,}"), many);
  EXPECT_EQ(parse_message("root ::= \"a\"{44}{45}"), "ok");
  EXPECT_EQ(parse_message("root ::= \"a\"{40}{50}"), "ok");
  EXPECT_EQ(parse_message("root ::= \"a\"{45}{45}"), product);
  EXPECT_EQ(parse_message("root ::= \"a\"{3}{667}"), product);
  EXPECT_EQ(parse_message("root ::= \"a\"{5,3}"), "the repetition {5,3} has a maximum below its minimum");
  EXPECT_EQ(parse_message("root ::= \"a\"{5,0}"), "the repetition {5,0} has a maximum below its minimum");
  for (const int n : {1999, 2000}) {  // a group weighs the symbols that it created, itself among them
    std::string group, rules;
    for (int i = 0; i < n; ++i) {
      group += (i == 0 ? "x" : "|x") + std::to_string(i);
      rules += "x" + std::to_string(i) + " ::= \"a\"\n";
    }
    EXPECT_EQ(parse_message("root ::= (" + group + ")?\n" + rules), n == 1999 ? "ok" : product);
  }
}

TEST(GbnfParser, Refusals) {
  ParseSetup setup;
  setup.token_of_text = [](std::string_view text) { return text == "<ok>" ? int64_t{5} : int64_t{-1}; };
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"root ::= \"a\"\n| \"b\"", "expecting name at | \"b\""},
      {"root ::= \"a\" |\nfoo ::= \"b\"", "expecting newline or end at ::= \"b\""},
      {"root ::=\nfoo ::= \"a\"", "expecting newline or end at ::= \"a\""},
      {"a_b ::= \"x\"\nroot ::= a_b", "expecting ::= at _b ::= \"x\"\nroot ::= a_b"},
      {"root ::= \"a\"{,3}", "expecting an int at ,3}"},
      {"root ::= \"a\"{3;", "expecting ',' at ;"},
      {"root ::= \"a\"{3,4;", "expecting '}' at ;"},
      {"root ::= \"a\"{99999999999999999999}", "stoull"},
      {"root ::= foo*", "Undefined rule"},
      {"root ::= foo", "Undefined rule identifier 'foo'"},
      {"rot ::= \"a\"", "grammar does not contain a 'root' symbol"},
      {"", "failed to parse grammar: it has no rules"},
      {"root ::= \"\"*", "expecting preceding item to */+/?/{ at "},
      {"root ::= \"a\" []* \"c\"", "expecting preceding item to */+/?/{ at \"c\""},
      {"root ::= *", "expecting preceding item to */+/?/{ at "},
      {"root ::= \"a\"{0}{2}", "expecting preceding item to */+/?/{ at "},
      {"root ::= [\\^a]", "unknown escape at \\^a]"},
      {"root ::= \"\\", "unknown escape at \\"},
      {"root ::= \"\\xg1\"", "expecting 2 hex chars at g1\""},
      {"root ::= \"\\u12\"", "expecting 4 hex chars at 12\""},
      {"root ::= []a]", "expecting newline or end at ]"},
      {"root ::= \"a", "unexpected end of input"},
      {"root ::= [a", "unexpected end of input"},
      {"root ::= [a-", "unexpected end of input"},
      {"root ::= (\"a\"", "expecting ')' at "},
      {"root ::= (\"a\" ]", "expecting ')' at ]"},
      {"\xEF\xBB\xBFroot ::= \"a\"", "expecting name at \xEF\xBB\xBFroot ::= \"a\""},
      {"root ::= <[4294967296]>", "parsed token id is too big at 4294967296]>"},
      {"root ::= <[99999999999999999999]>", "stoul"},
      {"root ::= <[x]>", "expecting integer at x]>"},
      {"root ::= <[5}>", "expecting ']' at }>"},
      {"root ::= <[5]x", "expecting '>' at x"},
      {"root ::= !a", "expecting '<' at a"},
      {"root ::= <abc", "expecting '>' at "},
      {"root ::= <no>", "invalid token '<no>'"},
      {"root ::= <ok> !<ok>", "ok"},
      {"root ::= <[4294967295]>", "ok"}};
  for (const auto& [text, message] : cases) EXPECT_EQ(parse_message(text, setup), message) << text;
  EXPECT_EQ(parse_message("root ::= <ok"), "no vocab to parse token at <ok");  // before the missing '>'
}

TEST(GbnfParser, ErrorsSayWhere) {
  try {
    parse_gbnf("root ::= \"a\"\r\nb ::= \"b\"\n c ::= )", {});
    FAIL();
  } catch (const GbnfError& error) {
    EXPECT_EQ(error.text(), "grammar, line 3, column 8: expecting newline or end at )");
    EXPECT_EQ(error.line(), 3u);
    EXPECT_EQ(error.column(), 8u);
  }
}

TEST(GbnfParser, LimitsInsteadOfMemory) {
  ParseSetup setup;
  setup.max_elements = 10000;
  const std::string literal = "root ::= \"" + std::string(6000, 'a') + "\"";
  EXPECT_EQ(parse_message(literal, setup), "ok");
  EXPECT_EQ(parse_message(literal + "{2}", setup),
            "the grammar has more than max_states = 10000 elements once its repetitions are written out");
  EXPECT_EQ(parse_message("root ::= \"a\"{1000}{2}{1}", setup), "ok");
  // Depth costs memory only.
  EXPECT_EQ(parse_message("root ::= " + std::string(100000, '(') + "\"a\"" + std::string(100000, ')')), "ok");
}

}  // namespace
}  // namespace bankml::grammar
