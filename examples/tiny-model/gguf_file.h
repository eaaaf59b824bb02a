// A GGUF file in memory: the metadata and tensors that the tiny model needs, nothing more.
//
// The library reads a GGUF's vocabulary and sampling defaults, never its tensors; an engine has its own reader, and this is the
// example's. Everything is checked against the size of the file. Integers and floats are assembled byte by byte, so the reader
// works on big-endian machines too.
//
// Tested by examples/tiny-model/tiny_model_test.cpp
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace tiny {

class GgufFile {
 public:
  // `bytes` must outlive the file. Throws std::runtime_error.
  explicit GgufFile(std::span<const uint8_t> bytes);

  std::string text(const std::string& key) const;                       // "" if absent
  uint64_t number(const std::string& key) const;                        // throws if absent
  const std::vector<std::string>& texts(const std::string& key) const;  // throws if absent
  // The tensor's values as floats; its type is F32 or Q8_0. Throws unless it has exactly `count` values.
  std::vector<float> tensor(const std::string& name, size_t count) const;

 private:
  struct Tensor {
    uint64_t count;
    uint32_t type;
    uint64_t offset;  // from the start of the file
  };

  uint64_t integer(size_t bytes);
  std::string string();
  void value(const std::string& key, uint32_t type);
  const uint8_t* take(uint64_t n);

  std::span<const uint8_t> bytes_;
  size_t at_ = 0;
  std::map<std::string, std::string> texts_;
  std::map<std::string, uint64_t> numbers_;
  std::map<std::string, std::vector<std::string>> lists_;
  std::map<std::string, Tensor> tensors_;
};

}  // namespace tiny
