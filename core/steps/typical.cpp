// typical: see typical.h.
//
// Computes: softmax over the sorted set; entropy = sum of -p * logf(p) as a float, in order; score = |-logf(p) - entropy|;
// candidates in ascending order of score (std::sort's, ties included) are kept up to and with the one where the running float sum
// of p exceeds p. Source: Meister et al., "Locally Typical Sampling" (2022). Quirks kept: a p that has underflowed to 0 makes -0 *
// -inf = NaN, so the entropy and every score are NaN; every comparison is then false, and the sort permutes as it does for equal
// keys; here such scores all get the same key. The kept set stays in the order of the scores and is not `sorted`. Memory: scores
// and indices live at the end of the scratch array, as words (core/candidates/words.h).
//
// Tested by tests/steps/typical.cpp
#include "core/math/fp_env.h"

#include "core/steps/typical.h"

#include <algorithm>
#include <cmath>
#include <new>

#include "core/candidates/softmax.h"
#include "core/candidates/sort.h"
#include "core/candidates/words.h"
#include "core/math/bits.h"
#include "core/order/radix_sort.h"
#include "core/order/words.h"

namespace bankml {

namespace typical_detail {

constexpr size_t run = 256;  // logarithms a kernel call
constexpr size_t small_set = 2048;

// Scores that are all different have one order, and a small set's memory for finding it fits on the stack.
inline void sort_scores(order::Word* ranked, size_t n) noexcept {
  if (n <= small_set) {
    order::Word sorted[small_set];
    order::Word spare[small_set];
    if (order::sort_distinct_words(ranked, n, sorted, spare)) return;
  }
  order::sort_words(ranked, ranked + n);
}

}  // namespace typical_detail

Status Typical::apply(Candidates& set, ErrorText&) noexcept {
  using namespace typical_detail;
  if (off(p_) || set.size == 0) return Status::ok;
  softmax(set, true);
  const size_t n = set.size;

  // The logarithms are needed twice: they wait in the place of the keys.
  order::Word* const ranked = word_space(set.scratch, n);
  float entropy = 0.0f;
  for (size_t begin = 0; begin < n; begin += run) {
    const size_t length = std::min(run, n - begin);
    float logarithm[run];
    for (size_t i = 0; i < length; ++i) logarithm[i] = set.data[begin + i].p;
    set.kernels->log(logarithm, logarithm, length);
    for (size_t i = 0; i < length; ++i) {
      new (ranked + begin + i) order::Word(order::word(math::bits_of(logarithm[i]), begin + i));
      entropy += -set.data[begin + i].p * logarithm[i];
    }
  }
  for (size_t i = 0; i < n; ++i) {
    const float score = std::fabs(-math::float_of(order::key_of(ranked[i])) - entropy);
    ranked[i] = order::word(score == score ? order::ascending_key(score) : 0, i);
  }
  typical_detail::sort_scores(ranked, n);
  count_sort(set, n);

  size_t kept = 0;
  float sum = 0.0f;
  while (kept < n) {
    const Candidate candidate = set.data[order::index_of(ranked[kept])];
    new (set.scratch + kept) Candidate(candidate);
    ++kept;
    sum += candidate.p;
    if (sum > p_ && (min_keep_ == 0 || kept >= min_keep_)) break;
  }
  set.swap_scratch();
  set.size = kept;
  set.sorted = false;
  return Status::ok;
}

}  // namespace bankml
