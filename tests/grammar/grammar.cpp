// One constrained sequence: accept and its refusals, end tokens, going back, clones, saved bytes, forced text, full spaces.
#include "core/grammar/grammar.h"

#include <gtest/gtest.h>

#include "tests/grammar/fixture.h"

namespace bankml::grammar {
namespace {

using Ids = std::vector<int32_t>;

Status take(Grammar& grammar, const Ids& tokens) {
  ErrorText error;
  return grammar.accept(tokens.data(), tokens.size(), error);
}

std::unique_ptr<Grammar> of(const std::shared_ptr<const Vocab>& vocab, const std::string& text, const Options& options = {}) {
  return Grammar::from_gbnf(vocab, text, options);
}

TEST(Grammar, CharactersOverTokens) {
  const auto vocab = bytes_and({});
  const int32_t eos = 256;
  const auto grammar = of(vocab, "root ::= \"\\u20ac\" \"x\"");
  EXPECT_EQ(allowed(grammar->mask()), Ids{0xE2});
  EXPECT_EQ(take(*grammar, {0xE2}), Status::ok);
  EXPECT_EQ(allowed(grammar->mask()), Ids{0x82});
  EXPECT_EQ(take(*grammar, {0x82, 0xAC}), Status::ok);
  EXPECT_EQ(allowed(grammar->mask()), Ids{'x'});
  EXPECT_FALSE(grammar->test(eos));
  EXPECT_EQ(take(*grammar, {'x'}), Status::ok);
  EXPECT_EQ(allowed(grammar->mask()), Ids{eos});
}

TEST(Grammar, AnyCharacterAndItsBytes) {
  const auto vocab = bytes_and({"\xC3\xA0", "\xC3\xA9",
                                "\xC3"
                                "A"});  // 256, 257, 258; then </s> 259, <s> 260, empty 261
  const auto any = of(vocab, "root ::= .");
  for (int byte = 0; byte < 256; ++byte) EXPECT_EQ(any->test(byte), (byte > 0 && byte < 0x80) || byte >= 0xC2) << byte;
  const auto many = of(vocab, "root ::= .*");
  EXPECT_TRUE(many->test(260));   // a control token, by its text
  EXPECT_FALSE(many->test(261));  // nothing
  EXPECT_TRUE(many->test(259));
  EXPECT_EQ(take(*many, {0xE2}), Status::ok);
  EXPECT_FALSE(many->test(259));
  EXPECT_FALSE(many->test('a'));
  EXPECT_TRUE(many->test(0x82));
  const auto separator = of(vocab, "root ::= [^\\u2028]");
  EXPECT_FALSE(separator->test(0xE2));
  EXPECT_TRUE(separator->test(0xE1) && separator->test(0xE3));
  const auto accents = of(vocab, "root ::= [^a-z\\u00e9]");
  EXPECT_FALSE(accents->test(0xC3));
  EXPECT_TRUE(accents->test(0xC4) && accents->test(256));
  EXPECT_FALSE(accents->test(257));
  EXPECT_TRUE(of(vocab, "root ::= [\\u00c1]")->test(258));  // followers are not checked inside a piece
}

TEST(Grammar, EndTokens) {
  const auto vocab = bytes_and({});
  const auto grammar = of(vocab, "root ::= \"b\"*");
  EXPECT_EQ(take(*grammar, {256}), Status::ok);
  EXPECT_TRUE(grammar->test('b'));  // generation could go on
  const auto one = of(vocab, "root ::= \"b\"");
  EXPECT_EQ(take(*one, {256}), Status::reject);
  EXPECT_EQ(take(*one, {'a'}), Status::reject);
  EXPECT_EQ(allowed(one->mask()), Ids{'b'});
  EXPECT_EQ(allowed(of(vocab, "root ::= <[256]>")->mask()), Ids{});
  EXPECT_TRUE(of(vocab, "root ::= <[256]>")->is_dead());
}

TEST(Grammar, TokenElements) {
  const auto vocab = bytes_and({"ab"});  // 256; </s> 257, <s> 258, empty 259
  const auto not_five = of(vocab, "root ::= !<[5]>");
  for (int32_t token = 0; token < 260; ++token)
    EXPECT_EQ(not_five->test(token), (token > 0 && token < 0x80 && token != 5) || token == 256 || token == 258);
  EXPECT_EQ(allowed(of(vocab, "root ::= <[226]>")->mask()), Ids{});
  const auto behind = of(vocab, "root ::= \"a\" !<[5]>");
  EXPECT_TRUE(behind->test(256));                   // the mask looks at token elements wherever a piece meets them
  EXPECT_EQ(take(*behind, {256}), Status::reject);  // accepting does not
  EXPECT_TRUE(behind->test('a'));
  const auto named = of(vocab, "root ::= <[256]> \"c\"");
  EXPECT_EQ(allowed(named->mask()), Ids{256});
  EXPECT_EQ(take(*named, {256}), Status::ok);
  EXPECT_EQ(allowed(named->mask()), Ids{'c'});
  EXPECT_EQ(allowed(of(vocab, "root ::= <s>")->mask()), Ids{258});
  Options options;
  options.token_texts["<x>"] = 'q';
  EXPECT_EQ(allowed(of(vocab, "root ::= <x>", options)->mask()), Ids{'q'});
  try {
    of(vocab, "root ::= <x>");
    FAIL();
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.status(), Status::open_text);
    EXPECT_NE(failure.text().find("<x>"), std::string::npos);
  }
}

TEST(Grammar, AllOrNothingAndBack) {
  const auto vocab = bytes_and({});
  const auto grammar = of(vocab, "root ::= \"ab\" [0-9]*");
  EXPECT_EQ(take(*grammar, {'a', 'c'}), Status::reject);
  EXPECT_TRUE(grammar->tokens().empty());
  EXPECT_EQ(take(*grammar, {'a', 'b', '1'}), Status::ok);
  EXPECT_EQ(take(*grammar, {'2', 999}), Status::token);
  const auto copy = grammar->clone();
  ErrorText error;
  EXPECT_EQ(grammar->rollback(2, error), Status::ok);
  EXPECT_EQ(allowed(grammar->mask()), Ids{'b'});
  EXPECT_TRUE(copy->is_complete());
  EXPECT_EQ(grammar->rollback(2, error), Status::arg);
  copy->reset();
  EXPECT_EQ(allowed(copy->mask()), Ids{'a'});
}

TEST(Grammar, SavedBytes) {
  const auto vocab = bytes_and({});
  const auto grammar = of(vocab, "root ::= [a-z]+ \"!\"");
  EXPECT_EQ(take(*grammar, {'h', 'i'}), Status::ok);
  const std::string bytes = grammar->save();
  const auto fresh = of(vocab, "root ::= [a-z]+ \"!\"");
  fresh->load(bytes);
  EXPECT_EQ(fresh->tokens(), (Ids{'h', 'i'}));
  EXPECT_EQ(fresh->mask(), grammar->mask());
  for (size_t i = 0; i < bytes.size(); ++i) {
    std::string bad = bytes;
    bad[i] = static_cast<char>(bad[i] ^ 1);
    EXPECT_THROW(fresh->load(bad), Failure) << i;
    EXPECT_THROW(fresh->load(bytes.substr(0, i)), Failure) << i;
  }
  EXPECT_EQ(fresh->tokens(), (Ids{'h', 'i'}));
  EXPECT_THROW(of(vocab, "root ::= [a-y]+ \"!\"")->load(bytes), Failure);
  EXPECT_THROW(of(bytes_and({"x"}), "root ::= [a-z]+ \"!\"")->load(bytes), Failure);
}

TEST(Grammar, ForcedText) {
  const auto vocab = bytes_and({});
  EXPECT_EQ(of(vocab, "root ::= \"hello \" [a-z]+")->forced(), "hello ");
  EXPECT_EQ(of(vocab, "root ::= \"h\\u00e9\" (\"\\u20ac\" | \"\\u20ad\")")->forced(), "h\xC3\xA9\xE2\x82");
  EXPECT_EQ(of(vocab, "root ::= \"a\"*")->forced(), "");
  EXPECT_EQ(of(vocab, "root ::= \"a\" <[5]>")->forced(), "a");
  EXPECT_EQ(of(vocab, "root ::= \"a\" root")->forced(10), std::string(10, 'a'));
  const auto inside = of(vocab, "root ::= \"\\u20ac\" \"x\"");
  EXPECT_EQ(take(*inside, {0xE2}), Status::ok);
  EXPECT_EQ(inside->forced(), "\x82\xACx");
}

TEST(Grammar, AFullSpaceIsReplaced) {
  const auto vocab = bytes_and({});
  Options options;
  options.max_bytes = 300000;
  const auto grammar = of(vocab, "root ::= (\"(\" v \")\")*\nv ::= \"[\" v \"]\" | \"x\"", options);
  const auto copy = grammar->clone();
  EXPECT_EQ(take(*copy, {'(', '['}), Status::ok);
  const std::string round = "(" + std::string(300, '[') + "x" + std::string(300, ']') + ")";
  size_t accepted = 0;
  for (; accepted < 5; ++accepted) {
    if (take(*grammar, Ids(round.begin(), round.end())) != Status::ok) break;
    grammar->mask();
  }
  EXPECT_EQ(accepted, 5u);
  EXPECT_EQ(take(*grammar, Ids(1, '(')), Status::ok);
  EXPECT_EQ(take(*grammar, Ids(20000, '[')), Status::limit);
  EXPECT_EQ(allowed(grammar->mask()), (Ids{'[', 'x'}));
  EXPECT_EQ(allowed(copy->mask()), (Ids{'[', 'x'}));  // moved over
}

// 1,500 places whose masks take 12.5 KB each: 8 MiB of them are kept, the last ones, and what a clone holds stays valid.
TEST(Grammar, MasksAreKeptWithinALimit) {
  std::vector<std::string> texts;
  for (int i = 0; i < 100000; ++i) texts.push_back("n" + std::to_string(i));
  const auto vocab = bytes_and(texts);
  std::string literal;
  for (int i = 0; i < 1500; ++i) literal += static_cast<char>('a' + i * 7 % 26);
  const auto grammar = of(vocab, "root ::= \"" + literal + "\"");
  const auto copy = grammar->clone();
  const std::vector<uint32_t>& held = copy->mask();
  const std::vector<uint32_t> before = held;
  for (int round = 0; round < 2; ++round) {
    grammar->reset();
    for (const char c : literal) {
      EXPECT_EQ(allowed(grammar->mask()), Ids(1, c));
      ASSERT_EQ(take(*grammar, {c}), Status::ok);
    }
    EXPECT_LT(grammar->bytes(), size_t{12} << 20);
  }
  EXPECT_EQ(grammar->mask_fills(), 3000u);
  for (size_t back = 0; back < 300; ++back) {  // the last ones are still there
    ASSERT_EQ(grammar->rollback(1, *std::make_unique<ErrorText>()), Status::ok);
    grammar->mask();
  }
  EXPECT_EQ(grammar->mask_fills(), 3000u);
  EXPECT_EQ(held, before);
}

TEST(Grammar, AnEmptyTextConstrainsNothing) {
  const auto vocab = bytes_and({});
  const auto grammar = of(vocab, "");
  EXPECT_EQ(allowed(grammar->mask()).size(), vocab->size());
  EXPECT_TRUE(grammar->is_complete() && grammar->test(0) && grammar->test(258));
  EXPECT_EQ(take(*grammar, {256, 'a', 0, 258}), Status::ok);
  EXPECT_EQ(grammar->forced(), "");
  EXPECT_FALSE(grammar->is_dead());
  EXPECT_THROW(of(vocab, " # nothing"), Failure);
}

TEST(Grammar, WarmFillsMasks) {
  const auto vocab = bytes_and({});
  const auto grammar = of(vocab, "root ::= \"a\" (\"b\" | \"c\" \"d\")");
  EXPECT_GE(grammar->warm(10), 3u);
  const uint64_t before = grammar->mask_fills();
  EXPECT_EQ(take(*grammar, {'a', 'c'}), Status::ok);
  grammar->mask();
  EXPECT_EQ(grammar->mask_fills(), before);
}

}  // namespace
}  // namespace bankml::grammar
