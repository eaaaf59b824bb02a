// core/vocab/gguf_vocab.cpp: recorded vocabularies, the rules a file switches on, and damaged files.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/base/status.h"
#include "core/formats/gguf.h"
#include "core/vocab/trie.h"
#include "core/vocab/vocab.h"

namespace bankml {
namespace {

const std::string folder = BANKML_SOURCE_DIR "/tests/vectors/";
using Ids = std::vector<int32_t>;

std::shared_ptr<const Vocab> load(const std::string& name) { return Vocab::from_gguf_path(folder + "vocab/" + name); }

int32_t find(const Vocab& vocab, const std::string& piece) {
  for (int32_t token = 0; vocab.contains(token); ++token) {
    if (vocab.piece(token) == piece) return token;
  }
  return -1;
}

std::string pieces_fnv(const Vocab& vocab) {
  uint64_t hash = 0xCBF29CE484222325u;
  const auto add = [&hash](size_t value) {
    for (int i = 0; i < 4; ++i) hash = (hash ^ (value >> (8 * i) & 0xFF)) * 0x100000001B3u;
  };
  for (int32_t token = 0; vocab.contains(token); ++token) {
    add(vocab.piece(token).size());
    for (const char c : vocab.piece(token)) add(static_cast<unsigned char>(c));
  }
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash));
  return text;
}

TEST(GgufVocab, RecordedVocabularies) {
  std::ifstream rows(folder + "vocab.jsonl");
  std::string line;
  int seen = 0;
  while (std::getline(rows, line)) {
    const nlohmann::json row = nlohmann::json::parse(line);
    const nlohmann::json& expect = row["expect"];
    SCOPED_TRACE(row["vocab"].get<std::string>());
    const auto vocab = load(row["vocab"]);
    EXPECT_EQ(vocab->size(), expect["n_vocab"].get<size_t>());
    EXPECT_EQ(pieces_fnv(*vocab), expect["pieces_fnv"].get<std::string>());
    EXPECT_EQ(vocab->eog_tokens(), expect["eog"].get<Ids>());
    EXPECT_EQ(vocab->eos(), expect["eos"].get<int32_t>());
    EXPECT_EQ(vocab->eot(), expect["eot"].get<int32_t>());
    EXPECT_EQ(vocab->bos(), expect["bos"].get<int32_t>());
    ++seen;
  }
  EXPECT_GE(seen, 2);
}

TEST(GgufVocab, SentencePieceFile) {
  const auto vocab = load("spm-prefix.gguf");
  EXPECT_EQ(vocab->piece(0), "<unk>");
  EXPECT_EQ(vocab->flags(0), token_unknown);
  EXPECT_EQ(vocab->plain_piece(0), "");
  EXPECT_EQ(vocab->flags(2), token_control | token_eog);
  EXPECT_EQ(vocab->bos(), 1);
  EXPECT_EQ(vocab->eos(), 2);
  EXPECT_EQ(vocab->eot(), -1);
  EXPECT_EQ(vocab->piece(3 + 0x0A), "\n");
  EXPECT_EQ(vocab->flags(3 + 0x0A), token_byte);
  const int32_t tag = find(*vocab, "<tag>");
  EXPECT_EQ(vocab->flags(tag), token_user_defined);
  EXPECT_EQ(find(*vocab, "gone"), -1);  // unused tokens have no text
  EXPECT_EQ(vocab->flags(tag + 3), token_unused);
  EXPECT_EQ(vocab->piece(tag + 3), "");
  EXPECT_EQ(vocab->flags(tag + 4), token_control | token_unused);
  EXPECT_EQ(vocab->piece(tag + 4), "<unused7>");
  EXPECT_EQ(vocab->suppress_tokens(), (Ids{5, 7}));
  // The reference's detokenizer takes one leading space off where the tokenizer adds one.
  EXPECT_EQ(vocab->breaker_text(find(*vocab, " the")), "the");
  EXPECT_EQ(vocab->breaker_text(find(*vocab, "  ")), " ");
}

TEST(GgufVocab, ByteLevelFiles) {
  const auto clean = load("bpe-clean.gguf");
  const auto keep = load("bpe-keep.gguf");
  EXPECT_EQ(clean->fingerprint(), keep->fingerprint());
  const int32_t stop = find(*clean, " .");
  ASSERT_GE(stop, 0);
  EXPECT_EQ(clean->breaker_text(stop), ".");
  EXPECT_EQ(keep->breaker_text(stop), " .");
  EXPECT_EQ(clean->breaker_text(find(*clean, " the")), " the");
  EXPECT_GE(find(*clean, "[UNK_BYTE_0xe4b8ad\u4E2D]"), 0);
  EXPECT_FALSE(clean->has_tokenizer());
  // A normal token with an end token's text is a control token.
  const int32_t end = find(*clean, "<|im_end|>");
  EXPECT_EQ(clean->flags(end), token_control | token_eog);
  EXPECT_EQ(clean->eog_tokens(), (Ids{end - 1, end, end + 1}));
  EXPECT_EQ(clean->flags(find(*clean, "<|fim_prefix|>")), token_control);
  EXPECT_EQ(clean->bos(), 11);
}

TEST(GgufVocab, ChatFormats) {
  const auto harmony = load("bpe-harmony.gguf");
  EXPECT_EQ(harmony->flags(find(*harmony, "<|end|>")), token_user_defined);
  EXPECT_EQ(harmony->flags(find(*harmony, "<|channel|>")), token_user_defined);
  EXPECT_EQ(harmony->eog_tokens(),
            (Ids{find(*harmony, "<|endoftext|>"), find(*harmony, "<|return|>"), find(*harmony, "<|call|>")}));
  const auto marked = load("bpe-marked.gguf");
  EXPECT_EQ(marked->piece(2), " a");
  EXPECT_EQ(marked->flags(3), 0u);  // "</s>" beside "<|tool_response>"
  EXPECT_EQ(marked->eog_tokens(), (Ids{4, 5, 6}));
  EXPECT_EQ(marked->piece(8 + 0xE9), "\xE9");
  EXPECT_EQ(marked->flags(8 + 0xE9), token_byte);
}

// ---- Files written here, pair by pair ----

std::string number(uint64_t value, size_t bytes) {
  std::string out;
  for (size_t i = 0; i < bytes; ++i) out += static_cast<char>(value >> (8 * i) & 0xFF);
  return out;
}
std::string text(const std::string& bytes) { return number(bytes.size(), 8) + bytes; }

class FileOf {
 public:
  FileOf& add(const std::string& key, uint32_t type, const std::string& value) {
    pairs_ += text(key) + number(type, 4) + value;
    ++count_;
    return *this;
  }
  FileOf& string(const std::string& key, const std::string& value) { return add(key, 8, text(value)); }
  FileOf& u32(const std::string& key, uint32_t value) { return add(key, 4, number(value, 4)); }
  FileOf& strings(const std::string& key, const std::vector<std::string>& values) {
    std::string bytes = number(8, 4) + number(values.size(), 8);
    for (const std::string& value : values) bytes += text(value);
    return add(key, 9, bytes);
  }
  FileOf& integers(const std::string& key, const std::vector<int32_t>& values) {
    std::string bytes = number(5, 4) + number(values.size(), 8);
    for (const int32_t value : values) bytes += number(static_cast<uint32_t>(value), 4);
    return add(key, 9, bytes);
  }
  std::string bytes() const { return "GGUF" + number(3, 4) + number(0, 8) + number(count_, 8) + pairs_; }
  std::shared_ptr<const Vocab> vocab() const {
    const std::string file = bytes();
    return Vocab::from_gguf_bytes(file.data(), file.size());
  }
  std::string refusal() const {
    try {
      vocab();
    } catch (const Failure& failure) {
      EXPECT_EQ(failure.status(), Status::parse);
      return failure.text();
    }
    return "read";
  }

 private:
  std::string pairs_;
  uint64_t count_ = 0;
};

FileOf llama(const std::vector<std::string>& tokens) {
  return FileOf().string("tokenizer.ggml.model", "llama").strings("tokenizer.ggml.tokens", tokens);
}

TEST(GgufVocab, DefaultsWhereTheFileIsSilent) {
  const auto vocab = llama({"x", "y", "\u2581z", ""}).vocab();
  EXPECT_EQ(vocab->bos(), 1);
  EXPECT_EQ(vocab->eos(), 2);
  EXPECT_EQ(vocab->eog_tokens(), Ids{2});
  EXPECT_EQ(vocab->piece(2), " z");
  EXPECT_EQ(vocab->flags(0), 0u);
  EXPECT_EQ(vocab->piece(3), "[EMPTY_3]");
  EXPECT_EQ(vocab->tokenize("z"), Ids{2});  // all scores 0, a space prefix
  const auto small = llama({"x", "y"}).vocab();
  EXPECT_EQ(small->bos(), 1);
  EXPECT_EQ(small->eos(), -1);
  EXPECT_EQ(llama({"x"}).vocab()->bos(), -1);
}

TEST(GgufVocab, IdsOutsideTheVocabularyKeepTheDefault) {
  EXPECT_EQ(llama({"a", "b", "c"}).u32("tokenizer.ggml.eos_token_id", 3).vocab()->eos(), 2);
  EXPECT_EQ(llama({"a", "b", "c"}).u32("tokenizer.ggml.eos_token_id", 0xFFFFFFFF).vocab()->eos(), 2);
  EXPECT_EQ(llama({"a", "b", "c"}).u32("tokenizer.ggml.eos_token_id", 0).vocab()->eos(), 0);
  EXPECT_EQ(llama({"a", "b"}).u32("tokenizer.ggml.eot_token_id", 9).vocab()->eot(), -1);
}

TEST(GgufVocab, RefusalsNameTheKey) {
  EXPECT_EQ(FileOf().refusal(), "GGUF vocabulary: tokenizer.ggml.model is missing");
  EXPECT_EQ(FileOf().u32("tokenizer.ggml.model", 1).refusal(), "GGUF vocabulary: tokenizer.ggml.model is not of type str");
  EXPECT_EQ(FileOf().string("tokenizer.ggml.model", "bert").refusal(),
            "GGUF vocabulary: tokenizer.ggml.model 'bert' is not supported (llama, gpt2, gemma4)");
  EXPECT_EQ(FileOf().string("tokenizer.ggml.model", "llama").refusal(), "GGUF vocabulary: tokenizer.ggml.tokens is missing");
  EXPECT_EQ(FileOf().string("tokenizer.ggml.model", "llama").u32("tokenizer.ggml.tokens", 1).refusal(),
            "GGUF vocabulary: tokenizer.ggml.tokens is no array of strings");
  EXPECT_EQ(llama({}).refusal(), "GGUF vocabulary: tokenizer.ggml.tokens is empty");
  EXPECT_EQ(llama({"a", "b"}).integers("tokenizer.ggml.token_type", {1}).refusal(),
            "GGUF vocabulary: tokenizer.ggml.token_type has 1 entries for 2 tokens");
  EXPECT_EQ(llama({"a"}).u32("tokenizer.ggml.token_type", 1).refusal(), "GGUF vocabulary: tokenizer.ggml.token_type is no array");
  EXPECT_EQ(llama({"a"}).strings("tokenizer.ggml.scores", {"1"}).refusal(),
            "GGUF vocabulary: tokenizer.ggml.scores is no array of f32 or i32");
  EXPECT_EQ(llama({"a"}).string("tokenizer.ggml.eos_token_id", "0").refusal(),
            "GGUF vocabulary: tokenizer.ggml.eos_token_id is not of type u32");
  EXPECT_EQ(llama({"a", "<0xZ0>"}).integers("tokenizer.ggml.token_type", {1, 6}).refusal(),
            "GGUF vocabulary: tokenizer.ggml.tokens entry 1 is a byte token and does not read <0xNN>");
  EXPECT_EQ(llama({"a"}).strings("tokenizer.ggml.suppress_tokens", {"a"}).refusal(),
            "GGUF vocabulary: tokenizer.ggml.suppress_tokens is no array of i32");
  EXPECT_THROW(Vocab::from_gguf_path("/nonexistent.gguf"), Failure);
}

TEST(GgufVocab, OddTypesAndEqualTexts) {
  const auto vocab = llama({"a", "a", "b", "c"}).integers("tokenizer.ggml.token_type", {1, 1, 0, 77}).vocab();
  EXPECT_EQ(vocab->piece(1), "a");
  EXPECT_EQ(vocab->piece(2), "");  // neither normal nor special: no text
  EXPECT_EQ(vocab->piece(3), "");
}

// A damaged vocabulary is refused with a clean text, or read; then everything it offers works.
TEST(GgufVocab, DamagedFiles) {
  std::ifstream stream(folder + "vocab/spm-prefix.gguf", std::ios::binary);
  const std::string whole{std::istreambuf_iterator<char>(stream), {}};
  ASSERT_GT(whole.size(), 5000u);
  size_t refused = 0;
  const auto attempt = [&refused](const std::string& bytes) {
    try {
      const auto vocab = Vocab::from_gguf_bytes(bytes.data(), bytes.size());
      EXPECT_EQ(vocab->trie().tokens_below(0).size(), vocab->size());
      if (vocab->has_tokenizer()) vocab->tokenize("the name *** \u4E2D<tag> x");
    } catch (const Failure& failure) {
      EXPECT_TRUE(failure.status() == Status::parse || failure.status() == Status::arg) << failure.text();
      EXPECT_FALSE(failure.text().empty());
      ++refused;
    }
  };
  for (size_t length = 0; length < whole.size(); length += length < 1000 ? 1 : 7) attempt(whole.substr(0, length));
  EXPECT_GT(refused, 1500u);
  for (size_t i = 0; i < whole.size(); i += i < 800 ? 1 : 5) {
    std::string damaged = whole;
    damaged[i] = static_cast<char>(damaged[i] ^ (1 << i % 8));
    attempt(damaged);
  }
}

}  // namespace
}  // namespace bankml
