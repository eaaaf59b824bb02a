// The candidate set: the array of (id, logit, p) that the plain steps work on, and what a draw lends them.
//
// Invariants: data[0..size) is the set, in the order the last step left it; `sorted` says "by logit, descending". A fresh set holds
// every token in id order, p = 0, sorted = false. `scratch` has room for `capacity` candidates; a step may use it freely and may
// swap it with `data` (both belong to the workspace).
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "core/simd/kernels.h"

namespace bankml {

struct Candidate {
  int32_t id;
  float logit;
  float p;
};
static_assert(sizeof(Candidate) == 12);

// Work done, for the perf counters; steps add to it.
struct Work {
  uint64_t full_sets = 0;
  uint64_t full_sorts = 0;
  uint64_t exps = 0;
  uint64_t dry_visits = 0;
  uint64_t random_outputs = 0;
};

struct Candidates {
  Candidate* data = nullptr;
  size_t size = 0;
  bool sorted = false;
  size_t selected = no_selection;  // index that the last step drew
  Candidate* scratch = nullptr;
  size_t capacity = 0;  // of data and of scratch
  size_t n_vocab = 0;   // what mirostat calls the vocabulary's size; full_sorts counts sorts of more than half of it
  const simd::Kernels* kernels = nullptr;
  Work* work = nullptr;

  static constexpr size_t no_selection = static_cast<size_t>(-1);

  void swap_scratch() noexcept { std::swap(data, scratch); }
};

}  // namespace bankml
