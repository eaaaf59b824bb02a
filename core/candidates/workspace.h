// Scratch memory of a draw: two arrays of candidates, one the set, one for the step that reorders it.
//
// Chains that order the whole vocabulary need n_vocab of each (24 bytes a token); samplers that one thread uses share one
// workspace. `generation` counts its uses, so that a sampler knows whether the candidates it left there are still its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "core/base/busy.h"
#include "core/candidates/candidates.h"

namespace bankml {

class Workspace {
 public:
  // The arrays are left uninitialised: pages that no draw touches cost nothing.
  explicit Workspace(size_t capacity) : capacity_(capacity), data_(new Candidate[2 * capacity]) {}

  size_t capacity() const noexcept { return capacity_; }
  size_t bytes() const noexcept { return 2 * capacity_ * sizeof(Candidate); }

  // Points an empty set at the arrays and starts a new generation.
  void lend(Candidates& set) noexcept {
    ++generation;
    set.data = data_.get();
    set.scratch = data_.get() + capacity_;
    set.capacity = capacity_;
    set.size = 0;
    set.sorted = false;
    set.selected = Candidates::no_selection;
  }

  BusyFlag busy;
  uint64_t generation = 0;

 private:
  size_t capacity_;
  std::unique_ptr<Candidate[]> data_;
};

}  // namespace bankml
