// Rows of float32 logits from a raw file or a NumPy .npy file, and other small inputs of `bankml sample`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace command {

struct LogitRows {
  size_t n_vocab = 0;
  std::vector<float> values;

  size_t count() const { return values.size() / n_vocab; }
  const float* row(size_t index) const { return values.data() + index * n_vocab; }
};

// path: a file, "-" = stdin. A .npy array must be float32, C order, of shape (n_vocab) or (rows, n_vocab). Raw bytes are
// little-endian float32, cut into rows of n_vocab, else of vocab_size; both 0 = all of it is one row. Throws Error.
LogitRows read_logits(const std::string& path, size_t n_vocab, size_t vocab_size);

// Raw little-endian uint32 words, ceil(n_vocab / 32) a row: one row for all, or one for each row of logits. Throws Error.
std::vector<uint32_t> read_mask(const std::string& path, size_t n_vocab, size_t rows);

// "1,2 3" -> {1, 2, 3}. Throws Error naming the part that is no token id.
std::vector<int32_t> parse_tokens(const std::string& text);

}  // namespace command
