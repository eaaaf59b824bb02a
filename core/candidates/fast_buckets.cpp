// Lazy buckets: see fast_buckets.h.
//
// bucket_sort copies the set into 128 buckets, id order kept, and sorts each on its own, the lowest that is not empty with a heap,
// the others by introsort. What happens in one bucket depends on no other, so a bucket may wait until its inside is asked for. Most
// never are: a sum over a bucket whose additions provably do not depend on their order needs no order, and a draw looks into one.
// Tokens below `least` are counted, not laid out. They all write to one place behind the others, since a branch around the write
// could not be predicted.
// Memory: one array of candidates holds the words of a bucket that is sorted, the other logits, ids and a copy of either.
//
// Tested by tests/candidates/fast_buckets.cpp
#include "core/math/fp_env.h"

#include "core/candidates/fast_buckets.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <new>

#include "core/candidates/fast_row_scan.h"
#include "core/candidates/sort.h"
#include "core/math/logf.h"
#include "core/order/heap.h"
#include "core/order/words.h"

namespace bankml {

namespace fast_buckets_detail {

constexpr size_t chunk = 256;
constexpr float exact_limit = 3.2e8f;  // bucket_of grows with the logit up to 2^31 / 6.4
constexpr double least = 0x1p-90;      // what 2^31 weights below e^-87 may be counted as
constexpr int extension = 6;           // buckets, about one unit of logits
constexpr size_t unsorted_from = 24;   // fewer tokens are sorted in the time that one block's proof takes
constexpr size_t heavy = 32;           // so many of the first places change the sum's power of two often

// The least float of bucket b >= 1 and of the buckets above; -inf for bucket 0, +inf for 128.
inline float edge_of(int b) noexcept {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  if (b <= 0) return -infinity;
  if (b > 127) return infinity;
  float below = static_cast<float>(b - 65) / 6.4f, edge = static_cast<float>(b - 63) / 6.4f;
  while (true) {
    const float middle = below * 0.5f + edge * 0.5f;
    if (!(below < middle && middle < edge)) break;
    (bucket_of(middle) < b ? below : edge) = middle;
  }
  return edge;
}

}  // namespace fast_buckets_detail

bool FastBuckets::start(const Row& row, float t, const FastScratch& scratch, Candidates& room) noexcept {
  using namespace fast_buckets_detail;
  n_ = row.n;
  kernels_ = room.kernels;
  if (n_ <= heap_limit || n_ > room.capacity || !(std::fabs(scratch.maximum / t) < exact_limit)) return false;
  row_ = &row;
  scratch_ = &scratch;
  t_ = t;
  lowest_ = ranks;
  std::fill(begin_, begin_ + ranks + 1, size_t{0});
  std::fill(sorted_, sorted_ + ranks, false);
  unsigned char* const first = reinterpret_cast<unsigned char*>(room.data);
  unsigned char* const second = reinterpret_cast<unsigned char*>(room.scratch);
  words_ = first + (8 - reinterpret_cast<uintptr_t>(first) % 8) % 8;
  // A gathering writes up to 16 past its end; 9 n + 128 bytes are less than 12 n here.
  static_assert(heap_limit >= 43);
  quotient_ = new (first) float[n_ + 16];
  index_ = new (first + 4 * (n_ + 16)) int32_t[n_ + 16];
  place_ = first + 8 * (n_ + 16);
  logit_ = new (second) float[n_];
  id_ = new (second + 4 * n_) int32_t[n_];
  copy_ = second + 8 * n_;
  return true;
}

// The buckets from the highest that is not laid out down to `lowest`, behind those that are.
void FastBuckets::lay_out(int lowest) noexcept {
  using namespace fast_buckets_detail;
  const float low = edge_of(lowest), high = edge_of(lowest_);
  const size_t block = FastScratch::block_of(n_), blocks = simd::row_blocks(row_->logits, n_, block);
  size_t count = 0;
  for (size_t b = 0; b < blocks; ++b) {
    if (scratch_->maxima[b] / t_ < low) continue;
    const simd::BlockRange range = simd::row_block(row_->logits, n_, block, b);
    float copy[chunk];
    count += kernels_->quotients_between(fast_view_block(*row_, range, copy, *kernels_), range.last - range.first, t_, low, high,
                                         static_cast<int32_t>(range.first), quotient_ + count, index_ + count);
  }
  kernels_->bucket_places(quotient_, count, 1.0f, quotient_, place_);

  uint32_t counts[4][ranks] = {};
  size_t i = 0;
  for (; i + 4 <= count; i += 4) {
    for (size_t lane = 0; lane < 4; ++lane) ++counts[lane][place_[i + lane]];
  }
  for (; i < count; ++i) ++counts[0][place_[i]];
  uint32_t next[ranks];
  size_t total = begin_[ranks];
  for (int b = lowest_ - 1; b >= 0; --b) {
    begin_[127 - b] = total;
    next[b] = static_cast<uint32_t>(total);
    total += size_t{counts[0][b]} + counts[1][b] + counts[2][b] + counts[3][b];
  }
  begin_[ranks] = total;
  lowest_ = lowest;
  quotient_edge_ = low;
  const uint8_t* const place = place_;
  float* const logit = logit_;
  int32_t* const id = id_;
  for (i = 0; i < count; ++i) {
    const uint32_t at = next[place[i]]++;
    logit[at] = quotient_[i];
    id[at] = index_[i];
  }
}

bool FastBuckets::fill(const Row& row, float t, float least, const FastScratch& scratch, Candidates& room) noexcept {
  if (!start(row, t, scratch, room)) return false;
  lay_out(bucket_of(least));
  return true;
}

void FastBuckets::extend(float least) noexcept {
  const int lowest = bucket_of(least);
  if (lowest < lowest_) lay_out(lowest);
}

void FastBuckets::extend_to(size_t place) noexcept {
  using namespace fast_buckets_detail;
  for (int more = extension; place >= laid_out() && lowest_ > 0; more *= 2) lay_out(std::max(0, lowest_ - more));
}

int FastBuckets::bucket_at(size_t place) const noexcept {
  return 127 - static_cast<int>(std::upper_bound(begin_, begin_ + ranks, place) - begin_ - 1);
}

bool FastBuckets::all_reach(int b, float bound) const noexcept {
  return kernels_->count_reaching(logit_ + begin(b), end(b) - begin(b), bound) == end(b) - begin(b);
}

bool FastBuckets::row_reaches(float bound) const noexcept {
  // Quotients grow with the logits, so it is enough that every logit reaches one whose quotient does.
  float least = bound * t_;
  while (least / t_ < bound) least = std::nextafterf(least, std::numeric_limits<float>::infinity());
  const size_t block = FastScratch::block_of(n_), blocks = simd::row_blocks(row_->logits, n_, block);
  for (size_t b = 0; b < blocks; ++b) {
    const simd::BlockRange range = simd::row_block(row_->logits, n_, block, b);
    float copy[fast_buckets_detail::chunk];
    const size_t here = range.last - range.first;
    if (kernels_->count_reaching(fast_view_block(*row_, range, copy, *kernels_), here, least) != here) return false;
  }
  return true;
}

void FastBuckets::sort(int b) noexcept {
  const size_t first = begin(b), count = end(b) - begin(b);
  if (sorted_[b] || count < 2) return;
  sorted_[b] = true;
  order::Word* const words = new (words_) order::Word[count];
  for (size_t i = 0; i < count; ++i) words[i] = order::word(order::descending_key(logit_[first + i]), i);
  if (end(b) == n_) {
    order::partial_sort(words, words + count, words + count, order::LowerKey{});
  } else {
    order::sort_words(words, words + count);
  }
  std::memcpy(copy_, logit_ + first, 4 * count);
  for (size_t i = 0; i < count; ++i) std::memcpy(logit_ + first + i, copy_ + 4 * size_t{order::index_of(words[i])}, 4);
  std::memcpy(copy_, id_ + first, 4 * count);
  for (size_t i = 0; i < count; ++i) std::memcpy(id_ + first + i, copy_ + 4 * size_t{order::index_of(words[i])}, 4);
}

void FastBuckets::sort_first(size_t count) noexcept {
  for (int b = 127; b >= 0 && begin(b) < count; --b) sort(b);
}

void FastBuckets::copy_first(size_t count, Candidates& room) const noexcept {
  for (size_t i = 0; i < count; ++i) new (room.data + i) Candidate{id_[i], logit_[i], 0.0f};
  room.size = count;
  room.sorted = true;
  room.selected = Candidates::no_selection;
}

// The end of the largest run of buckets, from the one at place `first` on, that holds at most `limit` places; one bucket at least.
size_t FastBuckets::group_end(int b, size_t limit) const noexcept {
  const size_t first = begin(b);
  size_t last = end(b);
  while (--b >= lowest_ && end(b) - first <= limit) last = end(b);
  return last;
}

// Goes on from `sum` with places [first, count) of the head; first begins a bucket. Runs of small buckets are proven together;
// where that fails, shorter runs are tried. The first few tokens weigh so much that they are sorted at once.
float FastBuckets::exp_sum_of(size_t first, size_t count, float shift, float sum) noexcept {
  using namespace fast_buckets_detail;
  size_t done = first;  // places before it are in `sum`; from there to `at` they are in order
  size_t limit = chunk;
  for (size_t at = first; at < count;) {
    const int b = bucket_at(at);
    const size_t last = group_end(b, limit);
    if (at >= heavy && last - at >= unsorted_from && last <= count && !sorted_[b]) {
      sum = kernels_->exp_sum(logit_ + done, at - done, shift, sum);
      done = at;
      float whole = sum;
      if (kernels_->exp_sum_any_order(logit_ + at, last - at, shift, whole)) {
        sum = whole;
        done = at = last;
        limit = std::min(4 * limit, chunk);
        continue;
      }
      if (last > end(b)) {
        limit /= 4;
        continue;
      }
    }
    sort(b);
    at = end(b);
  }
  return kernels_->exp_sum(logit_ + done, count - done, shift, sum);
}

float FastBuckets::exp_sum(size_t count, float shift) noexcept {
  if (count <= laid_out()) return exp_sum_of(0, count, shift, 0.0f);
  const size_t head = laid_out();
  float sum = exp_sum_of(0, head, shift, 0.0f);
  if (count == n_ && add_tail(shift, sum)) return sum;
  extend_to(count - 1);
  return exp_sum_of(head, count, shift, sum);
}

template <bool entropy>
float FastBuckets::add_terms(int b, float shift, float divisor, float sum) noexcept {
  using namespace fast_buckets_detail;
  for (const bool ordered : {false, true}) {
    if (ordered) sort(b);
    const bool in_order = sorted_[b] || end(b) - begin(b) < 2;
    float total = sum;
    bool proven = true;
    for (size_t first = begin(b); first < end(b) && proven; first += chunk) {
      const size_t here = std::min(chunk, end(b) - first);
      float p[chunk];
      kernels_->exp_shift(logit_ + first, p, 1, here, shift);
      for (size_t i = 0; i < here; ++i) p[i] /= divisor;
      if constexpr (entropy) {
        for (size_t i = 0; i < here; ++i) p[i] = p[i] > 0.0f ? -(p[i] * math::logf(p[i])) : 0.0f;
      }
      if (in_order) {
        total = kernels_->sum(p, here, total);
      } else {
        proven = kernels_->sum_any_order(p, here, total);
      }
    }
    if (proven) return total;
  }
  return sum;
}

float FastBuckets::add_p(int b, float shift, float divisor, float sum) noexcept { return add_terms<false>(b, shift, divisor, sum); }

float FastBuckets::add_entropy(int b, float shift, float divisor, float sum) noexcept {
  return add_terms<true>(b, shift, divisor, sum);
}

// Of places [first, last).
double FastBuckets::mass_of(size_t first, size_t last, const Weights& weights, bool exact) const noexcept {
  using namespace fast_buckets_detail;
  double total = 0;
  for (; first < last; first += chunk) {
    const size_t here = std::min(chunk, last - first);
    if (!exact) {
      total += static_cast<double>(kernels_->exp_mass(logit_ + first, here, weights.t, weights.shift));
      continue;
    }
    float w[chunk];
    for (size_t i = 0; i < here; ++i) w[i] = logit_[first + i] / weights.t;
    kernels_->exp_shift(w, w, 1, here, weights.shift);
    for (size_t i = 0; i < here; ++i) total += static_cast<double>(w[i]);
  }
  return total;
}

// Of the part of the group that begins with the bucket at `first`.
double FastBuckets::group_mass(size_t first, size_t last, const Weights& weights, bool exact) noexcept {
  if (begin(bucket_at(first)) < first) sort(bucket_at(first));
  if (last > weights.last) {
    last = weights.last;
    sort(bucket_at(last));
  }
  return mass_of(first, last, weights, exact);
}

double FastBuckets::mass(const Weights& weights, bool exact) noexcept {
  using namespace fast_buckets_detail;
  double total = 0;
  n_groups_ = 0;
  for (size_t at = weights.first; at < std::min(weights.last, laid_out());) {
    const size_t last = group_end(bucket_at(at), chunk);
    group_mass_[n_groups_] = group_mass(at, last, weights, exact);
    total += group_mass_[n_groups_++];
    at = last;
  }
  return weights.last > laid_out() ? total + mass_of_tail(weights, exact) : total;
}

bool FastBuckets::locate(const Weights& weights, bool exact, double u, double total, double error, size_t& place) noexcept {
  using namespace fast_buckets_detail;
  const double target = total * u;
  double before = 0;
  size_t at = weights.first;
  // Groups, whose masses are known already as far as they lay out then; in the last of them bucket by bucket.
  const size_t known = laid_out();
  size_t limit = chunk;
  for (size_t group = 0; at < weights.last;) {
    if (at == laid_out()) extend_to(at);
    const int b = bucket_at(at);
    const size_t last = group_end(b, limit);
    const bool counted = limit == chunk && at < known;
    const double here = counted ? group_mass_[group] : group_mass(at, last, weights, exact);
    if (before + here < target) {
      before += here;
      at = last;
      ++group;
      continue;
    }
    if (last > end(b)) {
      limit = 0;
      continue;
    }
    sort(b);
    double reached = before;
    for (const size_t end_of_bucket = std::min(end(b), weights.last); at < end_of_bucket; at += chunk) {
      float w[chunk];
      const size_t length = std::min(chunk, end_of_bucket - at);
      for (size_t i = 0; i < length; ++i) w[i] = logit_[at + i] / weights.t;
      kernels_->exp_shift(w, w, 1, length, weights.shift);
      for (size_t i = 0; i < length; ++i) {
        const double previous = reached;
        reached += static_cast<double>(w[i]);
        if (reached < target) continue;
        const double doubt = error * (reached + target) + least;
        place = at + i;
        return reached - target > doubt && (place == weights.first || target - previous > doubt);
      }
    }
    return false;
  }
  return false;
}

}  // namespace bankml
