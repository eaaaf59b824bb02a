// A few metadata pairs as the bytes of a GGUF file, for tests.
#pragma once

#include <bit>
#include <cstdint>
#include <string>

namespace bankml {

class GgufWriter {
 public:
  GgufWriter& u32(const std::string& key, uint32_t value) { return begin(key, 4).little(value, 4); }
  GgufWriter& i32(const std::string& key, int32_t value) { return begin(key, 5).little(static_cast<uint32_t>(value), 4); }
  GgufWriter& u64(const std::string& key, uint64_t value) { return begin(key, 10).little(value, 8); }
  GgufWriter& f32(const std::string& key, float value) { return begin(key, 6).little(std::bit_cast<uint32_t>(value), 4); }
  GgufWriter& f64(const std::string& key, double value) { return begin(key, 12).little(std::bit_cast<uint64_t>(value), 8); }
  GgufWriter& boolean(const std::string& key, bool value) { return begin(key, 7).little(value ? 1 : 0, 1); }
  GgufWriter& string(const std::string& key, const std::string& value) { return begin(key, 8).text(value); }
  GgufWriter& f32_array(const std::string& key, float value) {  // of one element
    return begin(key, 9).little(6, 4).little(1, 8).little(std::bit_cast<uint32_t>(value), 4);
  }

  std::string bytes() const {
    GgufWriter header;
    header.pairs_ = "GGUF";
    header.little(3, 4).little(0, 8).little(count_, 8);
    return header.pairs_ + pairs_;
  }

 private:
  GgufWriter& begin(const std::string& key, uint32_t type) {
    ++count_;
    return text(key).little(type, 4);
  }
  GgufWriter& text(const std::string& value) {
    little(value.size(), 8);
    pairs_ += value;
    return *this;
  }
  GgufWriter& little(uint64_t value, int bytes) {
    for (int i = 0; i < bytes; ++i) pairs_ += static_cast<char>(value >> (8 * i) & 255);
    return *this;
  }

  std::string pairs_;
  uint64_t count_ = 0;
};

}  // namespace bankml
