// The mt19937 seeding and recurrence: see engine.h.
//
// Tested by tests/random/engine.cpp
#include "core/math/fp_env.h"

#include "core/random/engine.h"

#include <cstring>

namespace bankml::random {

namespace engine_detail {

// One word of the recurrence: the top bit of `high` joined to the lower bits of `low`, times the twist matrix, added to `far`.
inline uint32_t twist(uint32_t high, uint32_t low, uint32_t far) noexcept {
  const uint32_t joined = (high & 0x80000000u) | (low & 0x7FFFFFFFu);
  return far ^ (joined >> 1) ^ ((low & 1u) != 0 ? 0x9908B0DFu : 0u);
}

}  // namespace engine_detail

void Engine::seed(uint32_t seed_value) noexcept {
  uint32_t word = seed_value;
  block_[0] = word;
  for (uint32_t i = 1; i < block_size; ++i) {
    word = 1812433253u * (word ^ (word >> 30)) + i;
    block_[i] = word;
  }
  position_ = block_size;
  outputs_ = 0;
  mark();
}

void Engine::regenerate() noexcept {
  if (!kept_) {
    std::memcpy(kept_block_, block_, sizeof block_);
    kept_ = true;
  }
  using engine_detail::twist;
  size_t i = 0;
  for (; i < block_size - shift_size; ++i) block_[i] = twist(block_[i], block_[i + 1], block_[i + shift_size]);
  for (; i < block_size - 1; ++i) block_[i] = twist(block_[i], block_[i + 1], block_[i + shift_size - block_size]);
  block_[i] = twist(block_[i], block_[0], block_[shift_size - 1]);
  position_ = 0;
}

void Engine::rewind() noexcept {
  if (kept_) {
    std::memcpy(block_, kept_block_, sizeof block_);
    kept_ = false;
  }
  position_ = marked_position_;
  outputs_ = marked_outputs_;
}

}  // namespace bankml::random
