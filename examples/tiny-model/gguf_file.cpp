// Reads a GGUF v3 file: header, metadata, tensor table, then tensors on demand (format: the ggml project's description of GGUF).
//
// Tested by examples/tiny-model/tiny_model_test.cpp
#include "examples/tiny-model/gguf_file.h"

#include <bit>
#include <cmath>

namespace tiny {
namespace {

enum ValueType : uint32_t { u8, i8, u16, i16, u32, i32, f32, boolean, string_value, array, u64, i64, f64 };
constexpr uint32_t tensor_f32 = 0;
constexpr uint32_t tensor_q8_0 = 8;  // blocks of 32: a half-precision scale, then 32 signed bytes

size_t width(uint32_t type) {
  switch (type) {
    case u8:
    case i8:
    case boolean:
      return 1;
    case u16:
    case i16:
      return 2;
    case u32:
    case i32:
    case f32:
      return 4;
    case u64:
    case i64:
    case f64:
      return 8;
    default:
      throw std::runtime_error("GGUF: unknown value type " + std::to_string(type));
  }
}

uint64_t little_endian(const uint8_t* p, size_t n) {
  uint64_t value = 0;
  for (size_t i = n; i-- > 0;) value = value << 8 | p[i];
  return value;
}

float half_to_float(uint32_t h) {
  const uint32_t exponent = h >> 10 & 31, fraction = h & 1023;
  const float sign = (h >> 15) != 0 ? -1.0f : 1.0f;
  if (exponent == 0) return sign * std::ldexp(static_cast<float>(fraction), -24);
  return sign * std::ldexp(static_cast<float>(1024 + fraction), static_cast<int>(exponent) - 25);
}

}  // namespace

const uint8_t* GgufFile::take(uint64_t n) {
  if (n > bytes_.size() - at_) throw std::runtime_error("GGUF: the file ends too early, at byte " + std::to_string(at_));
  const uint8_t* p = bytes_.data() + at_;
  at_ += static_cast<size_t>(n);
  return p;
}

uint64_t GgufFile::integer(size_t bytes) { return little_endian(take(bytes), bytes); }

std::string GgufFile::string() {
  const uint64_t n = integer(8);
  const uint8_t* p = take(n);
  return std::string(p, p + n);
}

void GgufFile::value(const std::string& key, uint32_t type) {
  if (type == string_value) {
    texts_[key] = string();
  } else if (type == array) {
    const auto element = static_cast<uint32_t>(integer(4));
    const uint64_t n = integer(8);
    if (element == string_value) {
      std::vector<std::string>& list = lists_[key];
      for (uint64_t i = 0; i < n; ++i) list.push_back(string());
    } else {
      const size_t each = width(element);
      if (n > bytes_.size() / each) throw std::runtime_error("GGUF: array '" + key + "' is longer than the file");
      take(n * each);
    }
  } else {
    numbers_[key] = integer(width(type));
  }
}

GgufFile::GgufFile(std::span<const uint8_t> bytes) : bytes_(bytes) {
  if (std::string_view(reinterpret_cast<const char*>(take(4)), 4) != "GGUF") throw std::runtime_error("not a GGUF file");
  if (integer(4) != 3) throw std::runtime_error("GGUF: only version 3 is read here");
  const uint64_t n_tensors = integer(8), n_values = integer(8);
  for (uint64_t i = 0; i < n_values; ++i) {
    const std::string key = string();
    value(key, static_cast<uint32_t>(integer(4)));
  }
  for (uint64_t i = 0; i < n_tensors; ++i) {
    const std::string name = string();
    Tensor t{1, 0, 0};
    const uint64_t dimensions = integer(4);
    for (uint64_t d = 0; d < dimensions; ++d) {
      const uint64_t size = integer(8);
      if (size == 0 || size > bytes_.size() || t.count > bytes_.size() / size)
        throw std::runtime_error("GGUF: tensor '" + name + "' is larger than the file");
      t.count *= size;
    }
    t.type = static_cast<uint32_t>(integer(4));
    t.offset = integer(8);
    tensors_[name] = t;
  }
  const auto given = numbers_.find("general.alignment");
  const uint64_t alignment = given == numbers_.end() || given->second == 0 ? 32 : given->second;
  const uint64_t data = (at_ + alignment - 1) / alignment * alignment;
  for (auto& [name, t] : tensors_) t.offset += data;
}

std::string GgufFile::text(const std::string& key) const {
  const auto found = texts_.find(key);
  return found == texts_.end() ? std::string() : found->second;
}

uint64_t GgufFile::number(const std::string& key) const {
  const auto found = numbers_.find(key);
  if (found == numbers_.end()) throw std::runtime_error("GGUF: no '" + key + "'");
  return found->second;
}

const std::vector<std::string>& GgufFile::texts(const std::string& key) const {
  const auto found = lists_.find(key);
  if (found == lists_.end()) throw std::runtime_error("GGUF: no '" + key + "'");
  return found->second;
}

std::vector<float> GgufFile::tensor(const std::string& name, size_t count) const {
  const auto found = tensors_.find(name);
  if (found == tensors_.end()) throw std::runtime_error("GGUF: no tensor '" + name + "'");
  const Tensor& t = found->second;
  if (t.type != tensor_f32 && t.type != tensor_q8_0)
    throw std::runtime_error("GGUF: tensor '" + name + "' is neither F32 nor Q8_0");
  const uint64_t size = t.type == tensor_f32 ? t.count * 4 : t.count / 32 * 34;
  if (t.count != count || (t.type == tensor_q8_0 && count % 32 != 0))
    throw std::runtime_error("GGUF: tensor '" + name + "' has another size");
  if (t.offset > bytes_.size() || size > bytes_.size() - t.offset)
    throw std::runtime_error("GGUF: tensor '" + name + "' ends outside the file");
  const uint8_t* p = bytes_.data() + t.offset;
  std::vector<float> values(count);
  if (t.type == tensor_f32) {
    for (size_t i = 0; i < count; ++i) values[i] = std::bit_cast<float>(static_cast<uint32_t>(little_endian(p + 4 * i, 4)));
  } else {
    for (size_t block = 0; block < count / 32; ++block) {
      const uint8_t* q = p + 34 * block;
      const float scale = half_to_float(static_cast<uint32_t>(little_endian(q, 2)));
      for (size_t i = 0; i < 32; ++i) values[32 * block + i] = scale * static_cast<float>(static_cast<int8_t>(q[2 + i]));
    }
  }
  return values;
}

}  // namespace tiny
