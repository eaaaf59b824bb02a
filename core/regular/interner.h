// Numbers for sequences of numbers: the first sequence seen gets 0, the next new one 1. One pool and one open table, as subset
// constructions ask once per edge.
// Tested by tests/regular/dfa.cpp
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace bankml::regular {

class Interner {
 public:
  // The number of the sequence, and whether it is new.
  std::pair<uint32_t, bool> number(std::span<const uint32_t> sequence) {
    if ((size() + 1) * 2 > slots_.size()) grow();
    const size_t mask = slots_.size() - 1;
    for (size_t i = hash(sequence) & mask;; i = (i + 1) & mask) {
      if (slots_[i] == 0) {
        slots_[i] = size() + 1;
        pool_.insert(pool_.end(), sequence.begin(), sequence.end());
        ends_.push_back(pool_.size());
        return {size() - 1, true};
      }
      if (equal(slots_[i] - 1, sequence)) return {slots_[i] - 1, false};
    }
  }
  std::span<const uint32_t> operator[](uint32_t number) const {
    const size_t begin = number == 0 ? 0 : ends_[number - 1];
    return {pool_.data() + begin, ends_[number] - begin};
  }
  uint32_t size() const { return static_cast<uint32_t>(ends_.size()); }

 private:
  static size_t hash(std::span<const uint32_t> sequence) {
    uint64_t h = sequence.size();
    for (const uint32_t x : sequence) {
      h = (h ^ x) * 0x9E3779B97F4A7C15u;
      h ^= h >> 29;
    }
    return static_cast<size_t>(h ^ h >> 32);
  }
  bool equal(uint32_t number, std::span<const uint32_t> sequence) const {
    const std::span<const uint32_t> own = (*this)[number];
    if (own.size() != sequence.size()) return false;
    for (size_t i = 0; i < own.size(); ++i) {
      if (own[i] != sequence[i]) return false;
    }
    return true;
  }
  void grow() {
    slots_.assign(slots_.empty() ? 64 : slots_.size() * 2, 0);
    const size_t mask = slots_.size() - 1;
    for (uint32_t n = 0; n < size(); ++n) {
      size_t i = hash((*this)[n]) & mask;
      while (slots_[i] != 0) i = (i + 1) & mask;
      slots_[i] = n + 1;
    }
  }

  std::vector<uint32_t> pool_;
  std::vector<size_t> ends_;
  std::vector<uint32_t> slots_;  // number + 1; 0 = free
};

}  // namespace bankml::regular
