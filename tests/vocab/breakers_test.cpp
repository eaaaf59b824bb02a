// core/vocab/breakers.h: what is a head and which tails follow, the cuts, the cache. Live comparison: tests/vocab/live.
#include "core/vocab/breakers.h"

#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

#include "core/base/status.h"
#include "core/vocab/breaker_cache.h"

namespace bankml {
namespace {

using Ids = std::vector<int32_t>;
using Strings = std::vector<std::string>;

struct List {
  explicit List(const std::vector<Breaker>& list) : breakers(list) {}
  std::vector<Breaker> breakers;
};

std::shared_ptr<const Vocab> vocab_of(const Strings& pieces) {
  std::string bytes;
  std::vector<size_t> offsets{0};
  for (const std::string& piece : pieces) {
    bytes += piece;
    offsets.push_back(bytes.size());
  }
  return Vocab::from_pieces(reinterpret_cast<const uint8_t*>(bytes.data()), offsets.data(), nullptr, pieces.size(), -1, -1);
}

// "head:tail,tail head:..." of a list of strings; the tokens of a text are 100 + its length, then its first byte.
std::string prepared(const Vocab& vocab, const Strings& strings) {
  TextTokens answers;
  for (const std::string& tail : open_breaker_tails(vocab, strings, {})) {
    answers[tail] = {static_cast<int32_t>(tail.size() % vocab.size()),
                     static_cast<int32_t>(static_cast<size_t>(tail[0]) % vocab.size())};
  }
  std::string out;
  for (const Breaker& breaker : prepared_breakers<List>(vocab, strings, answers)->breakers) {
    out += (out.empty() ? "" : " ") + std::to_string(breaker.head) + ":";
    for (size_t i = 0; i < breaker.tail.size(); ++i) out += (i == 0 ? "" : ",") + std::to_string(breaker.tail[i]);
  }
  return out;
}

TEST(Breakers, PiecesThatHoldTheStringAreHeads) {
  const auto vocab = vocab_of({"a", "\n", "x\ny", "\n\n", ""});
  EXPECT_EQ(prepared(*vocab, {"\n"}), "1: 2: 3:");
  EXPECT_TRUE(open_breaker_tails(*vocab, {"\n"}, {}).empty());
  EXPECT_EQ(prepared(*vocab, {"zz"}), "");
  EXPECT_EQ(prepared(*vocab, {"\n", "\n", "a"}), "0: 1: 2: 3:");  // listed once
}

TEST(Breakers, PiecesThatEndWithTheStartNeedTails) {
  const auto vocab = vocab_of({"a", "xa", "ax", "ab", "abc", "zab", "b"});
  EXPECT_EQ(open_breaker_tails(*vocab, {"abc"}, {}), (Strings{"bc", "c"}));
  // bc -> {2, 'b' % 7 = 0}, c -> {1, 'c' % 7 = 1}
  EXPECT_EQ(prepared(*vocab, {"abc"}), "0:2,0 1:2,0 3:1,1 4: 5:1,1");
}

TEST(Breakers, EveryPlaceOfAPieceCounts) {
  const auto vocab = vocab_of({"aa", "a", "baa", "aab"});
  // "aaa": "aa" covers two bytes from its first place and one from its second; "aab" goes on differently.
  EXPECT_EQ(open_breaker_tails(*vocab, {"aaa"}, {}), (Strings{"aa", "a"}));
  EXPECT_EQ(prepared(*vocab, {"aaa"}), "0:1,1 0:2,1 1:2,1 2:1,1 2:2,1");
}

TEST(Breakers, TailsOfSeveralStringsAreAskedForOnce) {
  const auto vocab = vocab_of({"a", "b", "c"});
  EXPECT_EQ(open_breaker_tails(*vocab, {"axy", "bxy", "a!", ""}, {}), (Strings{"xy", "!"}));
  EXPECT_EQ(open_breaker_tails(*vocab, {"axy", "bxy", "a!"}, {{"xy", {1}}}), Strings{"!"});
}

TEST(Breakers, StringsAreCutAtFortyBytesAndAtNul) {
  const auto vocab = vocab_of({"a", "y"});
  EXPECT_EQ(open_breaker_tails(*vocab, {"a" + std::string(59, 'z')}, {}), Strings{std::string(39, 'z')});  // C27
  EXPECT_EQ(open_breaker_tails(*vocab, {std::string("az\0q", 4)}, {}), Strings{"z"});
  EXPECT_TRUE(open_breaker_tails(*vocab, {std::string("\0a", 2)}, {}).empty());
  const auto forty = vocab_of({std::string(40, 'y'), "y"});
  EXPECT_EQ(prepared(*forty, {std::string(60, 'y')}).substr(0, 3), "0: ");
}

TEST(Breakers, TailsAreCutToTwentyTokensAndThenCompared) {
  const auto vocab = vocab_of({"a", "b", "ba"});
  Ids twenty(20, 1);
  Ids more = twenty;
  more.push_back(0);
  const auto list = prepared_breakers<List>(*vocab, {"ax", "ay"}, {{"x", more}, {"y", twenty}});
  ASSERT_EQ(list->breakers.size(), 2u);  // the two tails of each head have become one
  EXPECT_EQ(list->breakers[0].tail, twenty);
  EXPECT_EQ(list->breakers[1].head, 2);
}

TEST(Breakers, OpenTextsAndBadAnswersAreNamed) {
  const auto vocab = vocab_of({"a", "b"});
  const auto refusal = [&](const TextTokens& answers, Status status) -> std::string {
    try {
      prepared_breakers<List>(*vocab, {"ab!"}, answers);
    } catch (const Failure& failure) {
      EXPECT_EQ(failure.status(), status);
      return failure.text();
    }
    return "prepared";
  };
  EXPECT_EQ(refusal({}, Status::open_text), "dry_sequence_breakers: the text 'b!' needs its tokens");
  EXPECT_EQ(refusal({{"b!", {0, 2}}}, Status::token),
            "dry_sequence_breakers: token 2, given for the text 'b!', is outside the vocabulary of 2");
  EXPECT_EQ(refusal({{"b!", {}}}, Status::ok), "prepared");
}

TEST(Breakers, CharactersMayBeCut) {  // C29
  const auto vocab = vocab_of({"\xE4\xB8", "\xAD", "\xE6\x96\x87", "\xE4"});
  EXPECT_EQ(open_breaker_tails(*vocab, {"\u4E2D\u6587"}, {}), (Strings{"\xB8\xAD\xE6\x96\x87", "\xAD\xE6\x96\x87"}));
}

// C28: one scan per (vocabulary, list), whoever asks and however often.
TEST(Breakers, OneScanPerList) {
  Strings pieces;
  for (int i = 0; i < 3000; ++i) pieces.push_back(std::to_string(i) + (i % 3 == 0 ? ":" : ""));
  const auto vocab = vocab_of(pieces);
  const Strings list = {"\n", ":", "\"", "*"};
  std::shared_ptr<const List> first;
  for (int i = 0; i < 100; ++i) {
    EXPECT_TRUE(open_breaker_tails(*vocab, list, {}).empty());
    const auto prepared = prepared_breakers<List>(*vocab, list, {});
    if (i == 0) first = prepared;
    EXPECT_EQ(prepared, first);
  }
  EXPECT_EQ(vocab->breaker_scans(), 1u);
  prepared_breakers<List>(*vocab, {":"}, {});
  EXPECT_EQ(vocab->breaker_scans(), 2u);
}

TEST(Breakers, OtherAnswersAreAnotherForm) {
  const auto vocab = vocab_of({"a", "b"});
  const auto one = prepared_breakers<List>(*vocab, {"ax"}, {{"x", {0}}});
  const auto two = prepared_breakers<List>(*vocab, {"ax"}, {{"x", {1}}});
  EXPECT_NE(one, two);
  EXPECT_EQ(prepared_breakers<List>(*vocab, {"ax"}, {{"x", {0}}, {"unused", {5}}}), one);
  EXPECT_EQ(vocab->breaker_scans(), 1u);
}

TEST(Breakers, TheCacheIsBounded) {
  const auto vocab = vocab_of({"a", "b"});
  const Strings kept = {"a"};
  const auto form = prepared_breakers<List>(*vocab, kept, {});
  for (size_t i = 0; i < 3 * BreakerCache::max_lists; ++i) {
    prepared_breakers<List>(*vocab, {std::to_string(i)}, {});
    EXPECT_EQ(prepared_breakers<List>(*vocab, kept, {}), form);  // what is used stays
  }
  EXPECT_EQ(vocab->breaker_cache().entries.size(), BreakerCache::max_lists);
  EXPECT_EQ(vocab->breaker_scans(), 1 + 3 * BreakerCache::max_lists);
  for (int32_t i = 0; i < 10; ++i) prepared_breakers<List>(*vocab, {"bx"}, {{"x", Ids(static_cast<size_t>(i), 1)}});
  EXPECT_EQ(vocab->breaker_cache().entries.back()->forms.size(), BreakerCache::max_forms);
}

TEST(Breakers, ManyThreadsScanOnce) {
  Strings pieces;
  for (int i = 0; i < 5000; ++i) pieces.push_back(std::to_string(i));
  const auto vocab = vocab_of(pieces);
  std::vector<std::shared_ptr<const List>> lists(8);
  std::vector<std::thread> threads;
  for (auto& list : lists) threads.emplace_back([&list, &vocab] { list = prepared_breakers<List>(*vocab, {"7"}, {}); });
  for (std::thread& thread : threads) thread.join();
  for (const auto& list : lists) EXPECT_EQ(list, lists[0]);
  EXPECT_EQ(vocab->breaker_scans(), 1u);
}

TEST(Breakers, SentencePieceVocabulariesAnswerThemselves) {
  const auto vocab = Vocab::from_gguf_path(BANKML_SOURCE_DIR "/tests/vectors/vocab/spm-prefix.gguf");
  EXPECT_TRUE(open_breaker_tails(*vocab, {"the name"}, {}).empty());
  const auto list = prepared_breakers<List>(*vocab, {"* the"}, {});
  const auto find = [&](const std::string& piece) {
    for (int32_t token = 0; vocab->contains(token); ++token) {
      if (vocab->piece(token) == piece) return token;
    }
    return -1;
  };
  bool seen = false;
  for (const Breaker& breaker : list->breakers) {
    if (breaker.head != find("**")) continue;
    seen = true;
    EXPECT_EQ(breaker.tail, vocab->tokenize(" the"));
    EXPECT_EQ(breaker.tail[0], find("  "));  // a space is put in front of the tail's own
  }
  EXPECT_TRUE(seen);
  // " *" counts as "*": the reference looks at it without its leading space.
  bool stripped = false;
  for (const Breaker& breaker : prepared_breakers<List>(*vocab, {" *"}, {})->breakers)
    stripped = stripped || breaker.head == find(" *");
  EXPECT_FALSE(stripped);
}

}  // namespace
}  // namespace bankml
