// What several steps keep, as state bytes. Tested by tests/chain/state.cpp
#pragma once

#include <vector>

#include "core/base/state_bytes.h"
#include "core/candidates/token_window.h"
#include "core/random/engine.h"

namespace bankml {

inline void save_engine(StateWriter& out, const random::Engine& engine) {
  uint32_t words[random::Engine::state_words], position = 0;
  uint64_t outputs = 0;
  engine.copy_state(words, position, outputs);
  out.u32(position);
  out.u64(outputs);
  for (const uint32_t word : words) out.u32(word);
}

inline void load_engine(StateReader& in, random::Engine& engine) {
  uint32_t words[random::Engine::state_words];
  const uint32_t position = in.u32();
  const uint64_t outputs = in.u64();
  for (uint32_t& word : words) word = in.u32();
  if (!engine.set_state(words, position, outputs)) StateReader::damaged();
}

// A token, or -1.
inline int32_t load_token(StateReader& in, size_t n_vocab) {
  const int32_t token = in.i32();
  if (token < -1 || (token >= 0 && static_cast<size_t>(token) >= n_vocab)) StateReader::damaged();
  return token;
}

// The oldest token first.
inline void save_window(StateWriter& out, const TokenWindow& window) {
  out.u64(window.size());
  for (size_t i = window.size(); i > 0; --i) out.i32(window.from_end(i - 1));
}

inline void load_window(StateReader& in, size_t n_vocab, TokenWindow& window) {
  const uint64_t size = in.u64();
  if (size > window.length() || size > in.left() / 4) StateReader::damaged();
  window.reset();
  window.reserve(static_cast<size_t>(size));
  for (uint64_t i = 0; i < size; ++i) {
    const int32_t token = load_token(in, n_vocab);
    if (token < 0) StateReader::damaged();
    window.accept(token);
  }
}

}  // namespace bankml
