// Byte-level byte-pair encoding; see the header for the rule.
//
// Source: R. Sennrich et al., "Neural Machine Translation of Rare Words with Subword Units" (2016); the alphabet that stands for
// the 256 bytes is GPT-2's: printable Latin-1 characters stand for themselves, the other bytes for the characters from U+0100 on.
//
// Tested by examples/tiny-model/tiny_model_test.cpp
#include "examples/tiny-model/tokenizer.h"

#include <array>
#include <stdexcept>

namespace tiny {
namespace {

std::array<uint32_t, 256> letters_of_bytes() {
  std::array<uint32_t, 256> letters{};
  uint32_t extra = 256;
  for (uint32_t b = 0; b < 256; ++b) {
    const bool printable = (b >= 33 && b <= 126) || (b >= 161 && b <= 172) || b >= 174;
    letters[b] = printable ? b : extra++;
  }
  return letters;
}

// The bytes that a token's text stands for. All letters of the alphabet take one or two bytes of UTF-8.
std::string decode(const std::string& text, const std::unordered_map<uint32_t, char>& bytes) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    uint32_t letter = static_cast<uint8_t>(text[i]);
    if (letter >= 0xC0 && i + 1 < text.size()) letter = (letter & 31) << 6 | (static_cast<uint8_t>(text[++i]) & 63);
    const auto found = bytes.find(letter);
    if (found == bytes.end()) return text;  // not written in the alphabet: shown as it is
    out += found->second;
  }
  return out;
}

enum class Kind { space, letter, digit, other };

Kind kind_of(char c) {
  const auto b = static_cast<uint8_t>(c);
  if (b == ' ' || (b >= 9 && b <= 13)) return Kind::space;
  if ((b >= 'a' && b <= 'z') || (b >= 'A' && b <= 'Z') || b >= 128) return Kind::letter;
  return b >= '0' && b <= '9' ? Kind::digit : Kind::other;
}

uint64_t pair_key(int32_t left, int32_t right) { return static_cast<uint64_t>(left) << 32 | static_cast<uint32_t>(right); }

}  // namespace

Tokenizer::Tokenizer(const std::vector<std::string>& tokens, const std::vector<std::string>& merges, int32_t end) {
  std::unordered_map<uint32_t, char> bytes;
  const auto letters = letters_of_bytes();
  for (uint32_t b = 0; b < 256; ++b) bytes[letters[b]] = static_cast<char>(b);
  std::unordered_map<std::string, int32_t> ids;
  byte_tokens_.assign(256, -1);
  for (const std::string& token : tokens) {
    const auto id = static_cast<int32_t>(pieces_.size());
    ids[token] = id;
    pieces_.push_back(id == end ? std::string() : decode(token, bytes));
    if (pieces_.back().size() == 1) byte_tokens_[static_cast<uint8_t>(pieces_.back()[0])] = id;
  }
  for (const int32_t id : byte_tokens_)
    if (id < 0) throw std::runtime_error("the vocabulary lacks a token for some byte");
  for (size_t rank = 0; rank < merges.size(); ++rank) {
    const std::string& merge = merges[rank];
    const size_t space = merge.find(' ');
    const auto left = ids.find(merge.substr(0, space)), right = ids.find(space == std::string::npos ? "" : merge.substr(space + 1));
    if (left == ids.end() || right == ids.end()) throw std::runtime_error("merge '" + merge + "' names an unknown token");
    const auto joined = ids.find(left->first + right->first);
    if (joined == ids.end()) throw std::runtime_error("merge '" + merge + "' makes an unknown token");
    merges_.emplace(pair_key(left->second, right->second), Merge{rank, joined->second});
  }
}

std::vector<int32_t> Tokenizer::encode(std::string_view text) const {
  std::vector<int32_t> out;
  for (size_t i = 0; i < text.size();) {
    const size_t start = i;
    if (text[i] == ' ' && i + 1 < text.size() && kind_of(text[i + 1]) != Kind::space) ++i;
    const Kind kind = kind_of(text[i]);
    while (i < text.size() && kind_of(text[i]) == kind) ++i;
    // White space before a word leaves its last space to the word.
    if (kind == Kind::space && i < text.size() && i - start > 1 && text[i - 1] == ' ') --i;
    encode_word(text.substr(start, i - start), out);
  }
  return out;
}

void Tokenizer::encode_word(std::string_view word, std::vector<int32_t>& out) const {
  std::vector<int32_t> symbols;
  for (const char c : word) symbols.push_back(byte_tokens_[static_cast<uint8_t>(c)]);
  for (;;) {
    const Merge* best = nullptr;
    uint64_t best_pair = 0;
    for (size_t i = 0; i + 1 < symbols.size(); ++i) {
      const auto found = merges_.find(pair_key(symbols[i], symbols[i + 1]));
      if (found == merges_.end() || (best != nullptr && found->second.rank >= best->rank)) continue;
      best = &found->second;
      best_pair = found->first;
    }
    if (best == nullptr) break;
    std::vector<int32_t> joined;
    for (size_t i = 0; i < symbols.size(); ++i) {
      if (i + 1 < symbols.size() && pair_key(symbols[i], symbols[i + 1]) == best_pair) {
        joined.push_back(best->joined);
        ++i;
      } else {
        joined.push_back(symbols[i]);
      }
    }
    symbols = std::move(joined);
  }
  out.insert(out.end(), symbols.begin(), symbols.end());
}

}  // namespace tiny
