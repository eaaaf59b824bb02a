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
#include <new>

#include "core/candidates/fast_gather.h"
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

}  // namespace fast_buckets_detail

bool FastBuckets::start(const Row& row, float t, const FastScratch& scratch, Candidates& room) noexcept {
  using namespace fast_buckets_detail;
  n_ = row.n;
  kernels_ = room.kernels;
  if (n_ <= heap_limit || n_ > room.capacity || !(std::fabs(scratch.maximum / t) < exact_limit)) return false;
  unsigned char* const first = reinterpret_cast<unsigned char*>(room.data);
  unsigned char* const second = reinterpret_cast<unsigned char*>(room.scratch);
  words_ = first + (8 - reinterpret_cast<uintptr_t>(first) % 8) % 8;
  quotient_ = new (first) float[n_];
  place_ = first + 4 * n_;
  logit_ = new (second) float[n_];
  id_ = new (second + 4 * n_) int32_t[n_];
  copy_ = second + 8 * n_;
  return true;
}

// From the first `count` of quotient_ and place_; index: their ids, nullptr if these are 0, 1, ...
void FastBuckets::lay_out(size_t count, const int32_t* index, int lowest) noexcept {
  uint32_t counts[4][ranks] = {};
  size_t i = 0;
  for (; i + 4 <= count; i += 4) {
    for (size_t lane = 0; lane < 4; ++lane) ++counts[lane][place_[i + lane]];
  }
  for (; i < count; ++i) ++counts[0][place_[i]];
  uint32_t next[ranks], step[ranks];
  size_t total = 0;
  for (int b = 127; b >= 0; --b) {
    begin_[127 - b] = total;
    next[b] = static_cast<uint32_t>(total);
    step[b] = b >= lowest ? 1 : 0;
    sorted_[b] = false;
    if (b >= lowest) total += size_t{counts[0][b]} + counts[1][b] + counts[2][b] + counts[3][b];
  }
  begin_[ranks] = total;
  // Only one array is scattered: a hundred places to write at are more pages than a CPU remembers for stores. The logits follow by
  // loads, which wait less.
  const uint8_t* const place = place_;
  int32_t* const id = id_;
  for (i = 0; i < count; ++i) {
    const uint8_t b = place[i];
    const uint32_t at = next[b];
    id[at] = static_cast<int32_t>(i);
    next[b] = at + step[b];
  }
  for (i = 0; i < total; ++i) logit_[i] = quotient_[id[i]];
  for (i = 0; index != nullptr && i < total; ++i) id[i] = index[id[i]];
}

bool FastBuckets::fill(const Row& row, float t, float least, const FastScratch& scratch, Candidates& room) noexcept {
  using namespace fast_buckets_detail;
  if (!start(row, t, scratch, room)) return false;
  const size_t block = FastScratch::block_of(n_), blocks = simd::row_blocks(row.logits, n_, block);
  for (size_t b = 0; b < blocks; ++b) {
    const simd::BlockRange range = simd::row_block(row.logits, n_, block, b);
    float copy[chunk];
    kernels_->bucket_places(fast_view_block(row, range, copy, *kernels_), range.last - range.first, t, quotient_ + range.first,
                            place_ + range.first);
  }
  lay_out(n_, nullptr, bucket_of(least));
  return true;
}

// Buckets must be complete, the highest too, which has no upper end: the gathering reaches more than a bucket (0.16) below the edge
// of the lowest, and quotients of logits this small are exact to far less.
bool FastBuckets::fill_few(const Row& row, float t, float least, FastScratch& scratch, Candidates& room) noexcept {
  using namespace fast_buckets_detail;
  constexpr float small = 1e4f;
  if (!start(row, t, scratch, room) || !(std::fabs(scratch.maximum / t) < small) || !(std::fabs(least) < small)) return false;
  const int lowest = bucket_of(least);
  const float bound = (static_cast<float>(lowest - 64) / 6.4f - 0.25f) * t;
  if (lowest < 1 || !(std::fabs(bound) < exact_limit)) return false;
  const size_t count = fast_gather(row, bound, scratch, *kernels_);
  if (count >= std::min(scratch.index.size(), n_)) return false;
  kernels_->bucket_places(scratch.value.data(), count, t, quotient_, place_);
  lay_out(count, scratch.index.data(), lowest);
  return true;
}

int FastBuckets::bucket_at(size_t place) const noexcept {
  return 127 - static_cast<int>(std::upper_bound(begin_, begin_ + ranks, place) - begin_ - 1);
}

bool FastBuckets::all_reach(int b, float bound) const noexcept {
  return kernels_->count_reaching(logit_ + begin(b), end(b) - begin(b), bound) == end(b) - begin(b);
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

float FastBuckets::exp_sum(size_t count, float shift) noexcept {
  float sum = 0.0f;
  for (int b = 127; b >= 0 && begin(b) < count; --b) {
    const size_t first = begin(b), last = std::min(end(b), count);
    if (first == last) continue;
    float whole = sum;
    if (last == end(b) && !sorted_[b] && kernels_->exp_sum_any_order(logit_ + first, last - first, shift, whole)) {
      sum = whole;
      continue;
    }
    sort(b);
    sum = kernels_->exp_sum(logit_ + first, last - first, shift, sum);
  }
  return sum;
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

// Of the weights in bucket b.
double FastBuckets::mass_in(int b, const Weights& weights, bool exact) noexcept {
  using namespace fast_buckets_detail;
  size_t first = std::max(begin(b), weights.first);
  const size_t last = std::min(end(b), weights.last);
  if (last - first < end(b) - begin(b)) sort(b);
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

double FastBuckets::mass(const Weights& weights, bool exact) noexcept {
  double total = 0;
  for (int b = bucket_at(weights.first); b >= 0 && begin(b) < weights.last; --b) total += mass_in(b, weights, exact);
  return total;
}

bool FastBuckets::locate(const Weights& weights, bool exact, double u, double total, double error, size_t& place) noexcept {
  using namespace fast_buckets_detail;
  const double target = total * u;
  double before = 0;
  for (int b = bucket_at(weights.first); b >= 0 && begin(b) < weights.last; --b) {
    const double here = mass_in(b, weights, exact);
    if (before + here < target) {
      before += here;
      continue;
    }
    sort(b);
    double reached = before;
    for (size_t i = std::max(begin(b), weights.first); i < std::min(end(b), weights.last); ++i) {
      const double previous = reached;
      float w = logit_[i] / weights.t;
      kernels_->exp_shift(&w, &w, 1, 1, weights.shift);
      reached += static_cast<double>(w);
      if (reached < target) continue;
      const double doubt = error * (reached + target) + least;
      place = i;
      return reached - target > doubt && (i == weights.first || target - previous > doubt);
    }
    return false;
  }
  return false;
}

}  // namespace bankml
