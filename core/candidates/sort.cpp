// The bucket sort and sort_in_place: see sort.h.
//
// Why buckets: a histogram finds the region of the k largest in one pass, so only that region is sorted. Candidates enter their
// bucket in array order, complete buckets are sorted by introsort and the last one by partial_sort, for as many as are still
// missing. Quirk kept: all of the last bucket stays in the result behind the k; callers cut it. NaN lands in bucket 0, which is
// always the last bucket and so only ever meets the heap.
//
// Tested by tests/candidates/sort.cpp
#include "core/math/fp_env.h"

#include "core/candidates/sort.h"

#include "core/order/heap.h"
#include "core/order/introsort.h"

namespace bankml {

size_t bucket_sort(const Candidate* in, size_t n, size_t k, Candidate* out) noexcept {
  constexpr int n_buckets = 128;
  size_t counts[n_buckets] = {};
  for (size_t i = 0; i < n; ++i) ++counts[bucket_of(in[i].logit)];

  size_t total = 0;
  size_t next[n_buckets];  // where the next candidate of a bucket goes
  int last = n_buckets;
  do {
    --last;
    next[last] = total;
    total += counts[last];
  } while (total < k && last > 0);

  // Nearly all candidates lie below the last bucket; one comparison of the unrounded place tells, and a place too large for an int,
  // or NaN, is sorted out by bucket_of.
  const float edge = static_cast<float>(last);
  for (size_t i = 0; i < n; ++i) {
    if (last > 0 && !(bucket_place(in[i].logit) >= edge)) continue;
    const int b = bucket_of(in[i].logit);
    if (b >= last) out[next[b]++] = in[i];
  }

  // next[b] is now the end of bucket b.
  Candidate* begin = out;
  for (int b = n_buckets - 1; b > last; --b) {
    order::introsort(begin, out + next[b], LargerLogit{});
    begin = out + next[b];
  }
  order::partial_sort(begin, out + k, out + total, LargerLogit{});
  return total;
}

void sort_in_place(Candidates& set, size_t k) noexcept {
  if (k <= heap_limit) {
    order::partial_sort(set.data, set.data + k, set.data + set.size, LargerLogit{});
  } else {
    bucket_sort(set.data, set.size, k, set.scratch);
    set.swap_scratch();
  }
  count_sort(set, k);
  set.size = k;
  set.sorted = true;
}

}  // namespace bankml
