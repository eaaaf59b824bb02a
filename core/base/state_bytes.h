// State as bytes that are the same on every platform: little-endian integers, floats by their bits. A reader never reads past the
// end and never believes a count: what does not fit is Failure(state). Tested by tests/chain/state.cpp
#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/status.h"

namespace bankml {

class StateWriter {
 public:
  void u32(uint32_t value) { put(value, 4); }
  void u64(uint64_t value) { put(value, 8); }
  void i32(int32_t value) { put(static_cast<uint32_t>(value), 4); }
  void f32(float value) { put(std::bit_cast<uint32_t>(value), 4); }
  void text(std::string_view bytes) { out_ += bytes; }
  const std::string& bytes() const noexcept { return out_; }

 private:
  void put(uint64_t value, int n) {
    for (int i = 0; i < n; ++i) out_.push_back(static_cast<char>(static_cast<uint8_t>(value >> (8 * i))));
  }
  std::string out_;
};

class StateReader {
 public:
  explicit StateReader(std::string_view bytes) : bytes_(bytes) {}

  uint32_t u32() { return static_cast<uint32_t>(take(4)); }
  uint64_t u64() { return take(8); }
  int32_t i32() { return static_cast<int32_t>(u32()); }
  float f32() { return std::bit_cast<float>(u32()); }
  size_t left() const noexcept { return bytes_.size(); }
  [[noreturn]] static void damaged() { throw Failure(Status::state, "the state bytes are damaged"); }

 private:
  uint64_t take(size_t n) {
    if (bytes_.size() < n) damaged();
    uint64_t value = 0;
    for (size_t i = 0; i < n; ++i) value |= static_cast<uint64_t>(static_cast<uint8_t>(bytes_[i])) << (8 * i);
    bytes_.remove_prefix(n);
    return value;
  }
  std::string_view bytes_;
};

inline uint64_t fnv64(std::string_view bytes, uint64_t hash = 0xCBF29CE484222325u) noexcept {
  for (const char c : bytes) hash = (hash ^ static_cast<uint8_t>(c)) * 0x100000001B3u;
  return hash;
}

}  // namespace bankml
