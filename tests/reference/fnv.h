// FNV-1a, 64 bits, over 32-bit integers taken as four little-endian bytes: the fingerprint of the recorded cases.
//
// Bytes are cut out by shifts, so that a big-endian machine gets the same value.
// Source: Fowler, Noll, Vo (isthe.com/chongo/tech/comp/fnv).
//
// Tested by tests/reference/logits_test.cpp
#pragma once

#include <bit>
#include <cstdint>
#include <string>

namespace bankml::reference {

class Fnv64 {
 public:
  void add(uint32_t value) noexcept {
    for (int shift = 0; shift < 32; shift += 8) {
      hash_ ^= (value >> shift) & 0xFFu;
      hash_ *= 0x100000001b3u;
    }
  }
  void add(int32_t value) noexcept { add(static_cast<uint32_t>(value)); }
  void add(float value) noexcept { add(std::bit_cast<uint32_t>(value)); }
  uint64_t value() const noexcept { return hash_; }
  std::string hex() const {
    static constexpr char digits[] = "0123456789abcdef";
    std::string text(16, '0');
    for (int i = 0; i < 16; ++i) text[static_cast<size_t>(i)] = digits[(hash_ >> (60 - 4 * i)) & 15u];
    return text;
  }

 private:
  uint64_t hash_ = 0xcbf29ce484222325u;
};

}  // namespace bankml::reference
