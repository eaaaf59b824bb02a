// The random engine of every step that draws: the standard's mt19937, with draws of doubles and floats as libstdc++ makes them, and
// undo.
//
// Computes: Matsumoto and Nishimura, "Mersenne Twister" (1998), 32-bit variant with the 2002 seeding. uniform_double is libstdc++'s
// generate_canonical<double, 53>: two outputs a, b make (a + b * 2^32) / 2^64, each step rounded to double; uniform_float is one
// output / 2^32. Quirk kept: a quotient that rounds to 1 becomes the largest value below 1.
// Undo: a draw that fails must leave the engine as it was. mark() only notes the position; a copy of the 624-word block is made
// when a marked engine regenerates it, which happens once in 624 outputs. rewind() may be called any number of times after a mark,
// and undoes up to any number of regenerations, because only the block as it was at the mark is kept.
// No allocation; a copy is a full clone, mark included. One thread at a time.
//
// Tested by tests/random/engine.cpp
#pragma once

#include "core/math/fp_env.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace bankml::random {

// The double that two outputs make, `low` drawn first: uniform in [0, 1).
inline double unit_double(uint32_t low, uint32_t high) noexcept {
  // high * 2^32 is exact and the sum is rounded once; 2^-64 scales without rounding.
  const double u = (static_cast<double>(low) + static_cast<double>(high) * 0x1p32) * 0x1p-64;
  return u < 1.0 ? u : 0x1.fffffffffffffp-1;
}

// The float that one output makes: uniform in [0, 1).
inline float unit_float(uint32_t output) noexcept {
  const float u = static_cast<float>(output) * 0x1p-32f;  // the conversion rounds, the scaling does not
  return u < 1.0f ? u : 0x1.fffffep-1f;
}

class Engine {
 public:
  explicit Engine(uint32_t seed_value = 5489u) noexcept { seed(seed_value); }

  // Starts over from `seed_value`; forgets the mark and sets the count of outputs to 0.
  void seed(uint32_t seed_value) noexcept;

  // The next output, uniform over all 32-bit values.
  uint32_t next() noexcept {
    if (position_ == block_size) regenerate();
    ++outputs_;
    return temper(block_[position_++]);
  }

  // Uniform in [0, 1); takes two outputs.
  double uniform_double() noexcept {
    const uint32_t low = next();
    return unit_double(low, next());
  }
  // Uniform in [0, 1); takes one output.
  float uniform_float() noexcept { return unit_float(next()); }

  // 32-bit outputs taken since the last seed; a rewind takes back what it undoes.
  uint64_t outputs() const noexcept { return outputs_; }

  // The state as words and back; false, with nothing changed, for a position that none has. The mark is forgotten.
  static constexpr size_t state_words = 624;
  void copy_state(uint32_t* words, uint32_t& position, uint64_t& outputs) const noexcept {
    std::copy_n(block_, block_size, words);
    position = static_cast<uint32_t>(position_);
    outputs = outputs_;
  }
  bool set_state(const uint32_t* words, uint32_t position, uint64_t outputs) noexcept {
    if (position > block_size) return false;
    std::copy_n(words, block_size, block_);
    position_ = position;
    outputs_ = outputs;
    mark();
    return true;
  }

  // Remembers the current state for rewind; replaces an earlier mark.
  void mark() noexcept {
    marked_position_ = position_;
    marked_outputs_ = outputs_;
    kept_ = false;
  }
  // Restores the state at the mark, or at the last seed if there was no mark since. The mark stays.
  void rewind() noexcept;

 private:
  static constexpr size_t block_size = 624;
  static constexpr size_t shift_size = 397;

  static uint32_t temper(uint32_t y) noexcept {
    y ^= y >> 11;
    y ^= (y << 7) & 0x9D2C5680u;
    y ^= (y << 15) & 0xEFC60000u;
    return y ^ (y >> 18);
  }
  void regenerate() noexcept;

  uint32_t block_[block_size];
  uint32_t kept_block_[block_size] = {};  // the block at the mark, valid while kept_
  size_t position_;
  size_t marked_position_;
  uint64_t outputs_;
  uint64_t marked_outputs_;
  bool kept_;
};

}  // namespace bankml::random
