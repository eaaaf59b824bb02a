// What the fast openings know and need about one row: its block maxima, and room for the few tokens that matter.
//
// Made once with the sampler (or the workspace), sized by the vocabulary and the largest k; a draw never allocates. About 8 KB
// for 151,936 tokens and k <= 128, plus 12 bytes * (4 k + 1,024) for larger k.
// A draw's order: fast_scan_row (row.edits not looked at), then the steps' edits, then one fast_... opening. The scan stays valid
// until the row's logits or mask change; an opening that returned false has spent it.
//
// Tested by tests/candidates/fast_row_scan.cpp
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace bankml {

struct FastScratch {
  // Largest k for which the heap form of the openings is used, as in the reference.
  static constexpr size_t heap_k = 128;

  FastScratch() = default;
  // k: the largest k that an opening will be asked for (clamped to n_vocab).
  // masses: whether fast_masses will be called.
  FastScratch(size_t n_vocab, size_t k, bool masses = false)
      : maxima(std::max(most_blocks(n_vocab), most_blocks(std::min(n_vocab, small_row - 1)))),
        mass(masses ? maxima.size() : 0),
        index(collect_capacity(n_vocab, k)),
        value(index.size()),
        rank(index.size()) {}

  // Small rows get small blocks, so that k block maxima still bound k tokens well.
  static constexpr size_t small_row = 32768;
  static constexpr size_t block_of(size_t n) noexcept { return n < small_row ? 64 : 256; }
  // The most blocks that a row of n has, wherever it lies in memory: the first one may be 15 short (simd/kernels.h).
  static constexpr size_t most_blocks(size_t n) noexcept { return (n + 15 + block_of(n) - 1) / block_of(n); }
  // Tokens that can be gathered for a k; candidates.capacity must be this large for fast_bucket_top_k.
  static constexpr size_t collect_capacity(size_t n_vocab, size_t k) noexcept {
    return std::min(n_vocab, std::min(n_vocab, k) <= heap_k ? 512 : 4 * std::min(n_vocab, k) + 1024);
  }

  size_t bytes() const noexcept {
    return maxima.capacity() * sizeof(float) + mass.capacity() * sizeof(double) + index.capacity() * sizeof(int32_t) +
           value.capacity() * sizeof(float) + rank.capacity() * sizeof(uint32_t);
  }

  std::vector<float> maxima;  // of each block of block_of(row.n) logits: raw after the scan, edited after fast_apply_edits
  float maximum = 0;          // of them
  std::vector<double> mass;   // of each block: see fast_mass.h
  std::vector<int32_t> index;
  std::vector<float> value;
  std::vector<uint32_t> rank;
};

}  // namespace bankml
