// A vocabulary: the bytes of every piece, what each token is, and which tokens end a generation. Immutable; shared by any number of
// threads and samplers. Made from arrays of a host, or from the metadata of a GGUF file by the reference's rules (gguf_vocab.cpp).
//
// Piece bytes are what llama_token_to_piece gives with special tokens rendered. Caches are filled on first use, behind a lock:
// the byte trie, the tables of code points (char_tables.h) and prepared DRY breakers (breakers.h).
// Tested by tests/vocab/vocab_test.cpp, tests/vocab/gguf_vocab_test.cpp
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/formats/gguf.h"
#include "core/vocab/piece_chars.h"

namespace bankml {

// Flags of one token; equal to the BANKML_TOKEN_... constants of bankml.h.
constexpr uint32_t token_control = 1;
constexpr uint32_t token_eog = 2;
constexpr uint32_t token_byte = 4;
constexpr uint32_t token_user_defined = 8;
constexpr uint32_t token_unused = 16;
constexpr uint32_t token_unknown = 32;

class BreakerCache;
class CharTables;
class SpmTokenizer;
class Trie;

class Vocab {
 public:
  // n pieces: piece i is bytes[offsets[i] .. offsets[i + 1]), offsets n + 1 ascending values. flags: n values or nullptr. eos, eot,
  // bos: ids or -1; eos and eot become end-of-generation tokens. Everything is copied. Throws Failure(arg) with the bad index.
  static std::shared_ptr<const Vocab> from_pieces(const uint8_t* bytes, const size_t* offsets, const uint32_t* flags, size_t n,
                                                  int32_t eos, int32_t eot, int32_t bos = -1);

  // SentencePiece ("llama") and byte-level BPE ("gpt2", "gemma4") vocabularies. Throws Failure(parse) with the key, Failure(io).
  static std::shared_ptr<const Vocab> from_gguf(const gguf::File& file);
  static std::shared_ptr<const Vocab> from_gguf_path(const std::string& path);
  static std::shared_ptr<const Vocab> from_gguf_bytes(const void* data, size_t len);

  ~Vocab();
  Vocab(const Vocab&) = delete;
  Vocab& operator=(const Vocab&) = delete;

  size_t size() const noexcept { return flags_.size(); }
  bool contains(int32_t token) const noexcept { return token >= 0 && static_cast<size_t>(token) < flags_.size(); }

  // Of a token in [0, size()); not checked.
  std::string_view piece(int32_t token) const noexcept {
    const size_t i = static_cast<size_t>(token);
    return std::string_view(bytes_).substr(offsets_[i], offsets_[i + 1] - offsets_[i]);
  }
  // The piece as text of the model's output: control and unknown tokens render as nothing.
  std::string_view plain_piece(int32_t token) const noexcept {
    return (flags(token) & (token_control | token_unknown)) != 0 ? std::string_view() : piece(token);
  }
  uint32_t flags(int32_t token) const noexcept { return flags_[static_cast<size_t>(token)]; }
  bool is_eog(int32_t token) const noexcept { return (flags(token) & token_eog) != 0; }

  // Whether its piece is text: not of a control, an unused or an end token, and not empty.
  bool is_text(int32_t token) const noexcept {
    return (flags(token) & (token_control | token_eog | token_unused)) == 0 && !piece(token).empty();
  }

  int32_t eos() const noexcept { return eos_; }                                    // -1 if none
  int32_t eot() const noexcept { return eot_; }                                    // -1 if none
  int32_t bos() const noexcept { return bos_; }                                    // -1 if none
  const std::vector<int32_t>& eog_tokens() const noexcept { return eog_tokens_; }  // ascending
  // tokenizer.ggml.suppress_tokens, in file order, ids outside the vocabulary dropped: each gets bias -inf, after all other biases.
  const std::vector<int32_t>& suppress_tokens() const noexcept { return suppress_tokens_; }

  // FNV-1a 64 over the number of tokens, then per token flags, length and bytes; integers as 4 little-endian bytes.
  uint64_t fingerprint() const noexcept { return fingerprint_; }

  // True for SentencePiece vocabularies from GGUF: the file has all that its tokenizer takes.
  bool has_tokenizer() const noexcept { return tokenizer_ != nullptr; }
  // Tokens of a text, as llama_tokenize gives them without specials (add_special and parse_special false); the vocabulary's space
  // prefix rule holds. Any bytes. Throws Failure(arg) without a tokenizer, and where a byte has no token.
  std::vector<int32_t> tokenize(std::string_view text) const;

  // The text in which the reference looks for DRY breakers: its detokenizer's, of this token alone. That is the piece, except that
  // one leading space goes where the tokenizer adds one, and that some byte-level vocabularies clean up spaces before punctuation.
  std::string breaker_text(int32_t token) const;

  // Trie over all pieces; built on the first call, kept.
  const Trie& trie() const;

  // What grammars walk: the same over code points, and which tokens stay within a set of them; built on the first call, kept.
  const CharTables& char_tables(Decoding decoding = Decoding::llama) const;

  BreakerCache& breaker_cache() const noexcept { return *breaker_cache_; }
  // How often breakers were prepared by scanning the pieces.
  uint64_t breaker_scans() const noexcept;

  // Bytes held, the trie included once it is built; prepared breakers not.
  size_t bytes() const noexcept;

 private:
  friend class GgufVocab;
  struct Lazy;

  Vocab();
  void finish();  // EOG list and fingerprint, once pieces and flags stand

  std::string bytes_;
  std::vector<uint32_t> offsets_;
  std::vector<uint8_t> flags_;
  std::vector<int32_t> eog_tokens_;
  std::vector<int32_t> suppress_tokens_;
  int32_t eos_ = -1;
  int32_t eot_ = -1;
  int32_t bos_ = -1;
  bool strip_first_space_ = false;
  bool clean_spaces_ = false;
  uint64_t fingerprint_ = 0;
  std::unique_ptr<const SpmTokenizer> tokenizer_;
  std::unique_ptr<Lazy> lazy_;
  std::unique_ptr<BreakerCache> breaker_cache_;
};

}  // namespace bankml
