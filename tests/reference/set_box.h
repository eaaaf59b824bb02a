// A candidate set with its own memory, for tests of steps; comparison with the plain implementation; random sets.
//
// Tested by tests/steps: a comparison that could not fail would let every row there pass (see by_id.cpp).
#pragma once

#include "core/math/fp_env.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <random>
#include <vector>

#include "core/base/error_text.h"
#include "core/candidates/candidates.h"
#include "core/simd/kernels.h"
#include "tests/reference/plain_chain.h"

namespace bankml::test {

class SetBox {
 public:
  explicit SetBox(const plain::Set& from) : data_(from.tokens.size() + 1), scratch_(from.tokens.size() + 1) {
    for (size_t i = 0; i < from.tokens.size(); ++i) data_[i] = {from.tokens[i].id, from.tokens[i].logit, from.tokens[i].p};
    set.data = data_.data();
    set.scratch = scratch_.data();
    set.size = from.tokens.size();
    set.capacity = set.size;
    set.sorted = from.sorted;
    set.n_vocab = from.n_vocab;
    set.kernels = &simd::kernels();
    set.work = &work;
  }
  SetBox(const SetBox&) = delete;
  SetBox& operator=(const SetBox&) = delete;

  std::vector<int32_t> ids() const {
    std::vector<int32_t> out;
    for (size_t i = 0; i < set.size; ++i) out.push_back(set.data[i].id);
    return out;
  }
  std::vector<float> logits() const {
    std::vector<float> out;
    for (size_t i = 0; i < set.size; ++i) out.push_back(set.data[i].logit);
    return out;
  }
  std::vector<float> ps() const {
    std::vector<float> out;
    for (size_t i = 0; i < set.size; ++i) out.push_back(set.data[i].p);
    return out;
  }
  // Ids of the candidates above -inf, in the order of the set.
  std::vector<int32_t> alive() const {
    std::vector<int32_t> out;
    for (size_t i = 0; i < set.size; ++i) {
      if (set.data[i].logit != plain::minus_infinity) out.push_back(set.data[i].id);
    }
    return out;
  }

  Candidates set;
  Work work;
  ErrorText error;

 private:
  std::vector<Candidate> data_;
  std::vector<Candidate> scratch_;
};

// A fresh set of a row: token i at index i.
inline plain::Set fresh(const std::vector<float>& logits) {
  plain::Set s;
  s.n_vocab = logits.size();
  for (size_t i = 0; i < logits.size(); ++i) s.tokens.push_back({static_cast<int32_t>(i), logits[i], 0.0f});
  return s;
}

// The row that the worked examples use.
inline std::vector<float> row_x() { return {3.0f, 2.5f, 2.0f, 1.0f, 0.5f, 0.0f, -1.0f, -2.0f}; }

inline bool same_bits(float a, float b) {
  return std::bit_cast<uint32_t>(a) == std::bit_cast<uint32_t>(b) || (std::isnan(a) && std::isnan(b));
}

inline testing::AssertionResult same_set(const Candidates& ours, const plain::Set& expected) {
  if (ours.size != expected.tokens.size()) {
    return testing::AssertionFailure() << "size " << ours.size << ", expected " << expected.tokens.size();
  }
  if (ours.sorted != expected.sorted) return testing::AssertionFailure() << "sorted is " << ours.sorted;
  for (size_t i = 0; i < ours.size; ++i) {
    const Candidate& a = ours.data[i];
    const plain::Token& b = expected.tokens[i];
    if (a.id == b.id && same_bits(a.logit, b.logit) && same_bits(a.p, b.p)) continue;
    return testing::AssertionFailure() << "at " << i << " of " << ours.size << ": (" << a.id << ", " << a.logit << ", " << a.p
                                       << "), expected (" << b.id << ", " << b.logit << ", " << b.p << ")";
  }
  const long selected = ours.selected == Candidates::no_selection ? -1 : static_cast<long>(ours.selected);
  if (selected != expected.selected)
    return testing::AssertionFailure() << "selected " << selected << ", expected " << expected.selected;
  return testing::AssertionSuccess();
}

// Random sets: sizes around every limit of the algorithms, ties, -inf, wide and narrow rows, fresh or a subset with any ids, sorted
// or not.
class RandomSets {
 public:
  explicit RandomSets(uint64_t seed) : rng_(seed) {}

  uint64_t below(uint64_t n) { return rng_() % n; }
  float unit() { return static_cast<float>(rng_() >> 40) * 0x1p-24f; }

  // At least one logit is finite if there is a candidate at all.
  plain::Set next() {
    static constexpr size_t edges[] = {0, 1, 2, 3, 15, 16, 17, 18, 127, 128, 129, 130, 1023, 1024, 1025, 1026};
    size_t n = 0;
    switch (below(8)) {
      case 0:
        n = edges[below(std::size(edges))];
        break;
      case 1:
        n = 1026 + below(3000);
        break;
      case 2:
      case 3:
        n = 100 + below(400);
        break;
      default:
        n = 2 + below(60);
        break;
    }
    return next(n);
  }

  plain::Set next(size_t n) {
    plain::Set s;
    const bool subset = below(3) == 0;
    s.n_vocab = subset ? n + 1 + below(2 * n + 8) : std::max<size_t>(n, 1);
    std::vector<int32_t> ids(s.n_vocab);
    std::iota(ids.begin(), ids.end(), 0);
    if (subset) std::shuffle(ids.begin(), ids.end(), rng_);
    const uint64_t kind = below(8);
    for (size_t i = 0; i < n; ++i) s.tokens.push_back({ids[i], logit(kind), 0.0f});
    const bool any =
        std::any_of(s.tokens.begin(), s.tokens.end(), [](const plain::Token& t) { return t.logit > plain::minus_infinity; });
    if (n > 0 && !any) s.tokens[below(n)].logit = 1.0f;
    if (below(4) == 0) {
      std::stable_sort(s.tokens.begin(), s.tokens.end(), plain::by_logit);
      s.sorted = true;
    }
    return s;
  }

  // History over few tokens, so that they repeat; most of them are in the set's vocabulary.
  std::vector<int32_t> history(size_t n, size_t n_vocab) {
    const uint64_t alphabet = 1 + below(std::min<uint64_t>(n_vocab, 12));
    std::vector<int32_t> out;
    while (out.size() < n) {
      if (out.size() > 4 && below(4) == 0) {  // repeat a piece of what there is
        const size_t from = below(out.size() - 1);
        const size_t to = std::min<size_t>(out.size(), from + 1 + below(8));
        for (size_t i = from; i < to; ++i) out.push_back(out[i]);
      } else {
        out.push_back(static_cast<int32_t>(below(alphabet) * n_vocab / alphabet));
      }
    }
    out.resize(n);
    return out;
  }

  std::mt19937_64& rng() { return rng_; }

 private:
  float logit(uint64_t kind) {
    const float gauss = (unit() + unit() + unit() + unit() - 2.0f) * 4.0f;
    switch (kind) {
      case 0:
        return std::floor(gauss * 4.0f) * 0.25f;  // ties
      case 1:
        return 1.0f;  // all equal
      case 2:
        return below(3) == 0 ? plain::minus_infinity : gauss;  // masked
      case 3:
        return gauss * 100.0f;  // wide: p underflow
      case 4:
        return std::floor(gauss) - 20.0f;  // below the buckets
      case 5:
        return below(40) == 0 ? gauss + 8.0f : gauss * 0.5f;  // peaked
      case 6:
        return gauss * 0.01f;  // flat
      default:
        return gauss;
    }
  }

  std::mt19937_64 rng_;
};

// Number of random cases of a test; BANKML_TEST_LONG=1 multiplies it by 50.
inline int cases(int n) {
  const char* longer = std::getenv("BANKML_TEST_LONG");
  return longer != nullptr && longer[0] == '1' ? 50 * n : n;
}

}  // namespace bankml::test
