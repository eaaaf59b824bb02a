// Any bytes as a GGUF file, and what was read as a vocabulary: refused cleanly, or everything it offers works.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "core/base/status.h"
#include "core/formats/gguf.h"
#include "core/vocab/breakers.h"
#include "core/vocab/trie.h"
#include "core/vocab/vocab.h"

namespace bankml::fuzz {

inline void every_value(const gguf::File& file) {
  uint64_t sum = 0;
  for (const gguf::Value& value : file.values()) {
    if (file.find(value.key()) != &value) std::abort();
    for (size_t i = 0; i < value.size(); ++i) {
      switch (value.type()) {
        case gguf::Type::string:
          for (const char c : value.string(i)) sum += static_cast<unsigned char>(c);
          break;
        case gguf::Type::f32:
          sum += value.f32(i) == 0.0f ? 1 : 0;
          break;
        case gguf::Type::f64:
          sum += value.f64(i) == 0.0 ? 1 : 0;
          break;
        case gguf::Type::boolean:
          sum += value.boolean(i) ? 1 : 0;
          break;
        case gguf::Type::i8:
        case gguf::Type::i16:
        case gguf::Type::i32:
        case gguf::Type::i64:
          sum += static_cast<uint64_t>(value.signed_integer(i));
          break;
        default:
          sum += value.unsigned_integer(i);
      }
    }
  }
  volatile uint64_t read = sum;  // keeps the reads
  (void)read;
}

inline void vocabulary(const gguf::File& file) {
  const std::shared_ptr<const Vocab> vocab = Vocab::from_gguf(file);
  if (vocab->trie().tokens_below(0).size() != vocab->size()) std::abort();
  for (int32_t token = 0; vocab->contains(token); ++token) {
    if (vocab->trie().find(vocab->piece(token)) == Trie::none) std::abort();
    if (vocab->breaker_text(token).size() > vocab->piece(token).size()) std::abort();
  }
  open_breaker_tails(*vocab, {"\n", ": the"}, {});
  if (vocab->has_tokenizer()) vocab->tokenize(" the name\n\xE4\xB8\xAD<tag>\xFF");
}

inline void gguf(const uint8_t* data, size_t size) {
  try {
    const gguf::File file = gguf::File::from_bytes({reinterpret_cast<const char*>(data), size});
    every_value(file);
    vocabulary(file);
  } catch (const Failure& failure) {
    const bool clean = failure.status() == Status::parse || failure.status() == Status::arg;
    if (!clean || failure.text().empty()) std::abort();
  }
}

}  // namespace bankml::fuzz
