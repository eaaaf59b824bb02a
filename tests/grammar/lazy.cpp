// Lazy grammars: what wakes them, what of the text they are given, and that everything is free until then.
#include <gtest/gtest.h>

#include "tests/grammar/fixture.h"

namespace bankml::grammar {
namespace {

using Ids = std::vector<int32_t>;

// Bytes, then ab 256, tool 257, : 258, y1 259; </s> 260, <s> 261, empty 262.
const std::shared_ptr<const Vocab>& vocab() {
  static const auto made = bytes_and({"ab", "tool", ":", "y1"});
  return made;
}
constexpr int32_t ab = 256, tool = 257, colon = 258, y1 = 259, eos = 260, bos = 261, nothing = 262;

Options lazy(std::vector<Trigger> triggers) {
  Options options;
  options.lazy = true;
  options.triggers = std::move(triggers);
  return options;
}
std::unique_ptr<Grammar> of(const std::string& text, std::vector<Trigger> triggers) {
  return Grammar::from_gbnf(vocab(), text, lazy(std::move(triggers)));
}
Status take(Grammar& grammar, const Ids& tokens) {
  ErrorText error;
  return grammar.accept(tokens.data(), tokens.size(), error);
}
Ids bytes_of(const std::string& text) {
  Ids ids;
  for (const char c : text) ids.push_back(static_cast<uint8_t>(c));
  return ids;
}
const Ids digits = bytes_of("0123456789");

void expect_free(Grammar& grammar) {
  EXPECT_TRUE(grammar.waits() && grammar.is_complete() && !grammar.is_dead());
  EXPECT_EQ(allowed(grammar.mask()).size(), vocab()->size());
  for (const int32_t token : {0, int32_t{'z'}, eos, bos, nothing}) EXPECT_TRUE(grammar.test(token));
  EXPECT_FALSE(grammar.test(static_cast<int32_t>(vocab()->size())));
  EXPECT_EQ(grammar.forced(), "");
}

std::string refusal(const std::vector<Trigger>& triggers) {
  try {
    of("root ::= \"a\"", triggers);
  } catch (const Failure& failure) {
    return std::to_string(static_cast<int>(failure.status())) + " " + failure.text();
  }
  return "ok";
}

TEST(Lazy, AWordAcrossTokens) {
  const auto grammar = of("root ::= \"tool:\" [0-9]+", {{Trigger::word, "tool:"}});
  expect_free(*grammar);
  EXPECT_EQ(take(*grammar, {'x', eos, 0, nothing, tool}), Status::ok);
  expect_free(*grammar);
  EXPECT_EQ(take(*grammar, {colon}), Status::ok);
  EXPECT_FALSE(grammar->waits());
  EXPECT_EQ(allowed(grammar->mask()), digits);
  EXPECT_FALSE(grammar->is_complete());
}

TEST(Lazy, TheFirstGroupThatIsNotEmptyBegins) {
  const auto grammar = of("root ::= \"y\" [0-9]+", {{Trigger::pattern, "x(y)(z)?"}});
  EXPECT_EQ(take(*grammar, {'a', 'x', 'y'}), Status::ok);
  EXPECT_EQ(allowed(grammar->mask()), digits);
  const auto second = of("root ::= \"b\" [0-9]+", {{Trigger::pattern, "a(x*)(b)"}});
  EXPECT_EQ(take(*second, {ab}), Status::ok);
  EXPECT_EQ(allowed(second->mask()), digits);
  const auto emptied = of("root ::= \"aab\"", {{Trigger::pattern, "(a*)*b"}});  // the last pass of the loop was empty
  EXPECT_EQ(take(*emptied, {'a', ab}), Status::ok);
  EXPECT_EQ(allowed(emptied->mask()), Ids{eos});
}

TEST(Lazy, TheTokenThatTheOffsetDividesCountsAsItsEnd) {
  const auto grammar = of("root ::= \"b\" [0-9]+", {{Trigger::pattern, "b"}});
  EXPECT_EQ(take(*grammar, {ab}), Status::ok);
  EXPECT_EQ(allowed(grammar->mask()), digits);
  const auto by_id = of("root ::= <[256]> [0-9]+", {{Trigger::pattern, "b"}});  // it keeps its number
  EXPECT_EQ(take(*by_id, {ab}), Status::ok);
  EXPECT_EQ(allowed(by_id->mask()), digits);
}

TEST(Lazy, TheTextBehindTheMatchIsGivenToo) {
  const auto grammar = of("root ::= \"a\" [0-9]+", {{Trigger::pattern, "a"}});
  EXPECT_EQ(take(*grammar, {'x'}), Status::ok);
  EXPECT_EQ(take(*grammar, {ab}), Status::reject);
  expect_free(*grammar);  // nothing changed
  EXPECT_EQ(grammar->tokens(), Ids{'x'});
  EXPECT_EQ(take(*grammar, {'a', '7'}), Status::ok);
  const auto more = of("root ::= \"y1\" [0-9]+", {{Trigger::word, "y"}});
  EXPECT_EQ(take(*more, {y1}), Status::ok);
  EXPECT_EQ(allowed(more->mask()), digits);
}

TEST(Lazy, FullPatterns) {
  const auto grammar = of("root ::= \"\\nb\" [0-9]+", {{Trigger::pattern_full, ".*b"}});
  EXPECT_EQ(take(*grammar, {'\n', 'b'}), Status::ok);  // . is no line end
  expect_free(*grammar);
  const auto all = of("root ::= \"xb\" [0-9]+", {{Trigger::pattern_full, ".*b"}});
  EXPECT_EQ(take(*all, {'x', 'b'}), Status::ok);
  EXPECT_EQ(allowed(all->mask()), digits);
  const auto nothing_yet = of("root ::= \"a\"", {{Trigger::pattern_full, ""}});  // ^$
  EXPECT_EQ(take(*nothing_yet, {nothing}), Status::ok);
  EXPECT_FALSE(nothing_yet->waits());
  EXPECT_EQ(allowed(nothing_yet->mask()), Ids{'a'});
  // Kept: `a|b` is `^a|b$`, found inside a text as well; a full match goes first.
  const auto loose = of("root ::= \"b\" [0-9]+", {{Trigger::pattern_full, "a|b"}});
  EXPECT_EQ(take(*loose, {'x', 'b'}), Status::ok);
  EXPECT_EQ(allowed(loose->mask()), digits);
  const auto full_first = of("root ::= \"b\" [0-9]+", {{Trigger::pattern, "^(ab)|a(b)$"}});
  EXPECT_EQ(take(*full_first, {'a'}), Status::ok);
  EXPECT_EQ(take(*full_first, {'b'}), Status::reject);  // the first alternative matches all: "ab" does not fit
  const auto escaped = of("root ::= \"$\" [0-9]+", {{Trigger::pattern_full,
                                                     ".*(\\$"
                                                     ")"}});
  EXPECT_EQ(take(*escaped, {'x', '$'}), Status::ok);
  EXPECT_EQ(allowed(escaped->mask()), digits);
}

TEST(Lazy, TokensAndClonesAndReset) {
  const auto grammar = of("root ::= \"a\" [0-9]+", {{Trigger::token, "", 'a'}});
  EXPECT_EQ(take(*grammar, {'b'}), Status::ok);
  expect_free(*grammar);
  const auto waiting = grammar->clone();
  EXPECT_EQ(take(*grammar, {'a'}), Status::ok);
  EXPECT_EQ(allowed(grammar->mask()), digits);
  const auto copy = grammar->clone();
  grammar->reset();
  expect_free(*grammar);
  expect_free(*waiting);
  EXPECT_EQ(allowed(copy->mask()), digits);
  // An end token as trigger is met by its text or its number, not as an end.
  const auto ends = of("root ::= <[260]> [0-9]+", {{Trigger::token, "", eos}});
  EXPECT_EQ(take(*ends, {eos}), Status::ok);
  EXPECT_EQ(allowed(ends->mask()), digits);
  const auto unfit = of("root ::= \"b\"", {{Trigger::token, "", 'a'}});
  EXPECT_EQ(take(*unfit, {'a'}), Status::reject);
  expect_free(*unfit);
}

TEST(Lazy, TheFirstPatternThatMatchesWins) {
  const auto grammar = of("root ::= [a-b]+ [0-9]+", {{Trigger::word, "zz"}, {Trigger::word, "b"}, {Trigger::word, "ab"}});
  EXPECT_EQ(take(*grammar, {'9', 'a', 'b'}), Status::ok);
  EXPECT_TRUE(grammar->test('7'));
  const auto empty = of("root ::= \"q\" [0-9]+", {{Trigger::pattern, ""}});  // with the first token
  EXPECT_EQ(take(*empty, {'x'}), Status::reject);
  EXPECT_EQ(take(*empty, {'q'}), Status::ok);
  EXPECT_EQ(allowed(empty->mask()), digits);
  const auto special = of("root ::= \"(.)\" [0-9]+", {{Trigger::word, "(.)"}});
  EXPECT_EQ(take(*special, bytes_of("(a)(.)")), Status::ok);
  EXPECT_EQ(allowed(special->mask()), digits);
}

TEST(Lazy, Refusals) {
  EXPECT_EQ(refusal({}), "1 Error: no triggers set for lazy grammar!");
  EXPECT_EQ(refusal({{Trigger::word, "w"}, {Trigger::pattern, "(a"}}), "30 trigger 1: pattern, position 1: '(' without a ')'");
  EXPECT_EQ(refusal({{Trigger::pattern, "(?<=a)b"}}), "30 trigger 0: pattern, position 1: look-behind '(?<' is not supported");
  EXPECT_EQ(refusal({{Trigger::token, "", 999}}), "3 trigger 0: token 999 is outside the vocabulary of 263");
  EXPECT_EQ(refusal({{Trigger::pattern, "(a{1000}){1000}"}}).substr(0, 3), "33 ");
  Options options = lazy({{Trigger::pattern, "(a"}});
  options.lazy = false;  // then they are not looked at
  EXPECT_EQ(allowed(Grammar::from_gbnf(vocab(), "root ::= \"a\"", options)->mask()), Ids{'a'});
}

TEST(Lazy, BackAndForthWhileWaiting) {
  const std::vector<Trigger> triggers = {{Trigger::pattern, "(a|b)c\\b"}, {Trigger::pattern_full, "[^q]*q(.)"}};
  const std::string text = "root ::= [ -~\\n]*";
  std::mt19937 dice(3);
  for (int round = 0; round < 30; ++round) {
    const auto grammar = of(text, triggers);
    Ids tokens;
    for (int i = 0; i < 150; ++i) {
      ErrorText error;
      if (dice() % 4 == 0 && !tokens.empty()) {
        const size_t n = dice() % 9 == 0 ? dice() % (tokens.size() + 1) : 1 + dice() % 2 % tokens.size();
        ASSERT_EQ(grammar->rollback(n, error), Status::ok);
        tokens.resize(tokens.size() - n);
      } else {
        const int32_t token = "aabcxyz q\n"[dice() % 10];
        ASSERT_EQ(take(*grammar, {token}), Status::ok);
        tokens.push_back(token);
      }
      const auto fresh = of(text, triggers);
      ASSERT_EQ(take(*fresh, tokens), Status::ok);
      ASSERT_EQ(fresh->waits(), grammar->waits());
      ASSERT_EQ(fresh->mask(), grammar->mask());
      const auto loaded = of(text, triggers);
      loaded->load(grammar->save());
      ASSERT_EQ(loaded->waits(), grammar->waits());
      ASSERT_EQ(loaded->mask(), grammar->mask());
    }
  }
  EXPECT_THROW(of(text, {{Trigger::word, "w"}})->load(of(text, triggers)->save()), Failure);
}

TEST(Lazy, AFullSpaceWhileWaiting) {
  Options options = lazy({{Trigger::word, "!"}});
  options.max_bytes = 300000;
  const auto grammar = Grammar::from_gbnf(vocab(), "root ::= \"!\" (\"(\" v \")\")*\nv ::= \"[\" v \"]\" | \"x\"", options);
  const auto waiting = grammar->clone();
  EXPECT_EQ(take(*waiting, bytes_of("abc")), Status::ok);
  EXPECT_EQ(take(*grammar, bytes_of("no!")), Status::ok);
  const std::string round = "(" + std::string(300, '[') + "x" + std::string(300, ']') + ")";
  for (int i = 0; i < 5; ++i) {
    ASSERT_EQ(take(*grammar, bytes_of(round)), Status::ok);
    grammar->mask();
  }
  expect_free(*waiting);
  EXPECT_EQ(take(*waiting, bytes_of("!(")), Status::ok);
  EXPECT_EQ(allowed(waiting->mask()), (Ids{'[', 'x'}));
}

// The reference searches everything again after each token, and overflows its stack near 100,000 bytes.
TEST(Lazy, ALongWaitIsLinear) {
  const auto grammar = of("root ::= \"go\" [0-9]+", {{Trigger::pattern, "[\\s\\S]*?(go)[\\s\\S]*"}, {Trigger::pattern, "(x+)+$"}});
  const Ids wait(1000, 'a');
  for (int i = 0; i < 300; ++i) ASSERT_EQ(take(*grammar, wait), Status::ok);
  expect_free(*grammar);
  EXPECT_EQ(take(*grammar, bytes_of("go")), Status::ok);
  EXPECT_EQ(allowed(grammar->mask()), digits);
}

}  // namespace
}  // namespace bankml::grammar
