// A vocabulary from GGUF metadata (keys tokenizer.ggml.*), by the reference's rules (llama.cpp's llama_vocab::impl::load and
// token_to_piece, for facts).
//
// Rendering of a token's text, specials included: control, unknown and user-defined tokens as they stand; normal ones decoded
// (piece_text.h); byte tokens as their byte; all others, unused ones among them, as nothing. Defaults where the file is silent are
// the reference's too: "llama" vocabularies have BOS 1, EOS 2 and a space prefix, "gpt2" ones BOS and EOS 11. Empty texts read
// "[EMPTY_<id>]". A special id outside the vocabulary is dropped. Equal texts, which the reference dies of, are let be.
// Tested by tests/vocab/gguf_vocab_test.cpp
#include <deque>
#include <limits>
#include <string>
#include <utility>

#include "core/base/status.h"
#include "core/formats/gguf.h"
#include "core/vocab/breaker_cache.h"
#include "core/vocab/piece_text.h"
#include "core/vocab/special_tokens.h"
#include "core/vocab/spm_tokenizer.h"
#include "core/vocab/trie.h"
#include "core/vocab/vocab.h"

namespace bankml {

class GgufVocab {
 public:
  explicit GgufVocab(const gguf::File& file) : file_(file), vocab_(new Vocab()) {}

  std::shared_ptr<const Vocab> read() {
    model();
    texts();
    attributes();
    special_ids();
    apply_text_rules(texts_, attributes_, ids_);
    suppressed();
    pieces();
    if (model_ == Model::spm) tokenizer();
    vocab_->strip_first_space_ = add_space_prefix_;
    vocab_->bos_ = ids_.bos;
    vocab_->eos_ = ids_.eos;
    vocab_->eot_ = ids_.eot;
    vocab_->finish();
    return std::move(vocab_);
  }

 private:
  enum class Model { spm, byte_level, marked };  // marked: merges like byte-level, spaces and bytes written like SentencePiece

  static constexpr const char* tokens_key = "tokenizer.ggml.tokens";

  [[noreturn]] static void fail(const std::string& key, const std::string& what) {
    throw Failure(Status::parse, "GGUF vocabulary: " + key + " " + what);
  }

  // The plain value of a key, nullptr if there is none; another type is refused.
  const gguf::Value* plain(const std::string& key, gguf::Type type) const {
    const gguf::Value* value = file_.find(key);
    if (value != nullptr && !value->is(type)) fail(key, std::string("is not of type ") + gguf::type_name(type));
    return value;
  }

  std::string text_of(const std::string& key) const {
    const gguf::Value* value = plain(key, gguf::Type::string);
    return value == nullptr ? std::string() : std::string(value->string());
  }

  void model() {
    const gguf::Value* value = plain("tokenizer.ggml.model", gguf::Type::string);
    if (value == nullptr) fail("tokenizer.ggml.model", "is missing");
    const std::string name(value->string());
    std::string pre = text_of("tokenizer.ggml.pre");
    if (name == "llama") {
      model_ = Model::spm;
      add_space_prefix_ = true;
      ids_.bos = 1;
      ids_.eos = 2;
    } else if (name == "gpt2" || name == "gemma4") {
      if (name == "gemma4") {
        pre = name;
      } else {
        ids_.bos = ids_.eos = 11;
      }
      model_ = pre_tokenizer_marks_spaces(pre) ? Model::marked : Model::byte_level;
      vocab_->clean_spaces_ = pre_tokenizer_cleans_spaces(pre);
    } else {
      fail("tokenizer.ggml.model", "'" + name.substr(0, 40) + "' is not supported (llama, gpt2, gemma4)");
    }
    if (const gguf::Value* prefix = plain("tokenizer.ggml.add_space_prefix", gguf::Type::boolean))
      add_space_prefix_ = prefix->boolean();
  }

  void texts() {
    const gguf::Value* tokens = file_.find(tokens_key);
    if (tokens == nullptr) fail(tokens_key, "is missing");
    if (!tokens->is_array_of(gguf::Type::string)) fail(tokens_key, "is no array of strings");
    const size_t n = tokens->size();
    if (n == 0) fail(tokens_key, "is empty");
    if (n > static_cast<size_t>(std::numeric_limits<int32_t>::max()))
      fail(tokens_key, "has " + std::to_string(n) + " entries, too many");
    texts_.reserve(n);
    for (size_t i = 0; i < n; ++i) {
      std::string_view text = tokens->string(i);
      if (text.empty()) {
        made_texts_.push_back("[EMPTY_" + std::to_string(i) + "]");
        text = made_texts_.back();
      }
      texts_.push_back(text);
    }
  }

  // An array with at least one entry per token, nullptr if there is none.
  const gguf::Value* per_token(const std::string& key) const {
    const gguf::Value* value = file_.find(key);
    if (value == nullptr) return nullptr;
    if (!value->is_array()) fail(key, "is no array");
    if (value->size() < texts_.size()) {
      fail(key, "has " + std::to_string(value->size()) + " entries for " + std::to_string(texts_.size()) + " tokens");
    }
    return value;
  }

  void attributes() {
    const std::string key = "tokenizer.ggml.token_type";
    attributes_.assign(texts_.size(), attribute_normal);
    const gguf::Value* types = per_token(key);
    if (types == nullptr) return;
    if (!types->is_array_of(gguf::Type::i32)) fail(key, "is no array of i32");
    constexpr uint32_t by_type[] = {attribute_undefined, attribute_normal, token_unknown, token_control,
                                    token_user_defined,  token_unused,     token_byte};
    for (size_t i = 0; i < texts_.size(); ++i) {
      const int64_t type = types->signed_integer(i);
      attributes_[i] = type >= 0 && type < 7 ? by_type[type] : attribute_undefined;
    }
  }

  void special_ids() {
    const int32_t n = static_cast<int32_t>(texts_.size());
    const auto read = [&](int32_t& id, const char* name) {
      if (id >= n) id = -1;
      const gguf::Value* value = plain(std::string("tokenizer.ggml.") + name, gguf::Type::u32);
      if (value != nullptr && value->unsigned_integer() < static_cast<uint64_t>(n))
        id = static_cast<int32_t>(value->unsigned_integer());
    };
    read(ids_.bos, "bos_token_id");
    read(ids_.eos, "eos_token_id");
    read(ids_.eot, "eot_token_id");
    read(ids_.eom, "eom_token_id");
    read(ids_.fim_prefix, "fim_pre_token_id");
    read(ids_.fim_suffix, "fim_suf_token_id");
    read(ids_.fim_middle, "fim_mid_token_id");
    read(ids_.fim_pad, "fim_pad_token_id");
    read(ids_.fim_repo, "fim_rep_token_id");
    read(ids_.fim_separator, "fim_sep_token_id");
    read(ids_.fim_prefix, "prefix_token_id");  // the older names of three of them
    read(ids_.fim_suffix, "suffix_token_id");
    read(ids_.fim_middle, "middle_token_id");
  }

  void suppressed() {
    const std::string key = "tokenizer.ggml.suppress_tokens";
    const gguf::Value* list = file_.find(key);
    if (list == nullptr) return;
    if (!list->is_array_of(gguf::Type::i32)) fail(key, "is no array of i32");
    for (size_t i = 0; i < list->size(); ++i) {
      const int64_t id = list->signed_integer(i);
      if (id >= 0 && static_cast<size_t>(id) < texts_.size()) vocab_->suppress_tokens_.push_back(static_cast<int32_t>(id));
    }
  }

  std::string piece(size_t i) const {
    const uint32_t attributes = attributes_[i];
    if ((attributes & (token_control | token_unknown | token_user_defined)) != 0) return std::string(texts_[i]);
    if ((attributes & attribute_normal) != 0)
      return model_ == Model::byte_level ? byte_level_piece(texts_[i]) : spm_piece(texts_[i]);
    if ((attributes & token_byte) != 0) {
      const int byte = byte_token_value(texts_[i]);
      if (byte < 0) fail(tokens_key, "entry " + std::to_string(i) + " is a byte token and does not read <0xNN>");
      return std::string(1, static_cast<char>(byte));
    }
    return {};
  }

  void pieces() {
    constexpr uint32_t flags = 0xFF;
    vocab_->offsets_.reserve(texts_.size() + 1);
    vocab_->flags_.reserve(texts_.size());
    vocab_->offsets_.push_back(0);
    for (size_t i = 0; i < texts_.size(); ++i) {
      vocab_->bytes_ += piece(i);
      if (vocab_->bytes_.size() > std::numeric_limits<uint32_t>::max()) fail(tokens_key, "has more than 4 GiB of pieces");
      vocab_->offsets_.push_back(static_cast<uint32_t>(vocab_->bytes_.size()));
      vocab_->flags_.push_back(static_cast<uint8_t>(attributes_[i] & flags));
    }
    vocab_->bytes_.shrink_to_fit();
  }

  void tokenizer() {
    const std::string key = "tokenizer.ggml.scores";
    std::vector<float> scores(texts_.size(), 0.0f);
    if (const gguf::Value* values = per_token(key)) {
      const bool integers = values->is_array_of(gguf::Type::i32);
      if (!integers && !values->is_array_of(gguf::Type::f32)) fail(key, "is no array of f32 or i32");
      for (size_t i = 0; i < scores.size(); ++i)
        scores[i] = integers ? static_cast<float>(values->signed_integer(i)) : values->f32(i);
    }
    std::vector<int32_t> user_defined;
    for (size_t i = 0; i < texts_.size(); ++i) {
      const uint32_t skipped = attributes_[i] & (token_control | token_unknown);
      if ((attributes_[i] & token_user_defined) != 0 && skipped == 0) user_defined.push_back(static_cast<int32_t>(i));
    }
    vocab_->tokenizer_ = std::make_unique<const SpmTokenizer>(texts_, std::move(scores), std::move(user_defined),
                                                              SpmTokenizer::Rules{add_space_prefix_, is_phi_3()});
  }

  bool is_phi_3() const {
    std::string name = text_of("general.name");
    for (char& c : name) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    return name.find("phi-3") != std::string::npos || name.find("phi3") != std::string::npos;
  }

  const gguf::File& file_;
  std::shared_ptr<Vocab> vocab_;
  Model model_ = Model::spm;
  bool add_space_prefix_ = false;
  std::deque<std::string> made_texts_;  // its elements stay where they are
  std::vector<std::string_view> texts_;
  std::vector<uint32_t> attributes_;
  SpecialTokens ids_;
};

std::shared_ptr<const Vocab> Vocab::from_gguf(const gguf::File& file) { return GgufVocab(file).read(); }

std::shared_ptr<const Vocab> Vocab::from_gguf_path(const std::string& path) { return from_gguf(gguf::File::from_path(path)); }

std::shared_ptr<const Vocab> Vocab::from_gguf_bytes(const void* data, size_t len) {
  return from_gguf(gguf::File::from_bytes(std::string_view(static_cast<const char*>(data), len)));
}

}  // namespace bankml
