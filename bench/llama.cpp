// llama.cpp's own library. Raw probabilities are no call of it: the server computes them itself, so here they are computed the same
// way with the standard library, whose algorithms and functions are the server's.
#include <algorithm>
#include <bit>
#include <cmath>

#include "bench/rival.h"

namespace bankml::bench {
namespace {

class LlamaDraw : public Rival {
 public:
  LlamaDraw(const reference::LlamaLibraryPtr& library, const Row& row, size_t n_vocab, const std::vector<int32_t>& history)
      : chain_(library, row.setup, static_cast<int32_t>(n_vocab)) {
    chain_.accept(history);
  }
  int64_t run(const float* logits, size_t n) override { return chain_.sample(logits, n); }

 private:
  reference::LlamaChain chain_;
};

class ServerProbabilities : public Rival {
 public:
  explicit ServerProbabilities(size_t n_top) : n_top_(n_top) {}

  int64_t run(const float* logits, size_t n) override {
    set_.resize(n);
    for (size_t i = 0; i < n; ++i) set_[i] = {static_cast<int32_t>(i), logits[i], 0.0f};
    const auto top = set_.begin() + static_cast<std::ptrdiff_t>(std::min(n_top_, n));
    std::partial_sort(set_.begin(), top, set_.end(), [](const Entry& a, const Entry& b) { return a.logit > b.logit; });
    const float maximum = set_.front().logit;
    float sum = 0.0f;
    for (Entry& entry : set_) sum += entry.p = std::exp(entry.logit - maximum);
    for (Entry& entry : set_) entry.p /= sum;
    const auto named = std::find_if(set_.begin(), set_.end(), [](const Entry& entry) { return entry.id == 0; });
    int64_t seen = std::bit_cast<int32_t>(named->p);
    for (auto entry = set_.begin(); entry != top; ++entry) seen = fold(seen, entry->id, std::bit_cast<uint32_t>(entry->p));
    return seen;
  }

 private:
  struct Entry {
    int32_t id;
    float logit;
    float p;
  };
  size_t n_top_;
  std::vector<Entry> set_;
};

}  // namespace

std::unique_ptr<Rival> make_llama(const reference::LlamaLibraryPtr& library, const Row& row, size_t n_vocab,
                                  const std::vector<int32_t>& history) {
  if (row.n_top > 0) return std::make_unique<ServerProbabilities>(row.n_top);
  return std::make_unique<LlamaDraw>(library, row, n_vocab, history);
}

}  // namespace bankml::bench
