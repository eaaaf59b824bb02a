// The bucket sort and sort_in_place: see sort.h.
//
// Why buckets: a histogram finds the region of the k largest in one pass, so only that region is sorted. Candidates enter their
// bucket in array order, complete buckets are sorted by introsort and the last one by partial_sort, for as many as are still
// missing. Quirk kept: all of the last bucket stays in the result behind the k; callers cut it. NaN lands in bucket 0, which is
// always the last bucket and so only ever meets the heap.
// What is sorted are words of a key and a place in `in` (core/order/words.h); the candidates follow at the end. A NaN has no key,
// so with one in the set the candidates themselves are sorted.
// Few logits that are all different have one order, and counting the greater ones of each, in lanes, finds it sooner than any
// algorithm that compares two; with equal ones among them, seen when two want the same place, the reference's algorithm runs.
//
// Tested by tests/candidates/sort.cpp
#include "core/math/fp_env.h"

#include "core/candidates/sort.h"

#include <algorithm>
#include <new>

#include "core/candidates/words.h"
#include "core/order/heap.h"
#include "core/order/introsort.h"
#include "core/order/words.h"

namespace bankml {

namespace sort_detail {

constexpr int n_buckets = 128;

// The buckets from the last one needed for k elements upwards.
struct Buckets {
  int last;
  size_t total;            // elements in them
  size_t next[n_buckets];  // where the next element of a bucket goes
  bool nan;                // some logit is NaN
};

inline Buckets count_buckets(const Candidate* in, size_t n, size_t k) noexcept {
  // Two histograms: equal logits often follow each other, and a count waits for its last increment.
  uint32_t counts[2][n_buckets] = {};
  bool ordered = true;
  size_t i = 0;
  for (; i + 2 <= n; i += 2) {
    ++counts[0][bucket_of(in[i].logit)];
    ++counts[1][bucket_of(in[i + 1].logit)];
    ordered &= in[i].logit == in[i].logit && in[i + 1].logit == in[i + 1].logit;
  }
  if (i < n) {
    ++counts[0][bucket_of(in[i].logit)];
    ordered &= in[i].logit == in[i].logit;
  }
  Buckets b;
  b.nan = !ordered;
  b.total = 0;
  b.last = n_buckets;
  do {
    --b.last;
    b.next[b.last] = b.total;
    b.total += size_t{counts[0][b.last]} + counts[1][b.last];
  } while (b.total < k && b.last > 0);
  return b;
}

// Calls put(i, place) for each element of the buckets, in array order; next[b] is then the end of bucket b.
template <class Put>
inline void scatter(const Candidate* in, size_t n, Buckets& buckets, Put put) noexcept {
  // Nearly all candidates may lie below the last bucket; one comparison of the unrounded place tells, and a place too large for an
  // int, or NaN, is sorted out by bucket_of.
  const int last = buckets.last;
  const float edge = static_cast<float>(last);
  for (size_t i = 0; i < n; ++i) {
    if (last > 0 && !(bucket_place(in[i].logit) >= edge)) continue;
    const int b = bucket_of(in[i].logit);
    if (b >= last) put(i, buckets.next[b]++);
  }
}

// Counting takes n^2 / lanes comparisons; without lanes it never pays.
constexpr size_t rank_limit = 128;
inline bool ranks_pay(size_t n, const simd::Kernels& kernels) noexcept {
  return n > 1 && n <= rank_limit && kernels.level != simd::Level::scalar;
}

// Sorts n words of `in` by logit; false, with nothing changed, if the order is not unique.
inline bool sort_by_rank(const Candidate* in, order::Word* words, size_t n, const simd::Kernels& kernels) noexcept {
  float value[rank_limit];
  uint32_t rank[rank_limit];
  order::Word placed[rank_limit];
  for (size_t i = 0; i < n; ++i) value[i] = in[order::index_of(words[i])].logit;
  kernels.rank(value, n, rank);
  constexpr order::Word nothing = ~order::Word{0};  // no index is this large
  std::fill(placed, placed + n, nothing);
  for (size_t i = 0; i < n; ++i) placed[rank[i]] = words[i];
  if (std::find(placed, placed + n, nothing) != placed + n) return false;
  std::copy(placed, placed + n, words);
  return true;
}

// Puts the k best candidates first, in order; false, with nothing changed, if these or the k-th and another are equal or NaN.
inline bool sort_set_by_rank(Candidates& set, size_t k) noexcept {
  if (!ranks_pay(set.size, *set.kernels)) return false;
  const size_t n = set.size;
  float value[rank_limit];
  uint32_t rank[rank_limit];
  Candidate placed[rank_limit];
  for (size_t i = 0; i < n; ++i) value[i] = set.data[i].logit;
  set.kernels->rank(value, n, rank);
  for (size_t i = 0; i < k; ++i) placed[i].id = -1;
  size_t taken = 0;
  bool ordered = true;
  for (size_t i = 0; i < n; ++i) {
    ordered = ordered && value[i] == value[i];
    if (rank[i] >= k) continue;
    if (placed[rank[i]].id >= 0) return false;
    placed[rank[i]] = set.data[i];
    ++taken;
  }
  if (!ordered || taken != k) return false;
  std::copy(placed, placed + k, set.data);
  return true;
}

inline size_t bucket_sort_plain(const Candidate* in, size_t n, size_t k, Buckets& buckets, Candidate* out) noexcept {
  scatter(in, n, buckets, [=](size_t i, size_t place) { out[place] = in[i]; });
  Candidate* begin = out;
  for (int b = n_buckets - 1; b > buckets.last; --b) {
    order::introsort(begin, out + buckets.next[b], LargerLogit{});
    begin = out + buckets.next[b];
  }
  order::partial_sort(begin, out + k, out + buckets.total, LargerLogit{});
  return buckets.total;
}

}  // namespace sort_detail

size_t bucket_sort(const Candidate* in, size_t n, size_t k, Candidate* out, const simd::Kernels& kernels) noexcept {
  using namespace sort_detail;
  Buckets buckets = count_buckets(in, n, k);
  if (buckets.nan) return bucket_sort_plain(in, n, k, buckets, out);

  order::Word* const words = word_space(out, buckets.total);
  scatter(in, n, buckets,
          [=](size_t i, size_t place) { new (words + place) order::Word(order::word(order::descending_key(in[i].logit), i)); });
  order::Word* begin = words;
  for (int b = n_buckets - 1; b > buckets.last; --b) {
    order::Word* const end = words + buckets.next[b];
    const size_t size = static_cast<size_t>(end - begin);
    // The smallest parts have a sort of their own there, stable and without branches.
    if (size <= static_cast<size_t>(order::introsort_small) || !ranks_pay(size, kernels) || !sort_by_rank(in, begin, size, kernels))
      order::sort_words(begin, end);
    begin = end;
  }
  const size_t last = static_cast<size_t>(words + buckets.total - begin);
  if (k < buckets.total || !ranks_pay(last, kernels) || !sort_by_rank(in, begin, last, kernels)) {
    order::partial_sort(begin, words + k, words + buckets.total, order::LowerKey{});
  }
  for (size_t i = 0; i < buckets.total; ++i) {
    const uint32_t from = order::index_of(words[i]);
    new (out + i) Candidate(in[from]);
  }
  return buckets.total;
}

void sort_in_place(Candidates& set, size_t k) noexcept {
  if (k <= heap_limit) {
    if (!sort_detail::sort_set_by_rank(set, k)) order::partial_sort(set.data, set.data + k, set.data + set.size, LargerLogit{});
  } else {
    bucket_sort(set.data, set.size, k, set.scratch, *set.kernels);
    set.swap_scratch();
  }
  count_sort(set, k);
  set.size = k;
  set.sorted = true;
}

}  // namespace bankml
