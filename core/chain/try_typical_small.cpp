// typical on a small row: see try_typical_small.h.
//
// The arithmetic of the plain steps, in their order; only the sort by score is another: stable, by counting. Where scores are equal
// the reference's sort may leave another order. That cannot be seen if the tokens have equal logits, unless one of them is drawn;
// anything else is not proven.
//
// Tested by tests/chain/try_typical.cpp
#include "core/math/fp_env.h"

#include "core/chain/try_typical_small.h"

#include <cmath>

#include "core/candidates/softmax.h"
#include "core/chain/fill_row.h"
#include "core/order/radix_sort.h"
#include "core/order/words.h"

namespace bankml {

namespace try_typical_small_detail {

// The words of all scores, ascending. False if the entropy is NaN.
inline bool sort_scores(const Candidates& set, order::Word* sorted) noexcept {
  float logarithm[small_typical_row];
  order::Word words[small_typical_row];
  order::Word spare[small_typical_row];
  const size_t n = set.size;
  for (size_t i = 0; i < n; ++i) logarithm[i] = set.data[i].p;
  set.kernels->log(logarithm, logarithm, n);
  float entropy = 0.0f;
  for (size_t i = 0; i < n; ++i) entropy += -set.data[i].p * logarithm[i];
  if (entropy != entropy) return false;
  for (size_t i = 0; i < n; ++i) words[i] = order::word(order::ascending_key(std::fabs(-logarithm[i] - entropy)), i);
  order::radix_sort_words(words, n, sorted, spare);
  return true;
}

}  // namespace try_typical_small_detail

bool try_typical_small(const Row& row, const Typical& step, float t, float maximum, Dist& dist, Candidates& out) noexcept {
  if (!(t > 0.0f) || !std::isfinite(maximum / t)) return false;
  fill_from_row(row, out);
  softmax(out, true);
  order::Word sorted[small_typical_row];
  if (!try_typical_small_detail::sort_scores(out, sorted)) return false;
  const size_t n = out.size;
  // Whether the tokens at places i - 1 and i could change places, and whether that could be seen in a sum.
  const auto tied = [&](size_t i) { return i > 0 && i < n && order::key_of(sorted[i - 1]) == order::key_of(sorted[i]); };
  const auto logit = [&](size_t i) { return out.data[order::index_of(sorted[i])].logit; };
  size_t kept = 0;
  float sum = 0.0f;
  while (kept < n) {
    const Candidate& candidate = out.data[order::index_of(sorted[kept])];
    if (tied(kept) && logit(kept - 1) != logit(kept)) return false;
    out.scratch[kept++] = {candidate.id, candidate.logit / t, 0.0f};
    sum += candidate.p;
    if (sum > step.p() && kept >= step.min_keep()) break;
  }
  if (tied(kept) && logit(kept - 1) != logit(kept)) return false;
  out.swap_scratch();
  out.size = kept;
  out.sorted = false;
  const uint64_t random_outputs = out.work->random_outputs;
  ErrorText error;
  if (dist.apply(out, error) == Status::ok && !tied(out.selected) && !tied(out.selected + 1)) return true;
  dist.rewind();
  out.work->random_outputs = random_outputs;
  return false;
}

}  // namespace bankml
