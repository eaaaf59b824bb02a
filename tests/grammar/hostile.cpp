// Texts and walks meant to hang, to eat memory or to abort: a clear refusal, or the right answer within the limits. (Those of the
// reference's own faults, and who of them is refused: gbnf_parser.cpp, rule_checks.cpp.)
#include <gtest/gtest.h>

#include "tests/grammar/fixture.h"

namespace bankml::grammar {
namespace {

using Ids = std::vector<int32_t>;

Status take(Grammar& grammar, const Ids& tokens) {
  ErrorText error;
  return grammar.accept(tokens.data(), tokens.size(), error);
}
std::unique_ptr<Grammar> of(const std::string& text, const Options& options = {}) {
  static const auto vocab = bytes_and({"xx", "xxxxxxxx"});
  return Grammar::from_gbnf(vocab, text, options);
}
std::string again(const std::string& part, size_t n) {
  std::string out;
  for (size_t i = 0; i < n; ++i) out += part;
  return out;
}
std::string refused(const std::string& text) {
  const std::string message = parse_message(text);
  return message.substr(0, 40);
}

// Every list of stacks doubles with each x; 10,000 of them.
TEST(Hostile, AlternativesThatDouble) {
  const auto grammar = of("root ::= s\ns ::= \"x\" s \"y\" | \"x\" s \"z\" | \"w\"");
  ASSERT_EQ(take(*grammar, Ids(10000, 'x')), Status::ok);
  EXPECT_TRUE(grammar->test('w') && grammar->test(256) && grammar->test(257) && !grammar->test('y'));
  EXPECT_EQ(allowed(grammar->mask()), (Ids{'w', 'x', 256, 257}));
  ASSERT_EQ(take(*grammar, {'w'}), Status::ok);
  for (int i = 0; i < 10000; ++i) ASSERT_EQ(take(*grammar, {i % 3 == 0 ? 'y' : 'z'}), Status::ok);
  EXPECT_TRUE(grammar->is_complete());
  EXPECT_FALSE(grammar->test('y'));
}

TEST(Hostile, ManyOptionalsInARow) {
  const auto grammar = of("root ::= " + again("\"x\"? ", 200) + "\"y\"");
  EXPECT_TRUE(grammar->test(257));
  ASSERT_EQ(take(*grammar, Ids(25, 257)), Status::ok);
  EXPECT_EQ(allowed(grammar->mask()), Ids{'y'});
}

TEST(Hostile, BombsOfRepetitions) {
  for (const char* text : {"root ::= \"a\"{3,2}", "root ::= (\"a\"{3,2}){1,9}", "root ::= \"a\"{1,0}", "root ::= \"a\"{2000}{2000}",
                           "root ::= \"a\"{18446744073709551616}", "root ::= \"a\"{0,18446744073709551616}"})
    EXPECT_NE(parse_message(text), "ok") << text;
  EXPECT_EQ(refused("root ::= ((((\"a\"{50}){50}){50}){50}){50}"), "ok");                // five rules of fifty calls
  EXPECT_EQ(refused("root ::= b{0,2000}\nb ::= a{0,2000}\na ::= \"x\"{0,2000}"), "ok");  // each is within the limits
  EXPECT_EQ(refused("root ::= \"" + std::string(10000, 'a') + "\"{2000}").substr(0, 24), "the grammar has more tha");
  const auto nested = of("root ::= b{0,2000}\nb ::= a{1,2000}\na ::= \"x\"{1,2000}");
  ASSERT_EQ(take(*nested, Ids(50, 'x')), Status::ok);
  EXPECT_TRUE(nested->is_complete() && nested->test('x') && !nested->test('y'));
}

TEST(Hostile, DepthAndChains) {
  const size_t n = 100000;
  EXPECT_EQ(refused("root ::= " + std::string(n, '(')), "expecting ')' at ");
  EXPECT_EQ(refused("root ::= " + std::string(n, '(') + "\"a\"" + std::string(n, ')')), "ok");
  EXPECT_EQ(refused("root ::= " + std::string(n, ')')).substr(0, 27), "expecting newline or end at");
  EXPECT_EQ(refused("root ::= \"a\"" + std::string(n, '*')).substr(0, 35), "unsupported grammar, left recursion");
  EXPECT_EQ(refused("root ::= " + again("(\"a\" | ", n) + "\"b\"" + std::string(n, ')')), "ok");
  const auto deep = of("root ::= v\nv ::= \"[\" v \"]\" | \"x\"");
  ASSERT_EQ(take(*deep, Ids(20000, '[')), Status::ok);
  EXPECT_EQ(allowed(deep->mask()), (Ids{
                                       '[',
                                       'x',
                                   }));
  ASSERT_EQ(take(*deep, {'x'}), Status::ok);
  ASSERT_EQ(take(*deep, Ids(20000, ']')), Status::ok);
  EXPECT_TRUE(deep->is_complete());
}

// A rule that calls itself first, behind parts that may be empty in ways that the reference's check does not see.
TEST(Hostile, HiddenLeftRecursion) {
  for (const char* text :
       {"root ::= e root \"a\" | \"b\"\ne ::= f\nf ::= | \"x\"", "root ::= e e root \"a\" | \"b\"\ne ::= f f\nf ::= g\ng ::= \"\"",
        "root ::= a\na ::= n b \"1\" | \"a\"\nb ::= n c \"2\" | \"b\"\nc ::= n a \"3\" | \"c\"\nn ::= m\nm ::= | \"x\"",
        "root ::= (e root)? \"a\"\ne ::= f\nf ::= | \"x\""}) {
    EXPECT_NE(parse_message(text).find("left recursion"), std::string::npos) << text;
  }
}

TEST(Hostile, DamagedUtf8) {
  EXPECT_EQ(refused("root ::= \"\xE2\x82"), "unexpected end of input");
  EXPECT_EQ(refused("root ::= \"\xF0\""), "unexpected end of input");  // the lead byte takes the quote with it
  EXPECT_EQ(refused("root ::= [\xC3"), "unexpected end of input");
  EXPECT_EQ(refused("\xFFroot ::= \"a\"").substr(0, 17), "expecting name at");
  EXPECT_TRUE(matches("root ::= [\x80]", std::string(1, '\0')) || parse_message("root ::= [\x80]") == "ok");
  const auto any = of("root ::= .*");
  for (const Ids& tokens : {Ids{0xFF}, Ids{0xC3, 0xC3}, Ids{0x80}, Ids{0xE2, 'a'}, Ids{0xF5, 0x80}}) {
    take(*any, tokens);  // taken or refused, as the reference does; then all goes on
    EXPECT_TRUE(any->test('a') || any->test(0x80));
    any->reset();
  }
}

TEST(Hostile, RefusedTokensByTheThousand) {
  const auto grammar = of("root ::= [a-z]* \"1\"");
  ASSERT_EQ(take(*grammar, {'q'}), Status::ok);
  const std::vector<uint32_t> before = grammar->mask();
  const auto size = static_cast<int32_t>(grammar->vocab().size());
  for (int32_t token = -5; token < size + 5; ++token) {
    const bool inside = token >= 0 && token < size;
    const bool fits = inside && grammar->test(token);
    const Status status = take(*grammar, {'z', token});
    if (!inside) {
      EXPECT_EQ(status, Status::token) << token;
    }
    if (fits) {
      EXPECT_EQ(status, Status::ok) << token;
    }
    if (status == Status::ok) {  // perhaps of a piece without a whole character, which the reference takes in silence
      ErrorText error;
      EXPECT_EQ(grammar->rollback(2, error), Status::ok);
    } else if (inside) {
      EXPECT_EQ(status, Status::reject) << token;
    }
    ASSERT_EQ(grammar->mask(), before);
  }
  EXPECT_EQ(grammar->tokens(), Ids{'q'});
}

TEST(Hostile, TriggersThatBacktrackersDieOf) {
  Options options;
  options.lazy = true;
  options.triggers = {{Trigger::pattern, "(a+)+$x"}, {Trigger::pattern, "(a*)*b"}, {Trigger::pattern_full, "(a|aa)+c"}};
  const auto grammar = of("root ::= \"b\" | \"ac\" | [ac]+", options);
  ASSERT_EQ(take(*grammar, Ids(100000, 'a')), Status::ok);
  EXPECT_TRUE(grammar->waits());
  ASSERT_EQ(take(*grammar, {'c'}), Status::ok);
  EXPECT_FALSE(grammar->waits());
  options.triggers = {{Trigger::pattern, std::string(100000, '(') + std::string(100000, ')')}};
  EXPECT_THROW(of("root ::= \"a\"", options), Failure);
}

}  // namespace
}  // namespace bankml::grammar
