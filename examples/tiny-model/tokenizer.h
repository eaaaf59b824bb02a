// Byte-level byte-pair encoding, as GPT-2 introduced it, with the simple word rule of train.py.
//
// A text is cut into words: a run of letters, of digits or of other characters, with at most one space before it; or a run of white
// space. Inside a word the pair of neighbours that was learnt earliest is joined, again and again. Bytes above 127 count as
// letters.
//
// Tested by examples/tiny-model/tiny_model_test.cpp
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace tiny {

class Tokenizer {
 public:
  // tokens: texts in the alphabet of byte-level BPE; merges: "left right", best first; end: the token rendered as nothing.
  Tokenizer(const std::vector<std::string>& tokens, const std::vector<std::string>& merges, int32_t end);

  std::vector<int32_t> encode(std::string_view text) const;
  const std::string& piece(int32_t token) const { return pieces_[static_cast<size_t>(token)]; }
  size_t size() const { return pieces_.size(); }

 private:
  struct Merge {
    size_t rank;
    int32_t joined;
  };

  void encode_word(std::string_view word, std::vector<int32_t>& out) const;

  std::vector<std::string> pieces_;
  std::vector<int32_t> byte_tokens_;
  std::unordered_map<uint64_t, Merge> merges_;  // key: left id * 2^32 + right id
};

}  // namespace tiny
