// One side of a comparison: it draws from a row of logits, or lists raw probabilities.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "bench/rows.h"
#include "tests/reference/llama_peer.h"

namespace bankml::bench {

class Rival {
 public:
  virtual ~Rival() = default;
  // The token, or for rows about probabilities a number made of the listed ids and bits.
  virtual int64_t run(const float* logits, size_t n) = 0;
};

// ours.cpp: the public C ABI.
std::unique_ptr<Rival> make_ours(const Row& row, size_t n_vocab, const std::vector<int32_t>& history);
// llama.cpp: llama.cpp's library, as llama-server uses it: a fresh set is filled for every draw, then the chain runs.
std::unique_ptr<Rival> make_llama(const reference::LlamaLibraryPtr& library, const Row& row, size_t n_vocab,
                                  const std::vector<int32_t>& history);

// Folds a listed probability into the number that run() returns.
inline int64_t fold(int64_t seen, int32_t id, uint32_t p_bits) {
  return static_cast<int64_t>((static_cast<uint64_t>(seen) ^ static_cast<uint32_t>(id)) * 0x9E3779B97F4A7C15u + p_bits);
}

}  // namespace bankml::bench
