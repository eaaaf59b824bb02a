// Raw probabilities: see raw.h.
//
// Computes: partial_sort of the n_top best (always the heap, whatever n_top is), max = the first logit; p = expf(logit - max); a
// float sum over all n in the order in which the array is then left; p / sum. With n_top = 0 nothing is sorted and max is the
// maximum. Why no array: heap_select changes the part behind the heap only where an element beats the root; there the displaced
// root stays. The heap itself lives in the caller's list, with logits in place of p. A run over the row finds the best, hence max
// and the beginning of the sum, and notes the displaced roots, from which what stands at each place is summed. If they are too many
// to note, a second, equal run passes them again. Both skip blocks that hold no element above the root. Quirk kept: because the sum
// is a float sum in that order, the p of all tokens depend on n_top in their last bits. Source: llama-server's n_probs (OpenAI's
// logprobs).
//
// Tested by tests/probs/raw.cpp
#include "core/math/fp_env.h"

#include "core/probs/raw.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "core/order/heap.h"

namespace bankml {

namespace raw_probs_detail {

constexpr size_t block = 256;

struct LargerP {
  bool operator()(const TokenProb& a, const TokenProb& b) const noexcept { return a.p > b.p; }
};

// Makes a heap of the first k logits in `heap`.
inline void start_heap(const float* logits, size_t k, TokenProb* heap) noexcept {
  for (size_t i = 0; i < k; ++i) heap[i] = {static_cast<int32_t>(i), logits[i]};
  order::make_heap(heap, heap + k, LargerP{});
}

// Offers the elements [begin, begin + n) to the heap. Where one enters, displaced(i, logit of the root that made room) is called.
template <class Displaced>
void offer(const float* logits, size_t begin, size_t n, TokenProb* heap, size_t k, const simd::Kernels& kernels,
           Displaced displaced) noexcept {
  uint64_t hits[4];
  kernels.hits_above(logits + begin, n, heap[0].p, hits);
  for (size_t word = 0; word < 4; ++word) {
    for (uint64_t bits = hits[word]; bits != 0; bits &= bits - 1) {
      const size_t i = 64 * word + static_cast<size_t>(std::countr_zero(bits));
      const TokenProb entry{static_cast<int32_t>(begin + i), logits[begin + i]};
      if (!LargerP{}(entry, heap[0])) continue;  // the root has risen since the block was compared
      displaced(i, heap[0].p);
      order::adjust_heap(heap, 0, static_cast<std::ptrdiff_t>(k), entry, LargerP{});
    }
  }
}

// sort_heap of the list, which has one result if no two logits are equal: ranks find it sooner.
inline void sort_list(TokenProb* list, size_t k, const simd::Kernels& kernels) noexcept {
  constexpr size_t few = 128;
  if (k <= few && kernels.level != simd::Level::scalar) {
    float value[few];
    uint32_t rank[few];
    TokenProb placed[few];
    for (size_t i = 0; i < k; ++i) {
      value[i] = list[i].p;
      placed[i].id = -1;
    }
    kernels.rank(value, k, rank);
    for (size_t i = 0; i < k; ++i) placed[rank[i]] = list[i];
    if (std::all_of(placed, placed + k, [](const TokenProb& entry) { return entry.id >= 0; })) {
      std::copy_n(placed, k, list);
      return;
    }
  }
  order::sort_heap(list, list + k, LargerP{});
}

// The sum of expf(logit - maximum) over a list, in order; with `divide_by`, the list's logits become p instead.
inline float add_list(TokenProb* list, size_t k, float maximum, const simd::Kernels& kernels, const float* divide_by) noexcept {
  constexpr size_t stride = sizeof(TokenProb) / sizeof(float);
  float exps[block];
  float sum = 0.0f;
  for (size_t begin = 0; begin < k; begin += block / stride) {
    const size_t length = std::min(block / stride, k - begin);
    kernels.exp_shift(&list[begin].p, exps, stride, length, maximum);
    for (size_t i = 0; i < length; ++i) {
      if (divide_by == nullptr) {
        sum += exps[i * stride];
      } else {
        list[begin + i].p = exps[i * stride] / *divide_by;
      }
    }
  }
  return sum;
}

// What heap_select left behind the heap where that is not the row's own logit, in order of place.
class Displaced {
 public:
  void note(size_t place, float logit) noexcept {
    if (count_ < capacity) noted_[count_] = {place, logit};
    ++count_;
  }
  bool complete() const noexcept { return count_ <= capacity; }

  // Goes on from `sum` with places [first, n).
  float add(const float* logits, size_t first, size_t n, float maximum, const simd::Kernels& kernels, float sum) const noexcept {
    size_t pending = first;  // everything before it has been summed
    for (size_t i = 0; i < count_;) {
      const size_t begin = noted_[i].place, length = std::min(block, n - begin);
      float here[block];
      std::copy_n(logits + begin, length, here);
      for (; i < count_ && noted_[i].place < begin + length; ++i) here[noted_[i].place - begin] = noted_[i].logit;
      sum = kernels.exp_sum(logits + pending, begin - pending, maximum, sum);
      sum = kernels.exp_sum(here, length, maximum, sum);
      pending = begin + length;
    }
    return kernels.exp_sum(logits + pending, n - pending, maximum, sum);
  }

 private:
  struct Note {
    size_t place;
    float logit;
  };
  static constexpr size_t capacity = 512;
  size_t count_ = 0;
  Note noted_[capacity];
};

// The same by running the heap once more.
inline float add_again(const float* logits, size_t k, size_t n, TokenProb* heap, float maximum, const simd::Kernels& kernels,
                       float sum) noexcept {
  start_heap(logits, k, heap);
  size_t pending = k;
  for (size_t begin = k; begin < n; begin += block) {
    const size_t length = std::min(block, n - begin);
    float here[block];
    bool changed = false;
    offer(logits, begin, length, heap, k, kernels, [&](size_t i, float root) {
      if (!changed) std::copy_n(logits + begin, length, here);
      changed = true;
      here[i] = root;
    });
    if (!changed) continue;
    sum = kernels.exp_sum(logits + pending, begin - pending, maximum, sum);
    sum = kernels.exp_sum(here, length, maximum, sum);
    pending = begin + length;
  }
  return kernels.exp_sum(logits + pending, n - pending, maximum, sum);
}

inline Status explain(const RawRequest& request, ErrorText& error) noexcept {
  for (size_t i = 0; i < request.n; ++i) {
    const float x = request.logits[i];
    if (std::isnan(x) || (std::isinf(x) && x > 0.0f)) {
      return error.set(Status::nonfinite, "logits[%zu] is %s", i, std::isnan(x) ? "NaN" : "+inf");
    }
  }
  return error.set(Status::no_candidate, "all %zu logits are -inf", request.n);
}

}  // namespace raw_probs_detail

Status raw_probs(const RawRequest& request, const simd::Kernels& kernels, Work& work, TokenProb* top, float* named_p,
                 ErrorText& error) noexcept {
  using namespace raw_probs_detail;
  const float* logits = request.logits;
  const size_t n = request.n;
  const size_t k = std::min(request.n_top, n);
  if (n == 0) return error.set(Status::no_candidate, "the row is empty");

  float maximum;
  float sum;
  if (k == 0) {
    maximum = kernels.maximum(logits, n);
    sum = kernels.exp_sum(logits, n, maximum, 0.0f);
  } else {
    Displaced displaced;
    start_heap(logits, k, top);
    for (size_t begin = k; begin < n; begin += block) {
      offer(logits, begin, std::min(block, n - begin), top, k, kernels,
            [&](size_t i, float root) { displaced.note(begin + i, root); });
    }
    sort_list(top, k, kernels);
    maximum = top[0].p;
    sum = add_list(top, k, maximum, kernels, nullptr);
    if (k < n && displaced.complete()) {
      sum = displaced.add(logits, k, n, maximum, kernels, sum);
    } else if (k < n) {
      sum = add_again(logits, k, n, top, maximum, kernels, sum);
      sort_list(top, k, kernels);
    }
    add_list(top, k, maximum, kernels, &sum);
  }
  work.exps += n + 2 * k;
  if (!(sum > 0.0f)) return explain(request, error);
  if (request.named >= 0) {
    float e;
    kernels.exp_shift(logits + request.named, &e, 1, 1, maximum);
    *named_p = e / sum;
  }
  return Status::ok;
}

}  // namespace bankml
