// Reads GGUF metadata. The reader keeps the metadata's bytes as they are and notes where each value starts; integers are put
// together byte by byte when they are asked for, so the machine's endianness and alignment rules do not matter.
//
// Bytes come from memory or, a chunk at a time, from a file: `need` is the one place that compares a length with what is left and
// fetches more. Refusals follow the reference's reader (ggml's gguf.cpp, for facts): empty and duplicate keys, nested arrays,
// unknown types, version 1, versions above 3. Tested by tests/formats/gguf_test.cpp
#include "core/formats/gguf.h"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <system_error>
#include <utility>

#include "core/base/status.h"

namespace bankml::gguf {

namespace gguf_detail {

constexpr uint32_t array_type = 9;
constexpr uint32_t newest_version = 3;
constexpr size_t chunk_bytes = size_t{1} << 20;

// Bytes of one element; strings have no fixed size and count as their length field. 0: no such type.
size_t element_bytes(uint32_t type) noexcept {
  constexpr size_t sizes[] = {1, 1, 2, 2, 4, 4, 4, 1, 8, 0, 8, 8, 8};
  return type < std::size(sizes) ? sizes[type] : 0;
}

uint64_t little_endian(const unsigned char* bytes, size_t count) noexcept {
  uint64_t value = 0;
  for (size_t i = 0; i < count; ++i) value |= static_cast<uint64_t>(bytes[i]) << (8 * i);
  return value;
}

// Keys are arbitrary bytes and go into error texts: cut, and nothing but printable ASCII.
std::string shown(std::string_view key) {
  std::string out;
  for (const char c : key.substr(0, 80)) out.push_back(c >= 0x20 && c < 0x7F ? c : '?');
  return out;
}

}  // namespace gguf_detail

class Reader {
 public:
  explicit Reader(std::string_view bytes)
      : data_(reinterpret_cast<const unsigned char*>(bytes.data())), have_(bytes.size()), total_(bytes.size()) {}

  explicit Reader(const std::string& path) : path_(path) {
    std::error_code error;
    const std::filesystem::file_status status = std::filesystem::status(path, error);
    if (error) refuse_file(error.message());
    if (!std::filesystem::is_regular_file(status))
      refuse_file(std::filesystem::is_directory(status) ? "it is a directory" : "it is no regular file");
    total_ = std::filesystem::file_size(path, error);
    if (error) refuse_file(error.message());
    errno = 0;
    stream_.open(path, std::ios::binary);
    if (!stream_) refuse_file(std::generic_category().message(errno));
  }

  File read() {
    magic_and_version();
    file_.tensor_count_ = integer(8, "number of tensors");
    const uint64_t pairs = integer(8, "number of key-value pairs");
    // A pair has at least a length, one byte of key, a type and one byte of value.
    if (pairs > left() / 14) fail("the number of key-value pairs is " + std::to_string(pairs) + ", more than the file can hold");
    for (uint64_t i = 0; i < pairs; ++i) pair();
    return finish();
  }

 private:
  [[noreturn]] void refuse_file(const std::string& reason) const {
    throw Failure(Status::io, "cannot read " + path_ + ": " + reason);
  }

  [[noreturn]] void fail(const std::string& what) const {
    std::string text = "GGUF: ";
    if (!key_.empty()) text += "key '" + gguf_detail::shown(key_) + "': ";
    throw Failure(Status::parse, text + what + ", at byte " + std::to_string(at_));
  }

  uint64_t left() const noexcept { return total_ - at_; }

  // Makes the next `count` bytes readable at data_ + at_.
  void need(uint64_t count, const char* what) {
    if (count > left()) {
      fail(std::string(what) + " needs " + std::to_string(count) + " bytes and the file has " + std::to_string(left()) + " left");
    }
    if (count <= have_ - at_) return;
    const uint64_t wanted = std::min<uint64_t>(total_, std::max<uint64_t>(at_ + count, have_ + gguf_detail::chunk_bytes));
    if (wanted > std::numeric_limits<size_t>::max() / 2) fail(std::string(what) + " is too large for this machine");
    const size_t size = static_cast<size_t>(wanted);
    file_.bytes_.resize(size);
    stream_.read(reinterpret_cast<char*>(file_.bytes_.data() + have_), static_cast<std::streamsize>(size - have_));
    if (static_cast<size_t>(stream_.gcount()) != size - have_) refuse_file("it ended or failed while it was read");
    data_ = file_.bytes_.data();
    have_ = size;
  }

  uint64_t integer(size_t bytes, const char* what) {
    need(bytes, what);
    const uint64_t value = gguf_detail::little_endian(data_ + at_, bytes);
    at_ += bytes;
    return value;
  }

  void magic_and_version() {
    if (total_ < 4) fail("the file is too short for its magic");
    need(4, "the magic");
    if (std::memcmp(data_, "GGUF", 4) != 0) fail("this is no GGUF file (the magic is missing)");
    at_ = 4;
    const uint64_t version = integer(4, "the version");
    if (version != 0 && (version & 0xFFFF) == 0) fail("the file is big-endian, which is not supported");
    if (version == 1) fail("version 1 is no longer supported");
    if (version == 0 || version > gguf_detail::newest_version) fail("unknown version " + std::to_string(version));
    file_.version_ = static_cast<uint32_t>(version);
  }

  void pair() {
    key_.clear();
    const uint64_t length = integer(8, "the length of a key");
    need(length, "a key");
    if (length == 0) fail("empty key");
    key_.assign(reinterpret_cast<const char*>(data_ + at_), static_cast<size_t>(length));
    at_ += static_cast<size_t>(length);
    const auto [position, is_new] = file_.index_.emplace(key_, file_.values_.size());
    if (!is_new) fail("the key is there twice");

    Value value;
    value.key_ = &position->first;
    uint32_t type = static_cast<uint32_t>(integer(4, "the type"));
    uint64_t count = 1;
    if (type == gguf_detail::array_type) {
      value.is_array_ = true;
      type = static_cast<uint32_t>(integer(4, "the element type"));
      count = integer(8, "the number of elements");
      if (type == gguf_detail::array_type) fail("arrays of arrays are not supported");
    }
    const size_t bytes = gguf_detail::element_bytes(type);
    if (bytes == 0) fail("unknown type " + std::to_string(type));
    if (count > left() / bytes) fail("an array of " + std::to_string(count) + " elements is longer than the file");
    value.type_ = static_cast<Type>(type);
    value.size_ = static_cast<size_t>(count);
    starts_.push_back(at_);
    if (value.type_ == Type::string) {
      strings(value);
    } else {
      need(count * bytes, "the value");
      at_ += static_cast<size_t>(count * bytes);
    }
    file_.values_.push_back(std::move(value));
  }

  void strings(Value& value) {
    const size_t begin = at_;
    if (value.is_array_) value.starts_.reserve(value.size_);
    for (size_t i = 0; i < value.size_; ++i) {
      if (value.is_array_) value.starts_.push_back(at_ - begin);
      const uint64_t length = integer(8, "the length of a string");
      need(length, "a string");
      at_ += static_cast<size_t>(length);
    }
  }

  File finish() {
    if (path_.empty()) {
      file_.bytes_.assign(data_, data_ + at_);
    } else {
      file_.bytes_.resize(at_);
      file_.bytes_.shrink_to_fit();
    }
    for (size_t i = 0; i < file_.values_.size(); ++i) file_.values_[i].data_ = file_.bytes_.data() + starts_[i];
    return std::move(file_);
  }

  std::string path_;  // empty: from memory
  std::ifstream stream_;
  const unsigned char* data_ = nullptr;
  size_t have_ = 0;     // bytes at data_
  uint64_t total_ = 0;  // bytes of the file
  size_t at_ = 0;
  std::string key_;             // of the pair being read, for error texts
  std::vector<size_t> starts_;  // of each value, until the bytes have their final place
  File file_;
};

const char* type_name(Type type) noexcept {
  switch (type) {
    case Type::u8:
      return "u8";
    case Type::i8:
      return "i8";
    case Type::u16:
      return "u16";
    case Type::i16:
      return "i16";
    case Type::u32:
      return "u32";
    case Type::i32:
      return "i32";
    case Type::f32:
      return "f32";
    case Type::boolean:
      return "bool";
    case Type::string:
      return "str";
    case Type::u64:
      return "u64";
    case Type::i64:
      return "i64";
    case Type::f64:
      return "f64";
  }
  return "unknown";
}

void Value::fail(const char* wanted) const {
  throw Failure(Status::parse, "GGUF: key '" + gguf_detail::shown(*key_) + "' has " + std::to_string(size_) + " of type " +
                                   type_name(type_) + (is_array_ ? " (array)" : "") + " where " + wanted + " is expected");
}

const unsigned char* Value::element(size_t i, Type type) const {
  if (i >= size_ || type_ != type) fail(type_name(type));
  return data_ + i * gguf_detail::element_bytes(static_cast<uint32_t>(type));
}

uint64_t Value::unsigned_integer(size_t i) const {
  const bool fits = type_ == Type::u8 || type_ == Type::u16 || type_ == Type::u32 || type_ == Type::u64;
  if (!fits) fail("an unsigned integer");
  return gguf_detail::little_endian(element(i, type_), gguf_detail::element_bytes(static_cast<uint32_t>(type_)));
}

int64_t Value::signed_integer(size_t i) const {
  const bool fits = type_ == Type::i8 || type_ == Type::i16 || type_ == Type::i32 || type_ == Type::i64;
  if (!fits) fail("a signed integer");
  const size_t bytes = gguf_detail::element_bytes(static_cast<uint32_t>(type_));
  const uint64_t raw = gguf_detail::little_endian(element(i, type_), bytes);
  const uint64_t sign = uint64_t{1} << (8 * bytes - 1);
  return static_cast<int64_t>((raw ^ sign) - sign);  // extends the sign, modulo 2^64
}

float Value::f32(size_t i) const {
  return std::bit_cast<float>(static_cast<uint32_t>(gguf_detail::little_endian(element(i, Type::f32), 4)));
}

double Value::f64(size_t i) const { return std::bit_cast<double>(gguf_detail::little_endian(element(i, Type::f64), 8)); }

bool Value::boolean(size_t i) const { return *element(i, Type::boolean) != 0; }

std::string_view Value::string(size_t i) const {
  if (i >= size_ || type_ != Type::string) fail("a string");
  const unsigned char* start = data_ + (is_array_ ? starts_[i] : 0);
  const size_t length = static_cast<size_t>(gguf_detail::little_endian(start, 8));
  return {reinterpret_cast<const char*>(start + 8), length};
}

const Value* File::find(const std::string& key) const noexcept {
  const auto position = index_.find(key);
  return position == index_.end() ? nullptr : &values_[position->second];
}

File File::from_bytes(std::string_view bytes) { return Reader(bytes).read(); }

File File::from_path(const std::string& path) { return Reader(path).read(); }

}  // namespace bankml::gguf
