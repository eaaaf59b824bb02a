// core/vocab/vocab.h: vocabularies from arrays; what is refused; the fingerprint; the trie from several threads.
#include "core/vocab/vocab.h"

#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

#include "core/base/status.h"
#include "core/vocab/trie.h"

namespace bankml {
namespace {

struct Pieces {
  std::string bytes;
  std::vector<size_t> offsets{0};
  std::vector<uint32_t> flags;

  explicit Pieces(const std::vector<std::string>& pieces) : flags(pieces.size(), 0) {
    for (const std::string& piece : pieces) {
      bytes += piece;
      offsets.push_back(bytes.size());
    }
  }
  std::shared_ptr<const Vocab> make(int32_t eos = -1, int32_t eot = -1) const {
    return Vocab::from_pieces(reinterpret_cast<const uint8_t*>(bytes.data()), offsets.data(), flags.data(), flags.size(), eos, eot);
  }
};

std::string refusal(const Pieces& pieces, int32_t eos = -1, int32_t eot = -1) {
  try {
    pieces.make(eos, eot);
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.status(), Status::arg);
    return failure.text();
  }
  return {};
}

TEST(Vocab, KeepsPiecesAndFlags) {
  Pieces pieces({"a", "", "<end>", std::string("\0\xFF", 2), "<?>"});
  pieces.flags = {0, token_byte, token_control | token_eog, token_user_defined | token_unused, token_unknown};
  const auto vocab = pieces.make(-1, 0);
  ASSERT_EQ(vocab->size(), 5u);
  EXPECT_EQ(vocab->piece(0), "a");
  EXPECT_EQ(vocab->piece(1), "");
  EXPECT_EQ(vocab->piece(2), "<end>");
  EXPECT_EQ(vocab->plain_piece(2), "");
  EXPECT_EQ(vocab->plain_piece(3), std::string("\0\xFF", 2));
  EXPECT_EQ(vocab->plain_piece(4), "");
  EXPECT_EQ(vocab->flags(3), token_user_defined | token_unused);
  EXPECT_EQ(vocab->eog_tokens(), (std::vector<int32_t>{0, 2}));  // eot ends a generation too
  EXPECT_TRUE(vocab->is_eog(0));
  EXPECT_EQ(vocab->eos(), -1);
  EXPECT_EQ(vocab->eot(), 0);
  EXPECT_TRUE(vocab->contains(4));
  EXPECT_FALSE(vocab->contains(5));
  EXPECT_FALSE(vocab->contains(-1));
  EXPECT_FALSE(vocab->has_tokenizer());
  EXPECT_THROW(vocab->tokenize("a"), Failure);
  EXPECT_EQ(vocab->breaker_text(0), "a");
}

TEST(Vocab, OffsetsNeedNotStartAtZero) {
  const std::string bytes = "xxab";
  const size_t offsets[] = {2, 3, 4};
  const auto vocab = Vocab::from_pieces(reinterpret_cast<const uint8_t*>(bytes.data()), offsets, nullptr, 2, -1, -1);
  EXPECT_EQ(vocab->piece(0), "a");
  EXPECT_EQ(vocab->piece(1), "b");
  EXPECT_EQ(vocab->flags(1), 0u);
}

TEST(Vocab, RefusesBadArrays) {
  const Pieces good({"a", "b"});
  EXPECT_EQ(refusal(good), "");
  EXPECT_EQ(refusal(good, 2), "vocabulary: eos = 2 is outside the vocabulary of 2");
  EXPECT_EQ(refusal(good, 0, -2), "vocabulary: eot = -2 is outside the vocabulary of 2");
  Pieces flags = good;
  flags.flags[1] = 64;
  EXPECT_EQ(refusal(flags), "vocabulary: flags[1] = 64 has unknown bits");
  Pieces order = good;
  order.offsets = {0, 2, 1};
  EXPECT_EQ(refusal(order), "vocabulary: offsets[2] = 1 is below the offset before it, 2");
  EXPECT_EQ(refusal(Pieces({})), "vocabulary: n = 0 is outside [1, 2147483647]");
  EXPECT_THROW(Vocab::from_pieces(nullptr, nullptr, nullptr, 1, -1, -1), Failure);
  const size_t offsets[] = {0, 1};
  EXPECT_THROW(Vocab::from_pieces(nullptr, offsets, nullptr, 1, -1, -1), Failure);
}

// The value is the same on every machine: part of the format of saved states.
TEST(Vocab, FingerprintIsPinned) {
  Pieces pieces({"a", "bc", ""});
  pieces.flags[1] = token_control;
  EXPECT_EQ(pieces.make()->fingerprint(), 0x82852CD395ABA42Eu);
}

TEST(Vocab, FingerprintSeesPiecesAndFlags) {
  const uint64_t base = Pieces({"ab", "c"}).make()->fingerprint();
  EXPECT_EQ(Pieces({"ab", "c"}).make()->fingerprint(), base);
  EXPECT_NE(Pieces({"a", "bc"}).make()->fingerprint(), base);
  EXPECT_NE(Pieces({"ab", "c", ""}).make()->fingerprint(), base);
  EXPECT_NE(Pieces({"ab", "c"}).make(1)->fingerprint(), base);
  Pieces flagged({"ab", "c"});
  flagged.flags[0] = token_unused;
  EXPECT_NE(flagged.make()->fingerprint(), base);
}

TEST(Vocab, OneTrieForAllThreads) {
  std::vector<std::string> pieces;
  for (int i = 0; i < 20000; ++i) pieces.push_back(std::to_string(i * 7919));
  const auto vocab = Pieces(pieces).make();
  const size_t before = vocab->bytes();
  std::vector<const Trie*> tries(8);
  std::vector<std::thread> threads;
  for (const Trie*& trie : tries) threads.emplace_back([&trie, &vocab] { trie = &vocab->trie(); });
  for (std::thread& thread : threads) thread.join();
  for (const Trie* trie : tries) EXPECT_EQ(trie, tries[0]);
  EXPECT_GE(vocab->bytes(), before + tries[0]->bytes());
}

// design.md's bound for a vocabulary of 151,669 pieces with its trie is 16 MiB; these pieces are longer than real ones (8.9 bytes).
TEST(Vocab, LargeVocabularyIsSmall) {
  std::vector<std::string> pieces;
  uint64_t state = 1;
  for (int i = 0; i < 151669; ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    std::string piece = i % 2 == 0 ? " " : "";
    for (uint64_t length = 3 + (state >> 60) % 12, bits = state >> 8; length > 0; --length, bits /= 5)
      piece += static_cast<char>('a' + bits % 5);
    pieces.push_back(piece);
  }
  const auto vocab = Pieces(pieces).make();
  vocab->trie();
  EXPECT_LT(vocab->bytes(), size_t{16} << 20);
}

}  // namespace
}  // namespace bankml
