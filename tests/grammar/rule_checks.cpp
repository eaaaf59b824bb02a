// Left recursion as the reference sees it, and what it does not see.
#include <gtest/gtest.h>

#include "core/grammar/rule_checks.h"
#include "tests/grammar/fixture.h"

namespace bankml::grammar {
namespace {

std::string refused(const std::string& text) {
  const std::string message = parse_message(text);
  return message.rfind("unsupported grammar, left recursion", 0) == 0 ? "refused" : message;
}

TEST(RuleChecks, LeftRecursionOfTheReference) {
  for (const char* text :
       {"root ::= \"a\"**", "root ::= \"a\"*+", "root ::= \"a\"?*", "root ::= (\"a\" | )*", "root ::= ()*",
        "root ::= ws*\nws ::= | \" \"", "root ::= root \"a\" | \"b\"", "root ::= e\ne ::= i | b\ni ::= \"1\"\nb ::= e \"+\" e",
        "root ::= b root\nb ::= | \"x\"", "root ::= \"x\"\nunused ::= unused"}) {
    EXPECT_EQ(refused(text), "refused") << text;
  }
  for (const char* text : {"root ::= (\"a\"*)*", "root ::= (\"a\"?)*", "root ::= \"a\"*?", "root ::= \"a\"+*", "root ::= \"a\"+?",
                           "root ::= \"a\"??", "root ::= \"a\" root"}) {
    EXPECT_EQ(refused(text), "ok") << text;
  }
  EXPECT_EQ(parse_message("root ::= \"a\" x\nx ::= y\ny ::= x"),
            "unsupported grammar, left recursion detected for nonterminal at index 1 (rule 'x')");
}

TEST(RuleChecks, LeftRecursionThatTheReferenceDoesNotSee) {
  EXPECT_EQ(refused("root ::= e root \"a\" | \"b\"\ne ::= f\nf ::= | \"x\""), "refused");
  EXPECT_EQ(refused("root ::= \"ok\"\nunused ::= e unused \"a\" | \"b\"\ne ::= f\nf ::= | \"x\""), "ok");  // never expanded
  EXPECT_TRUE(matches("root ::= e root | \"b\"\ne ::= f\nf ::= | \"x\"", "xxb"));  // nothing piles up: normal meaning
  EXPECT_FALSE(matches("root ::= e root | \"b\"\ne ::= f\nf ::= | \"x\"", "xx"));
  EXPECT_EQ(refused("root ::= e root\ne ::= f\nf ::= \"\""), "ok");  // matches nothing; allows nothing
}

TEST(RuleChecks, LongChainsAndManyPaths) {
  std::string chain = "root ::= a0\n", doubled = "root ::= a0\n";
  for (int i = 0; i < 100000; ++i) chain += "a" + std::to_string(i) + " ::= a" + std::to_string(i + 1) + "\n";
  chain += "a100000 ::= \"x\"\n";
  EXPECT_TRUE(matches(chain, "x"));
  for (int i = 0; i < 60; ++i) {
    const std::string next = "a" + std::to_string(i + 1);
    doubled += "a" + std::to_string(i) + " ::= " + next + " \"x\" | " + next + " \"y\" | " + next + "\n";
  }
  doubled += "a60 ::= \"z\"\n";
  EXPECT_TRUE(matches(doubled, "zxyxy"));
  EXPECT_FALSE(matches(doubled, "xz"));
}

TEST(RuleChecks, Nullability) {
  const Rules rules = parse_gbnf("root ::= a b c\na ::= b b\nb ::= | \"x\"\nc ::= \"y\" | a", {});
  const std::vector<bool> nullable = nullable_rules(rules);
  EXPECT_EQ(nullable, (std::vector<bool>{true, true, true, true}));
}

}  // namespace
}  // namespace bankml::grammar
