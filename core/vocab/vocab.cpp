// The vocabulary itself: arrays of a host copied in, lookups, and the two caches that are filled on first use.
// Tested by tests/vocab/vocab_test.cpp
#include "core/vocab/vocab.h"

#include <atomic>
#include <limits>
#include <mutex>
#include <utility>

#include "core/base/status.h"
#include "core/vocab/breaker_cache.h"
#include "core/vocab/char_tables.h"
#include "core/vocab/piece_text.h"
#include "core/vocab/spm_tokenizer.h"
#include "core/vocab/trie.h"

namespace bankml {

// Tries: made under the lock, read through the atomic pointer.
struct Vocab::Lazy {
  std::mutex mutex;
  std::unique_ptr<const Trie> owned;
  std::atomic<const Trie*> trie{nullptr};
  std::unique_ptr<const CharTables> owned_tables[2];  // of each decoding
  std::atomic<const CharTables*> char_tables[2]{};
};

Vocab::Vocab() : lazy_(std::make_unique<Lazy>()), breaker_cache_(std::make_unique<BreakerCache>()) {}

Vocab::~Vocab() = default;

std::shared_ptr<const Vocab> Vocab::from_pieces(const uint8_t* bytes, const size_t* offsets, const uint32_t* flags, size_t n,
                                                int32_t eos, int32_t eot, int32_t bos) {
  constexpr uint32_t known_flags = token_control | token_eog | token_byte | token_user_defined | token_unused | token_unknown;
  if (n == 0 || n > static_cast<size_t>(std::numeric_limits<int32_t>::max())) {
    throw Failure(Status::arg, "vocabulary: n = " + std::to_string(n) + " is outside [1, 2147483647]");
  }
  if (offsets == nullptr) throw Failure(Status::arg, "vocabulary: offsets is NULL");
  for (size_t i = 0; i < n; ++i) {
    if (offsets[i + 1] < offsets[i]) {
      throw Failure(Status::arg, "vocabulary: offsets[" + std::to_string(i + 1) + "] = " + std::to_string(offsets[i + 1]) +
                                     " is below the offset before it, " + std::to_string(offsets[i]));
    }
    if (flags != nullptr && (flags[i] & ~known_flags) != 0) {
      throw Failure(Status::arg,
                    "vocabulary: flags[" + std::to_string(i) + "] = " + std::to_string(flags[i]) + " has unknown bits");
    }
  }
  const size_t total = offsets[n] - offsets[0];
  if (total > std::numeric_limits<uint32_t>::max()) {
    throw Failure(Status::arg, "vocabulary: the pieces have " + std::to_string(total) + " bytes, more than 4 GiB");
  }
  if (bytes == nullptr && total > 0) throw Failure(Status::arg, "vocabulary: bytes is NULL");

  std::shared_ptr<Vocab> vocab(new Vocab());
  const auto special = [&](const char* name, int32_t id) {
    if (id < -1 || (id >= 0 && static_cast<size_t>(id) >= n)) {
      throw Failure(Status::arg, std::string("vocabulary: ") + name + " = " + std::to_string(id) +
                                     " is outside the vocabulary of " + std::to_string(n));
    }
    return id;
  };
  vocab->eos_ = special("eos", eos);
  vocab->eot_ = special("eot", eot);
  vocab->bos_ = special("bos", bos);
  if (total > 0) vocab->bytes_.assign(reinterpret_cast<const char*>(bytes) + offsets[0], total);
  vocab->offsets_.reserve(n + 1);
  vocab->flags_.reserve(n);
  for (size_t i = 0; i <= n; ++i) vocab->offsets_.push_back(static_cast<uint32_t>(offsets[i] - offsets[0]));
  for (size_t i = 0; i < n; ++i) vocab->flags_.push_back(static_cast<uint8_t>(flags == nullptr ? 0 : flags[i]));
  for (const int32_t end : {eos, eot}) {
    if (end >= 0) vocab->flags_[static_cast<size_t>(end)] |= static_cast<uint8_t>(token_eog);
  }
  vocab->finish();
  return vocab;
}

void Vocab::finish() {
  uint64_t hash = 0xCBF29CE484222325u;
  const auto add_byte = [&hash](uint32_t byte) { hash = (hash ^ byte) * 0x100000001B3u; };
  const auto add_integer = [&](size_t value) {
    for (int i = 0; i < 4; ++i) add_byte(static_cast<uint32_t>(value >> (8 * i)) & 0xFF);
  };
  add_integer(size());
  for (size_t i = 0; i < size(); ++i) {
    const std::string_view bytes = piece(static_cast<int32_t>(i));
    add_integer(flags_[i]);
    add_integer(bytes.size());
    for (const char c : bytes) add_byte(static_cast<unsigned char>(c));
    if ((flags_[i] & token_eog) != 0) eog_tokens_.push_back(static_cast<int32_t>(i));
  }
  fingerprint_ = hash;
}

std::vector<int32_t> Vocab::tokenize(std::string_view text) const {
  if (tokenizer_ == nullptr)
    throw Failure(Status::arg, "this vocabulary has no tokenizer: only SentencePiece vocabularies from GGUF do");
  return tokenizer_->tokenize(text);
}

std::string Vocab::breaker_text(int32_t token) const {
  std::string_view text = piece(token);
  if (strip_first_space_ && text.substr(0, 1) == " ") text.remove_prefix(1);
  return clean_spaces_ ? clean_up_spaces(text) : std::string(text);
}

const Trie& Vocab::trie() const {
  const Trie* trie = lazy_->trie.load(std::memory_order_acquire);
  if (trie != nullptr) return *trie;
  const std::lock_guard<std::mutex> lock(lazy_->mutex);
  if (lazy_->owned == nullptr) {
    lazy_->owned = std::make_unique<const Trie>(*this);
    lazy_->trie.store(lazy_->owned.get(), std::memory_order_release);
  }
  return *lazy_->owned;
}

const CharTables& Vocab::char_tables(Decoding decoding) const {
  const auto which = static_cast<size_t>(decoding);
  const CharTables* tables = lazy_->char_tables[which].load(std::memory_order_acquire);
  if (tables != nullptr) return *tables;
  const std::lock_guard<std::mutex> lock(lazy_->mutex);
  if (lazy_->owned_tables[which] == nullptr) {
    lazy_->owned_tables[which] = std::make_unique<const CharTables>(*this, decoding);
    lazy_->char_tables[which].store(lazy_->owned_tables[which].get(), std::memory_order_release);
  }
  return *lazy_->owned_tables[which];
}

uint64_t Vocab::breaker_scans() const noexcept { return breaker_cache_->scans.load(); }

size_t Vocab::bytes() const noexcept {
  const Trie* trie = lazy_->trie.load(std::memory_order_acquire);
  size_t tables_bytes = 0;
  for (const auto& made : lazy_->char_tables) {
    const CharTables* tables = made.load(std::memory_order_acquire);
    tables_bytes += tables == nullptr ? 0 : tables->bytes();
  }
  return sizeof *this + bytes_.capacity() + offsets_.capacity() * sizeof(uint32_t) + flags_.capacity() +
         (eog_tokens_.capacity() + suppress_tokens_.capacity()) * sizeof(int32_t) +
         (tokenizer_ == nullptr ? 0 : tokenizer_->bytes()) + (trie == nullptr ? 0 : trie->bytes()) +
         tables_bytes;
}

}  // namespace bankml
