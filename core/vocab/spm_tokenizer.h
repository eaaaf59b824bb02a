// Tokens of short texts, for SentencePiece vocabularies of a GGUF file: what DRY breaker tails and string biases need.
//
// Score merges (SentencePiece's BPE, Kudo and Richardson 2018, as llama.cpp runs it): the text is cut into characters by their
// UTF-8 lead bytes; of all neighbours whose joined text is a token, the pair with the highest score is merged, the leftmost on a
// tie, until none is left. What is no token then becomes byte tokens "<0xNN>" (or, where the vocabulary has none, one-byte pieces).
//
// Kept from the reference: user-defined tokens are cut out of the text first, longest first, by their raw text; a space is put in
// front of the text, and of each part after such a token, where the vocabulary asks for it; spaces become U+2581. Control and
// unknown tokens are not looked for. Phi-3 models drop white space after user-defined tokens, recognised by the model's name.
// Tested by tests/vocab/spm_tokenizer_test.cpp
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace bankml {

class SpmTokenizer {
 public:
  struct Rules {
    bool add_space_prefix = true;
    bool drop_space_after_user_defined = false;
  };

  // texts: as they stand in the file ("\u2581the", "<0x0A>"), scores: one each. user_defined: ids. Of equal texts the last id
  // counts.
  SpmTokenizer(const std::vector<std::string_view>& texts, std::vector<float> scores, std::vector<int32_t> user_defined,
               Rules rules);

  // Any bytes; an empty text has no tokens. Throws Failure(arg) where a byte has no token.
  std::vector<int32_t> tokenize(std::string_view text) const;

  size_t bytes() const noexcept;

 private:
  struct Part {  // of the text: a user-defined token, or bytes [begin, end)
    int32_t token;
    size_t begin;
    size_t end;
  };

  std::string_view text(int32_t token) const noexcept;
  int32_t find(std::string_view text) const noexcept;  // -1: no such token
  std::vector<Part> cut_out_user_defined(std::string_view text) const;
  void merge(std::string_view text, std::vector<int32_t>& out) const;
  void push_bytes(std::string_view text, std::vector<int32_t>& out) const;

  std::string bytes_;
  std::vector<uint32_t> offsets_;
  std::vector<float> scores_;
  std::vector<int32_t> slots_;         // hash table of ids, open addressing, -1 = free
  std::vector<int32_t> user_defined_;  // longest text first
  Rules rules_;
};

}  // namespace bankml
