// core/vocab/piece_text.h: token texts to bytes. Expected values are llama.cpp's (its library renders tests/vectors/vocab the
// same).
#include "core/vocab/piece_text.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "core/base/utf8.h"

namespace bankml {
namespace {

TEST(PieceText, SentencePieceMarksBecomeSpaces) {
  EXPECT_EQ(spm_piece("\u2581the"), " the");
  EXPECT_EQ(spm_piece("\u2581\u2581"), "  ");
  EXPECT_EQ(spm_piece("a\u2581b\u2580c"), "a b\u2580c");
  EXPECT_EQ(spm_piece("\xE2\x96"), "\xE2\x96");
  EXPECT_EQ(spm_piece(""), "");
}

// GPT-2's table, rebuilt the way its encoder.py describes it: printable bytes first, the rest shifted in order.
TEST(PieceText, EveryByteOfTheAlphabet) {
  uint32_t shifted = 256;
  std::set<std::string> seen;
  for (uint32_t byte = 0; byte < 256; ++byte) {
    const bool printable = (byte >= '!' && byte <= '~') || (byte >= 0xA1 && byte <= 0xAC) || byte >= 0xAE;
    std::string text;
    utf8_append(text, printable ? byte : shifted++);
    const std::string piece = byte_level_piece(text);
    ASSERT_EQ(piece, std::string(1, static_cast<char>(byte)));
    seen.insert(text);
  }
  EXPECT_EQ(seen.size(), 256u);
  EXPECT_EQ(byte_level_piece("\u0120the\u010A"), " the\n");
}

TEST(PieceText, CharactersOutsideTheAlphabetReadAsInTheReference) {
  EXPECT_EQ(byte_level_piece("\u4E2D"), "[UNK_BYTE_0xe4b8ad\u4E2D]");
  EXPECT_EQ(byte_level_piece("a\u4E2D"), "a[UNK_BYTE_0xe4b8ada\u4E2D]");
  EXPECT_EQ(byte_level_piece("\u0144"), "[UNK_BYTE_0xc584\u0144]");
  EXPECT_EQ(byte_level_piece("\xFF"), "[UNK_BYTE_0xefbfbd\xFF]");
  EXPECT_EQ(byte_level_piece(" "), "[UNK_BYTE_0x20 ]");
}

TEST(PieceText, ByteTokens) {
  EXPECT_EQ(byte_token_value("<0x00>"), 0);
  EXPECT_EQ(byte_token_value("<0xFF>"), 255);
  EXPECT_EQ(byte_token_value("<0xaf>"), 0xAF);
  for (const char* bad : {"", "<0x0>", "<0x000>", "<0xG0>", "<0x0G>", "<0X00>", "[0x00>", "<0x00]"})
    EXPECT_EQ(byte_token_value(bad), -1) << bad;
}

TEST(PieceText, CleanUpOfSpaces) {
  EXPECT_EQ(clean_up_spaces(" ?"), "?");
  EXPECT_EQ(clean_up_spaces(" !"), "!");
  EXPECT_EQ(clean_up_spaces("  ."), " .");
  EXPECT_EQ(clean_up_spaces(" . ,"), ".,");
  EXPECT_EQ(clean_up_spaces("a ,b"), "a,b");
  EXPECT_EQ(clean_up_spaces(" :"), " :");
  EXPECT_EQ(clean_up_spaces(" ' "), "'");
  EXPECT_EQ(clean_up_spaces(" ' ' "), "'' ");  // the space behind the first is gone when the second is looked at
  EXPECT_EQ(clean_up_spaces(" 's"), "'s");
  EXPECT_EQ(clean_up_spaces(" 'm"), "'m");
  EXPECT_EQ(clean_up_spaces(" 're"), "'re");
  EXPECT_EQ(clean_up_spaces(" 've"), "'ve");
  EXPECT_EQ(clean_up_spaces(" 'll"), " 'll");
  EXPECT_EQ(clean_up_spaces(" 't"), " 't");
  EXPECT_EQ(clean_up_spaces(" 'r"), " 'r");
  EXPECT_EQ(clean_up_spaces(" ' 's"), "''s");
  EXPECT_EQ(clean_up_spaces(""), "");
  EXPECT_EQ(clean_up_spaces("'"), "'");
  EXPECT_EQ(clean_up_spaces(" "), " ");
}

TEST(PieceText, WhichVocabulariesCleanUp) {
  EXPECT_TRUE(pre_tokenizer_cleans_spaces("default"));
  EXPECT_TRUE(pre_tokenizer_cleans_spaces("llama-bpe"));
  EXPECT_TRUE(pre_tokenizer_cleans_spaces(""));
  EXPECT_FALSE(pre_tokenizer_cleans_spaces("qwen2"));
  EXPECT_FALSE(pre_tokenizer_cleans_spaces("gpt-4o"));
  EXPECT_TRUE(pre_tokenizer_marks_spaces("gemma4"));
  EXPECT_FALSE(pre_tokenizer_marks_spaces("gpt-2"));
}

}  // namespace
}  // namespace bankml
