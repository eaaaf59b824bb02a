// typical over lazy buckets: see try_typical.h.
//
// The step orders tokens by score = |-logf(p) - entropy| and keeps them up to where the running float sum of p exceeds its limit;
// dist then draws along that order. S and entropy are exact (core/candidates/fast_sorted_sums.h). Scores are formed for the head
// of the logits only: a token below it has a larger surprise, so that its score is above the score at the head's edge, and if the
// boundary lies clearly below that edge none of them is kept. Surprises are off by some 2^-20 of themselves; the margin is 2^-9.
// Scores of the head are counted into bins. A bin is sorted only where its float sum depends on the order, where the boundary or
// where the draw falls in it; the rest is as in core/candidates/fast_mass.h.
// Ties: the reference's sort places tokens of equal score by its own moves. They are harmless where they are in one bin whose sum
// has no order, or have equal logits and are all kept; if they straddle the boundary with different logits, or if the drawn token
// is one of them, nothing is proven. Neither is it where a p may underflow: the entropy is NaN then.
// Memory: FastBuckets holds the logits and ids in room.scratch; scores, the order and logits in that order lie in room.data.
//
// Tested by tests/chain/try_typical.cpp
#include "core/math/fp_env.h"

#include "core/chain/try_typical.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <new>

#include "core/candidates/fast_buckets.h"
#include "core/candidates/fast_row_scan.h"
#include "core/candidates/fast_sorted_sums.h"
#include "core/candidates/sort.h"
#include "core/chain/try_typical_small.h"
#include "core/math/logf.h"
#include "core/order/introsort.h"

namespace bankml {

namespace try_typical_detail {

constexpr size_t chunk = 256;
constexpr size_t most_bins = 512;
constexpr size_t bin_size = 128;  // on average
constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float deepest = 87.0f;        // below the maximum: p is at least e^-87 / 2^23
constexpr double clear = 0x1p-9;        // of the edge's score
constexpr double enough = 1 + 0x1p-10;  // of the limit: what masses and float sums of p may be off is far less
constexpr double least = 0x1p-90;       // as in core/candidates/fast_mass.h

class Scores {
 public:
  Scores(const Row& row, const Typical& step, Candidates& out, FastScratch& scratch)
      : row_(row), step_(step), out_(out), scratch_(scratch), kernels_(*out.kernels) {}

  // False: not proven. Then and only then nothing else may be called.
  bool find_boundary() noexcept {
    if (!none_underflows() || !fast_sorted_sums(row_, scratch_, out_, buckets_, sums_)) return false;
    if (!(sums_.entropy > 0.0f)) return false;
    if (!choose_head() &&
        (buckets_.laid_out() == row_.n || !buckets_.fill(row_, 1.0f, -infinity, scratch_, out_) || !choose_head())) {
      return false;
    }
    fill_bins();
    return walk_bins();
  }

  size_t kept() const noexcept { return kept_; }

  // The largest logit that is kept.
  float maximum() const noexcept {
    float largest = -infinity;
    for (size_t k = 0; k <= last_bin_; ++k) largest = std::max(largest, kernels_.maximum(logit_ + begin_[k], end(k) - begin_[k]));
    return largest;
  }

  // The sum of the kept weights, each bin's in mass_.
  double masses(float t, float shift, bool exact) noexcept {
    double total = 0;
    for (size_t k = 0; k <= last_bin_; ++k) {
      double here = 0;
      for (size_t first = begin_[k]; first < end(k); first += chunk)
        here += mass(first, std::min(chunk, end(k) - first), t, shift, exact);
      mass_[k] = here;
      total += here;
    }
    return total;
  }

  // The place whose weight takes the running sum to total * u; false if `error` or a tie leaves a doubt.
  bool locate(float t, float shift, double u, double total, double error, size_t& place) noexcept {
    const double target = total * u;
    double before = 0;
    size_t k = 0;
    while (k <= last_bin_ && before + mass_[k] < target) before += mass_[k++];
    if (k > last_bin_) return false;
    sort_bin(k);
    double reached = before;
    float w[chunk];
    for (size_t i = begin_[k]; i < end(k); ++i) {
      const double previous = reached;
      const size_t at = (i - begin_[k]) % chunk;
      if (at == 0) weights(i, std::min(chunk, end(k) - i), t, shift, w);
      reached += static_cast<double>(w[at]);
      if (reached < target) continue;
      const double doubt = error * (reached + target) + least;
      if (reached - target <= doubt || (i > 0 && target - previous <= doubt)) return false;
      place = i;
      return !tied(k, i);
    }
    return false;
  }

  // Whether the only token that is kept could be another one.
  bool first_is_tied() const noexcept { return tied(last_bin_, 0); }

  int32_t id(size_t place) const noexcept { return buckets_.id(order_[place]); }
  float logit(size_t place) const noexcept { return logit_[place]; }

 private:
  bool none_underflows() const noexcept {
    const float bound = scratch_.maximum - deepest;
    const size_t block = FastScratch::block_of(row_.n), blocks = simd::row_blocks(row_.logits, row_.n, block);
    for (size_t b = 0; b < blocks; ++b) {
      const simd::BlockRange range = simd::row_block(row_.logits, row_.n, block, b);
      float copy[chunk];
      const size_t n = range.last - range.first;
      if (kernels_.count_reaching(fast_view_block(row_, range, copy, kernels_), n, bound) != n) return false;
    }
    return true;
  }

  // As many buckets from the top as hold the boundary for certain; false if what is laid out does not.
  bool choose_head() noexcept {
    const double log_sum = static_cast<double>(math::logf(sums_.sum)), maximum = static_cast<double>(scratch_.maximum);
    const double entropy = static_cast<double>(sums_.entropy);
    const double limit = static_cast<double>(step_.p()) * static_cast<double>(sums_.sum) * enough;
    // surprise of a bucket's lower edge
    const auto below = [&](int b) { return log_sum + maximum - (static_cast<double>(b) - 64) / 6.4; };
    double mass[128] = {};
    size_t count[128] = {};
    for (int b = 127; b >= 1; --b) {
      if (buckets_.begin(b) == buckets_.laid_out()) return false;
      const FastBuckets::Weights weights{buckets_.begin(b), buckets_.end(b), 1.0f, scratch_.maximum};
      count[b] = buckets_.end(b) - buckets_.begin(b);
      mass[b] = count[b] > 0 ? buckets_.mass(weights, false) : 0;
      const double edge = below(b) - entropy;
      if (!(edge > 0x1p-4)) continue;
      // Buckets whose scores all lie below the edge's.
      double held = 0;
      size_t tokens = 0;
      for (int above = b; above <= 127; ++above) {
        const double upper = above < 127 ? below(above + 1) : log_sum;
        if (!(upper > entropy - edge * (1 - 2 * clear))) break;
        held += mass[above];
        tokens += count[above];
      }
      if (held > limit && tokens >= step_.min_keep()) {
        head_ = buckets_.end(b);
        edge_ = static_cast<float>(edge);
        return true;
      }
    }
    return false;
  }

  size_t bin_of(float score) const noexcept { return score < edge_ ? static_cast<size_t>(score * scale_) : bins_; }

  void fill_bins() noexcept {
    unsigned char* const memory = reinterpret_cast<unsigned char*>(out_.data);
    score_ = new (memory) float[head_];
    order_ = new (memory + 4 * row_.n) uint32_t[head_];
    logit_ = new (memory + 8 * row_.n) float[head_];
    bins_ = std::clamp(head_ / bin_size, size_t{4}, most_bins);
    scale_ = static_cast<float>(bins_ - 1) / edge_;
    size_t count[most_bins + 1] = {};
    for (size_t first = 0; first < head_; first += chunk) {
      const size_t n = std::min(chunk, head_ - first);
      float* const p = score_ + first;
      for (size_t i = 0; i < n; ++i) p[i] = buckets_.logit(first + i);
      kernels_.exp_shift(p, p, 1, n, scratch_.maximum);
      for (size_t i = 0; i < n; ++i) p[i] /= sums_.sum;
      kernels_.log(p, p, n);
      for (size_t i = 0; i < n; ++i) p[i] = std::fabs(-p[i] - sums_.entropy);
      for (size_t i = 0; i < n; ++i) ++count[bin_of(p[i])];
    }
    size_t total = 0;
    size_t next[most_bins + 1];
    for (size_t k = 0; k <= bins_; ++k) {
      begin_[k] = next[k] = total;
      sorted_[k] = false;
      total += count[k];
    }
    for (size_t i = 0; i < head_; ++i) order_[next[bin_of(score_[i])]++] = static_cast<uint32_t>(i);
    for (size_t i = 0; i < begin_[bins_]; ++i) logit_[i] = buckets_.logit(order_[i]);
  }

  // p of places [first, first + n), n <= chunk.
  void fill_p(size_t first, size_t n, float* p) const noexcept {
    kernels_.exp_shift(logit_ + first, p, 1, n, scratch_.maximum);
    for (size_t i = 0; i < n; ++i) p[i] /= sums_.sum;
  }

  bool add_in_any_order(size_t k, float& sum) const noexcept {
    for (size_t first = begin_[k]; first < begin_[k + 1]; first += chunk) {
      const size_t n = std::min(chunk, begin_[k + 1] - first);
      float p[chunk];
      fill_p(first, n, p);
      if (!kernels_.sum_any_order(p, n, sum)) return false;
    }
    return true;
  }

  // Adds the places of a sorted bin until the boundary, if it is there. False if tied tokens with different p make the sum
  // ambiguous.
  bool add_in_order(size_t k, float& sum) noexcept {
    sort_bin(k);
    float p[chunk];
    for (size_t i = begin_[k]; i < begin_[k + 1]; ++i) {
      if (i > begin_[k] && score_at(i - 1) == score_at(i) && logit_[i - 1] != logit_[i]) return false;
      const size_t at = (i - begin_[k]) % chunk;
      if (at == 0) fill_p(i, std::min(chunk, begin_[k + 1] - i), p);
      sum += p[at];
      if (!(sum > step_.p()) || i + 1 < step_.min_keep()) continue;
      kept_ = i + 1;
      const bool straddles = kept_ < begin_[k + 1] && score_at(i) == score_at(kept_) && logit_[i] != logit_[kept_];
      return !straddles;
    }
    return true;
  }

  bool walk_bins() noexcept {
    float sum = 0.0f;
    for (size_t k = 0; k < bins_; ++k) {
      float whole = sum;
      if (add_in_any_order(k, whole) && (!(whole > step_.p()) || begin_[k + 1] < step_.min_keep())) {
        sum = whole;
        continue;
      }
      if (!add_in_order(k, sum)) return false;
      if (kept_ == 0) continue;
      last_bin_ = k;
      return static_cast<double>(score_at(kept_ - 1)) < static_cast<double>(edge_) * (1 - clear);
    }
    return false;
  }

  void sort_bin(size_t k) noexcept {
    const size_t first = begin_[k], n = begin_[k + 1] - first;
    if (sorted_[k]) return;
    sorted_[k] = true;
    order::introsort(order_ + first, order_ + first + n,
                     [this](uint32_t a, uint32_t b) { return score_[a] < score_[b] || (score_[a] == score_[b] && a < b); });
    for (size_t i = first; i < first + n; ++i) logit_[i] = buckets_.logit(order_[i]);
  }

  // Whether another token has the score of the one at a place of bin k, which is sorted.
  bool tied(size_t k, size_t place) const noexcept {
    const float score = score_at(place);
    return (place > begin_[k] && score_at(place - 1) == score) || (place + 1 < begin_[k + 1] && score_at(place + 1) == score);
  }

  float score_at(size_t place) const noexcept { return score_[order_[place]]; }
  size_t end(size_t k) const noexcept { return std::min(begin_[k + 1], kept_); }

  void weights(size_t first, size_t n, float t, float shift, float* w) const noexcept {
    for (size_t i = 0; i < n; ++i) w[i] = logit_[first + i] / t;
    kernels_.exp_shift(w, w, 1, n, shift);
  }

  double mass(size_t first, size_t n, float t, float shift, bool exact) const noexcept {
    if (!exact) return static_cast<double>(kernels_.exp_mass(logit_ + first, n, t, shift));
    float w[chunk];
    weights(first, n, t, shift, w);
    double total = 0;
    for (size_t i = 0; i < n; ++i) total += static_cast<double>(w[i]);
    return total;
  }

  const Row& row_;
  const Typical& step_;
  Candidates& out_;
  FastScratch& scratch_;
  const simd::Kernels& kernels_;
  FastBuckets buckets_;
  SortedSums sums_{};
  size_t head_ = 0;  // places of `buckets_` that have a score
  float edge_ = 0;   // tokens outside have scores above about this
  size_t bins_ = 0;  // one more takes the scores that do not matter
  float scale_ = 0;  // bins a unit of score
  size_t kept_ = 0;
  size_t last_bin_ = 0;        // which holds the boundary
  float* score_ = nullptr;     // of a place of `buckets_`
  uint32_t* order_ = nullptr;  // places of `buckets_` by bin
  float* logit_ = nullptr;     // in that order
  size_t begin_[most_bins + 1] = {};
  bool sorted_[most_bins + 1] = {};
  double mass_[most_bins] = {};
};

}  // namespace try_typical_detail

bool try_typical(const Row& row, const Typical& step, float t, Dist& dist, Candidates& out, FastScratch& scratch) noexcept {
  using namespace try_typical_detail;
  if (!(t > 0.0f) || !(step.p() > 0.0f) || !fast_apply_edits(row, scratch, *out.kernels)) return false;
  if (row.n <= small_typical_row) return try_typical_small(row, step, t, scratch.maximum, dist, out);
  Scores scores(row, step, out, scratch);
  if (!scores.find_boundary()) return false;
  const float shift = scores.maximum() / t;
  if (!std::isfinite(shift)) return false;
  const bool single = scores.kept() == 1;
  if (single && scores.first_is_tied()) return false;
  const double u = dist.engine().uniform_double();
  size_t place = 0;
  bool found = single;
  for (const bool exact : {false, true}) {
    if (found) break;
    const double total = scores.masses(t, shift, exact);
    const double error = (exact ? 0.0 : simd::mass_error) + static_cast<double>(scores.kept()) * 0x1p-51;
    out.work->exps += scores.kept();
    found = scores.locate(t, shift, u, total, error, place);
  }
  if (!found) {
    dist.rewind();
    return false;
  }
  const Candidate drawn{scores.id(place), scores.logit(place), 0.0f};
  out.data[0] = drawn;
  out.size = 1;
  out.selected = 0;
  out.work->random_outputs += 2;
  return true;
}

}  // namespace bankml
