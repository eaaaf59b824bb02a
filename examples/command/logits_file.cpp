#include "examples/command/logits_file.h"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <regex>

#include "examples/command/common.h"

namespace command {

namespace {

uint32_t little_word(const std::string& bytes, size_t at, size_t size = 4) {
  uint32_t word = 0;
  for (size_t i = 0; i < size; ++i) word |= static_cast<uint32_t>(static_cast<unsigned char>(bytes[at + i])) << (8 * i);
  return word;
}

std::string size_text(size_t bytes) { return std::to_string(bytes) + " bytes"; }

// A .npy file's header: where the data begins and its shape.
struct NpyHeader {
  size_t data = 0;
  std::vector<size_t> shape;
};

NpyHeader read_npy_header(const std::string& bytes, const std::string& path) {
  const auto fail = [&](const std::string& what) -> void { throw Error(path + ": " + what); };
  if (bytes.size() < 10) fail("the .npy header is cut off");
  if (bytes[6] < 1 || bytes[6] > 3) fail("the .npy format's version is " + std::to_string(int{bytes[6]}) + ", not 1, 2 or 3");
  const size_t prefix = bytes[6] == 1 ? 10 : 12;
  if (bytes.size() < prefix) fail("the .npy header is cut off");
  const size_t length = little_word(bytes, 8, prefix - 8);
  if (length > bytes.size() - prefix) fail("the .npy header is cut off");
  const std::string header = bytes.substr(prefix, length);

  std::smatch found;
  if (!std::regex_search(header, found, std::regex(R"('descr'\s*:\s*'([^']*)')"))) fail("the .npy header names no dtype");
  const std::string dtype = found[1];
  if (dtype != "<f4") fail("the array's dtype is " + dtype + ", not float32; save it with array.astype('<f4')");
  if (std::regex_search(header, std::regex(R"('fortran_order'\s*:\s*True)")))
    fail("the array is in Fortran order; save numpy.ascontiguousarray(array)");
  if (!std::regex_search(header, found, std::regex(R"('shape'\s*:\s*\(([^)]*)\))"))) fail("the .npy header names no shape");
  NpyHeader result;
  result.data = prefix + length;
  const std::string shape = found[1];
  if (shape.find('-') != std::string::npos) fail("the array's shape is (" + shape + ")");
  const std::regex digits("[0-9]+");
  for (std::sregex_iterator number(shape.begin(), shape.end(), digits); number != std::sregex_iterator(); ++number) {
    result.shape.push_back(std::strtoull(number->str().c_str(), nullptr, 10));
  }
  if (result.shape.empty() || result.shape.size() > 2)
    fail("the array's shape is (" + shape + "), not (n_vocab) or (rows, n_vocab)");
  return result;
}

LogitRows rows_of(const std::string& bytes, size_t begin, size_t n_vocab) {
  LogitRows result;
  result.n_vocab = n_vocab;
  result.values.reserve((bytes.size() - begin) / 4);
  for (size_t at = begin; at < bytes.size(); at += 4) result.values.push_back(std::bit_cast<float>(little_word(bytes, at)));
  return result;
}

}  // namespace

LogitRows read_logits(const std::string& path, size_t n_vocab, size_t vocab_size) {
  const std::string bytes = read_file(path);
  const std::string name = path == "-" ? "stdin" : path;
  if (bytes.empty()) throw Error(name + ": no logits, the input is empty");
  if (bytes.starts_with("\x93NUMPY")) {
    const NpyHeader header = read_npy_header(bytes, name);
    const size_t length = header.shape.back();
    const size_t rows = header.shape.size() == 2 ? header.shape[0] : 1;
    if (length == 0 || rows == 0) throw Error(name + ": no logits, the array is empty");
    const size_t values = (bytes.size() - header.data) / 4;
    if ((bytes.size() - header.data) % 4 != 0 || values / length != rows || values % length != 0) {
      throw Error(name + ": " + size_text(bytes.size() - header.data) + " of data do not fit the array's shape");
    }
    if (n_vocab != 0 && n_vocab != length) {
      throw Error(name + ": rows of " + std::to_string(length) + " logits, but n_vocab is " + std::to_string(n_vocab));
    }
    return rows_of(bytes, header.data, length);
  }
  const size_t values = bytes.size() / 4;
  const size_t length = n_vocab != 0 ? n_vocab : vocab_size != 0 ? vocab_size : values;
  if (bytes.size() % 4 != 0 || values == 0 || values % length != 0) {
    throw Error(name + ": " + size_text(bytes.size()) + " are not a whole number of " +
                (length == values ? "float32 values" : "rows of " + std::to_string(length) + " float32 values"));
  }
  return rows_of(bytes, 0, length);
}

std::vector<uint32_t> read_mask(const std::string& path, size_t n_vocab, size_t rows) {
  const std::string bytes = read_file(path);
  const size_t words = (n_vocab + 31) / 32;
  if (bytes.size() != 4 * words && bytes.size() != 4 * words * rows) {
    throw Error(path + ": a mask of " + std::to_string(n_vocab) + " tokens has " + size_text(4 * words) + " (or that for each of " +
                std::to_string(rows) + " rows), the file has " + std::to_string(bytes.size()));
  }
  std::vector<uint32_t> result;
  for (size_t at = 0; at < bytes.size(); at += 4) result.push_back(little_word(bytes, at));
  return result;
}

std::vector<int32_t> parse_tokens(const std::string& text) {
  std::vector<int32_t> result;
  for (size_t at = 0; (at = text.find_first_not_of(", \t\n", at)) != std::string::npos;) {
    const size_t end = std::min(text.find_first_of(", \t\n", at), text.size());
    const std::string part = text.substr(at, end - at);
    char* stop = nullptr;
    errno = 0;
    const long long id = std::strtoll(part.c_str(), &stop, 10);
    if (*stop != '\0' || errno != 0 || id < std::numeric_limits<int32_t>::min() || id > std::numeric_limits<int32_t>::max()) {
      throw Error("--history: '" + part + "' is not a token id");
    }
    result.push_back(static_cast<int32_t>(id));
    at = end;
  }
  return result;
}

}  // namespace command
