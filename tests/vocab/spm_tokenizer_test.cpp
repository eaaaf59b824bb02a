// core/vocab/spm_tokenizer.h: what llama.cpp's library made of recorded texts (tests/vectors/vocab-texts.jsonl), and the rules one
// by one.
#include "core/vocab/spm_tokenizer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/status.h"
#include "core/vocab/vocab.h"

namespace bankml {
namespace {

using Ids = std::vector<int32_t>;

std::string from_hex(const std::string& hex) {
  std::string out;
  for (size_t i = 0; i + 1 < hex.size(); i += 2) out += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
  return out;
}

TEST(SpmTokenizer, RecordedTexts) {
  const std::string folder = BANKML_SOURCE_DIR "/tests/vectors/";
  std::ifstream rows(folder + "vocab-texts.jsonl");
  std::string line;
  size_t texts = 0;
  while (std::getline(rows, line)) {
    const nlohmann::json row = nlohmann::json::parse(line);
    const auto vocab = Vocab::from_gguf_path(folder + "vocab/" + row["vocab"].get<std::string>());
    ASSERT_TRUE(vocab->has_tokenizer());
    for (const nlohmann::json& text : row["texts"]) {
      EXPECT_EQ(vocab->tokenize(from_hex(text[0])), text[1].get<Ids>()) << row["vocab"] << ' ' << text[0];
      ++texts;
    }
  }
  EXPECT_EQ(texts, 360u);
}

// a b c ab bc abc, with the scores that a case gives.
SpmTokenizer letters(std::vector<float> scores, std::vector<int32_t> user_defined = {},
                     SpmTokenizer::Rules rules = {false, false}) {
  return SpmTokenizer({"a", "b", "c", "ab", "bc", "abc"}, std::move(scores), std::move(user_defined), rules);
}

TEST(SpmTokenizer, HighestScoreMergesFirst) {
  EXPECT_EQ(letters({0, 0, 0, -1, -2, -9}).tokenize("abc"), Ids{5});
  EXPECT_EQ(letters({0, 0, 0, -2, -1, -9}).tokenize("abc"), Ids{5});
  EXPECT_EQ(letters({0, 0, 0, -1, -2, -9}).tokenize("abbc"), (Ids{3, 4}));
  EXPECT_EQ(letters({0, 0, 0, -1, -1, -9}).tokenize("ab"), Ids{3});
}

TEST(SpmTokenizer, LeftmostMergesFirstOnATie) {
  const SpmTokenizer tokenizer({"a", "aa"}, {0, 0}, {}, {false, false});
  EXPECT_EQ(tokenizer.tokenize("aaa"), (Ids{1, 0}));
  EXPECT_EQ(tokenizer.tokenize("aaaaa"), (Ids{1, 1, 0}));
}

TEST(SpmTokenizer, SpacePrefixAndMarks) {
  const std::vector<std::string_view> texts = {"\u2581", "a", "\u2581a", " "};
  const SpmTokenizer with(texts, {0, 0, 0, 0}, {}, {true, false});
  EXPECT_EQ(with.tokenize("a"), Ids{2});
  EXPECT_EQ(with.tokenize(" a"), (Ids{0, 2}));
  EXPECT_EQ(with.tokenize(""), Ids{});
  const SpmTokenizer without(texts, {0, 0, 0, 0}, {}, {false, false});
  EXPECT_EQ(without.tokenize("a"), Ids{1});
  EXPECT_EQ(without.tokenize(" a"), Ids{2});  // a plain space is never looked up: it becomes the mark
}

TEST(SpmTokenizer, UserDefinedTokensAreCutOutLongestFirst) {
  const std::vector<std::string_view> texts = {"<t>", "<t><t>", "a", "\u2581a", "\u2581", "<"};
  const SpmTokenizer tokenizer(texts, {0, 0, 0, 0, 0, 0}, {0, 1}, {true, false});
  EXPECT_EQ(tokenizer.tokenize("<t><t><t>a<t>a"), (Ids{1, 0, 3, 0, 3}));  // a prefix is due after each of them
  EXPECT_EQ(tokenizer.tokenize("a<t>"), (Ids{3, 0}));
  EXPECT_EQ(tokenizer.tokenize("<t> a"), (Ids{0, 4, 3}));
  const SpmTokenizer dropping(texts, {0, 0, 0, 0, 0, 0}, {0, 1}, {false, true});
  EXPECT_EQ(dropping.tokenize("<t> \n\ta"), (Ids{0, 2}));
  EXPECT_EQ(dropping.tokenize("<t>  "), Ids{0});
}

TEST(SpmTokenizer, BytesWhereThereIsNoToken) {
  const SpmTokenizer tokenizer({"<0xC3>", "<0xA9>", "z", "<0x7A>"}, {0, 0, 0, 0}, {}, {false, false});
  EXPECT_EQ(tokenizer.tokenize("\u00E9"), (Ids{0, 1}));
  EXPECT_EQ(tokenizer.tokenize("\xC3"), Ids{0});               // a cut character
  EXPECT_EQ(tokenizer.tokenize("\xC3z\xA9"), (Ids{0, 3, 1}));  // "\xC3z" counts as one character by its lead byte, then falls apart
  try {
    tokenizer.tokenize("zb");
    FAIL();
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.status(), Status::arg);
    EXPECT_EQ(failure.text(), "the vocabulary has no token for the byte 0x62 of a text");
  }
}

TEST(SpmTokenizer, LastOfEqualTextsCounts) {
  const SpmTokenizer tokenizer({"a", "a"}, {0, 0}, {}, {false, false});
  EXPECT_EQ(tokenizer.tokenize("a"), Ids{1});
}

TEST(SpmTokenizer, ScoresThatAreNoNumbersDoNoHarm) {
  const float nan = std::nanf("");
  EXPECT_FALSE(letters({nan, nan, nan, nan, nan, nan}).tokenize("abcabcabcabc").empty());
}

TEST(SpmTokenizer, LongTextsAreFast) {  // quadratic time would show as a hang
  const SpmTokenizer tokenizer({"a", "aa", "aaaa"}, {0, -1, -2}, {}, {false, false});
  EXPECT_EQ(tokenizer.tokenize(std::string(400000, 'a')).size(), 100000u);
}

}  // namespace
}  // namespace bankml
