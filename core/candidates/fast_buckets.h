// The whole vocabulary in sorted order as far as somebody looks: buckets in order, each sorted only when its inside matters.
//
// Tested by tests/candidates/fast_buckets.cpp
#pragma once

#include "core/math/fp_env.h"

#include <cstddef>
#include <cstdint>

#include "core/candidates/candidates.h"
#include "core/candidates/fast_scratch.h"
#include "core/candidates/row.h"

namespace bankml {

// Places 0, 1, ... are those of the full set after a division of all logits by t and sort_in_place(n), ties included.
class FastBuckets {
 public:
  // After fast_apply_edits; t > 0. Lays out the tokens whose quotient reaches `least`, and more. `room`'s arrays are used, both;
  // its capacity is row.n at least. False: n is so small that a heap would sort, or a quotient is out of the buckets' exact range.
  bool fill(const Row& row, float t, float least, const FastScratch& scratch, Candidates& room) noexcept;
  // The same from a gathering of the row: fast, if few tokens reach `least`. False also if scratch cannot hold them.
  bool fill_few(const Row& row, float t, float least, FastScratch& scratch, Candidates& room) noexcept;

  size_t n() const noexcept { return n_; }
  size_t laid_out() const noexcept { return begin_[ranks]; }  // places that are known; the rest of n lies below
  // Bucket b, 127 first, holds places [begin(b), end(b)).
  size_t begin(int b) const noexcept { return begin_[127 - b]; }
  size_t end(int b) const noexcept { return begin_[128 - b]; }
  int bucket_at(size_t place) const noexcept;

  // Valid for places of sorted buckets; in others the tokens of the bucket stand in id order.
  float logit(size_t place) const noexcept { return logit_[place]; }
  int32_t id(size_t place) const noexcept { return id_[place]; }
  bool all_reach(int b, float bound) const noexcept;
  void sort(int b) noexcept;
  void sort_first(size_t count) noexcept;  // every bucket that holds one of the first `count` places
  // Makes `room`'s set of the first `count` places, all of them in sorted buckets; p = 0. Nothing can be sorted after it.
  void copy_first(size_t count, Candidates& room) const noexcept;

  // The float sum of expf(logit - shift) over the first `count` places, in order; shift is the largest logit.
  float exp_sum(size_t count, float shift) noexcept;

  // Goes on from `sum` with p = expf(logit - shift) / divisor of the places of bucket b, in order, each addition rounded to float.
  float add_p(int b, float shift, float divisor, float sum) noexcept;
  // Likewise with -p * logf(p), 0 where p is 0.
  float add_entropy(int b, float shift, float divisor, float sum) noexcept;

  // Places [first, last) with weights expf(logit / t - shift), none of them above 1.
  struct Weights {
    size_t first, last;
    float t, shift;
  };
  // Their sum, within simd::mass_error relatively; exact: up to rounding in double.
  double mass(const Weights& weights, bool exact) noexcept;
  // The first place at which the running sum of those reaches total * u. False if `error` leaves a doubt.
  bool locate(const Weights& weights, bool exact, double u, double total, double error, size_t& place) noexcept;

 private:
  static constexpr int ranks = 128;
  bool start(const Row& row, float t, const FastScratch& scratch, Candidates& room) noexcept;
  void lay_out(size_t count, const int32_t* index, int lowest) noexcept;
  template <bool entropy>
  float add_terms(int b, float shift, float divisor, float sum) noexcept;
  double mass_in(int b, const Weights& weights, bool exact) noexcept;

  const simd::Kernels* kernels_ = nullptr;
  size_t n_ = 0;
  size_t begin_[ranks + 1] = {};
  bool sorted_[ranks] = {};
  float* logit_ = nullptr;
  int32_t* id_ = nullptr;
  float* quotient_ = nullptr;  // while the layout is made
  uint8_t* place_ = nullptr;
  unsigned char* words_ = nullptr;
  unsigned char* copy_ = nullptr;
};

}  // namespace bankml
