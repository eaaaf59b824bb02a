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
  // After fast_apply_edits; t > 0. Lays out the head: the tokens whose quotient reaches `least`, and what else their lowest bucket
  // holds. `room`'s arrays are used, both; its capacity is row.n at least. row and scratch must stay as they are while the buckets
  // are used. False: n is so small that a heap would sort, or a quotient is out of the buckets' exact range.
  bool fill(const Row& row, float t, float least, const FastScratch& scratch, Candidates& room) noexcept;
  // Lays out more: the head down to `least`, or with `place` in it. Places known so far stay as they are.
  void extend(float least) noexcept;
  void extend_to(size_t place) noexcept;

  size_t n() const noexcept { return n_; }
  size_t laid_out() const noexcept { return begin_[ranks]; }  // places of the head; the rest of n, the tail, lies below
  // Bucket b, 127 first, holds places [begin(b), end(b)).
  size_t begin(int b) const noexcept { return begin_[127 - b]; }
  size_t end(int b) const noexcept { return begin_[128 - b]; }
  int bucket_at(size_t place) const noexcept;

  // Valid for places of sorted buckets; in others the tokens of the bucket stand in id order.
  float logit(size_t place) const noexcept { return logit_[place]; }
  int32_t id(size_t place) const noexcept { return id_[place]; }
  bool all_reach(int b, float bound) const noexcept;
  bool row_reaches(float bound) const noexcept;  // every token, laid out or not
  void sort(int b) noexcept;
  void sort_first(size_t count) noexcept;  // every bucket that holds one of the first `count` places
  // Makes `room`'s set of the first `count` places, all of them in sorted buckets; p = 0. Nothing can be sorted after it.
  void copy_first(size_t count, Candidates& room) const noexcept;

  // The float sum of expf(logit - shift) over the first `count` places, in order; shift is the largest logit. The tail, if count
  // takes it in, is laid out only where its sum depends on more than its values.
  float exp_sum(size_t count, float shift) noexcept;

  // out[i] = expf(logit - shift) of the i-th of `count` places from `first` on.
  void exps(size_t first, size_t count, float shift, float* out) const noexcept {
    kernels_->exp_shift(logit_ + first, out, 1, count, shift);
  }

  // Goes on from `sum` with p = expf(logit - shift) / divisor of the places of bucket b, in order, each addition rounded to float.
  float add_p(int b, float shift, float divisor, float sum) noexcept;
  // Likewise with -p * logf(p), 0 where p is 0.
  float add_entropy(int b, float shift, float divisor, float sum) noexcept;

  // Places [first, last) with weights expf(logit / t - shift), none of them above 1. last lies in the head or is n.
  struct Weights {
    size_t first, last;
    float t, shift;
  };
  // Their sum, within simd::mass_error relatively; exact: up to rounding in double.
  double mass(const Weights& weights, bool exact) noexcept;
  // The first place at which the running sum of those reaches total * u. False if `error` leaves a doubt. After mass() of the same
  // weights, which gave `total`.
  bool locate(const Weights& weights, bool exact, double u, double total, double error, size_t& place) noexcept;

 private:
  static constexpr int ranks = 128;
  struct Halves;
  bool start(const Row& row, float t, const FastScratch& scratch, Candidates& room) noexcept;
  void lay_out(int lowest) noexcept;
  float exp_sum_of(size_t first, size_t count, float shift, float sum) noexcept;
  // Of the quotients below `bound`, one block: -inf in place of the others.
  size_t tail_block(size_t b, float bound, float* out) const noexcept;
  bool add_below(float bound, float shift, float& sum, Halves& halves) const noexcept;
  bool add_tail(float shift, float& sum) const noexcept;
  template <bool entropy>
  float add_terms(int b, float shift, float divisor, float sum) noexcept;
  size_t group_end(int b, size_t limit) const noexcept;
  double mass_of(size_t first, size_t last, const Weights& weights, bool exact) const noexcept;
  double group_mass(size_t first, size_t last, const Weights& weights, bool exact) noexcept;
  double mass_of_tail(const Weights& weights, bool exact) const noexcept;

  const simd::Kernels* kernels_ = nullptr;
  const Row* row_ = nullptr;
  const FastScratch* scratch_ = nullptr;
  float t_ = 1.0f;
  size_t n_ = 0;
  int lowest_ = ranks;          // of the buckets that are laid out
  float quotient_edge_ = 0.0f;  // every quotient of the tail lies below, every one of the head does not
  size_t begin_[ranks + 1] = {};
  bool sorted_[ranks] = {};
  double group_mass_[ranks] = {};  // of the groups of buckets that mass() looked at
  size_t n_groups_ = 0;
  float* logit_ = nullptr;
  int32_t* id_ = nullptr;
  float* quotient_ = nullptr;  // while the layout is made
  int32_t* index_ = nullptr;
  uint8_t* place_ = nullptr;
  unsigned char* words_ = nullptr;
  unsigned char* copy_ = nullptr;
};

}  // namespace bankml
