// The metadata of a GGUF file, as syntax: keys and typed values. Tensors are counted, not read; weights are never touched.
//
// Layout (all little endian): "GGUF", version, number of tensors, number of pairs; then per pair a key (64-bit length, bytes), a
// type and the value; strings carry a 64-bit length; arrays an element type and a 64-bit count. Source: the GGUF specification of
// the ggml project. Versions 2 and 3 are read. Big-endian files are named and refused, as are version 1, nested arrays, empty and
// duplicate keys (the reference's reader refuses them too).
//
// A hostile file costs a small multiple of its own size: every length and count is compared with the bytes that are left before
// anything is allocated, and a file on disk is read piece by piece, only as far as its metadata goes.
// Tested by tests/formats/gguf_test.cpp
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace bankml::gguf {

enum class Type : uint32_t {
  u8 = 0,
  i8 = 1,
  u16 = 2,
  i16 = 3,
  u32 = 4,
  i32 = 5,
  f32 = 6,
  boolean = 7,
  string = 8,
  u64 = 10,
  i64 = 11,
  f64 = 12
};

const char* type_name(Type type) noexcept;  // "u8", "f32", "bool", "str", ...: the names of the reference's reader

// A value or an array of values of one type; it points into its File. Getters take the index of an element (0 for a plain value)
// and throw Failure(Status::parse), naming the key, where the type or the index is another.
class Value {
 public:
  const std::string& key() const noexcept { return *key_; }
  Type type() const noexcept { return type_; }  // of the elements, where the value is an array
  bool is_array() const noexcept { return is_array_; }
  size_t size() const noexcept { return size_; }  // elements; 1 for a plain value

  bool is(Type type) const noexcept { return !is_array_ && type_ == type; }
  bool is_array_of(Type type) const noexcept { return is_array_ && type_ == type; }

  uint64_t unsigned_integer(size_t i = 0) const;  // u8 u16 u32 u64
  int64_t signed_integer(size_t i = 0) const;     // i8 i16 i32 i64
  float f32(size_t i = 0) const;
  double f64(size_t i = 0) const;
  bool boolean(size_t i = 0) const;             // any byte but 0 is true
  std::string_view string(size_t i = 0) const;  // bytes as they stand in the file; lives as long as the File

 private:
  friend class Reader;
  const unsigned char* element(size_t i, Type type) const;
  [[noreturn]] void fail(const char* wanted) const;

  const std::string* key_ = nullptr;
  Type type_ = Type::u8;
  bool is_array_ = false;
  size_t size_ = 0;
  const unsigned char* data_ = nullptr;  // first element; of strings: unused where `starts_` is set
  std::vector<size_t> starts_;           // string arrays: where each string's length field stands, from data_
};

class File {
 public:
  // Reads the metadata at the start of `bytes` (a whole file or at least its metadata), which may be freed afterwards. Throws
  // Failure(Status::parse): "GGUF: what is wrong, at byte N" with the key where there is one.
  static File from_bytes(std::string_view bytes);
  // The same from a file. Throws Failure(Status::io), "cannot read PATH: REASON", where there is no such file.
  static File from_path(const std::string& path);

  File(File&&) noexcept = default;
  File& operator=(File&&) noexcept = default;
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  uint32_t version() const noexcept { return version_; }
  uint64_t tensor_count() const noexcept { return tensor_count_; }
  const std::vector<Value>& values() const noexcept { return values_; }  // in file order
  const Value* find(const std::string& key) const noexcept;              // nullptr if there is none

 private:
  friend class Reader;
  File() = default;

  std::vector<unsigned char> bytes_;  // of the metadata; Values point into it
  std::vector<Value> values_;
  std::unordered_map<std::string, size_t> index_;  // node-based: Values point to its keys
  uint32_t version_ = 0;
  uint64_t tensor_count_ = 0;
};

}  // namespace bankml::gguf
