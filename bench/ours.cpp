// bankml, through the public C ABI.
#include <bit>
#include <stdexcept>

#include "bench/rival.h"

namespace bankml::bench {
namespace {

class Ours : public Rival {
 public:
  Ours(const Row& row, size_t n_vocab, const std::vector<int32_t>& history)
      : n_top_(row.n_top), top_(row.n_top), sampler_(reference::make_sampler(row.setup, nullptr, n_vocab)) {
    check(bankml_sampler_accept_many(sampler_.get(), history.data(), history.size()));
  }

  int64_t run(const float* logits, size_t n) override {
    if (n_top_ > 0) return probabilities(logits, n);
    int32_t token = -1;
    check(bankml_sampler_sample(sampler_.get(), logits, n, &token));
    return token;
  }

 private:
  int64_t probabilities(const float* logits, size_t n) {
    size_t count = 0;
    float p = 0;
    check(bankml_sampler_token_probs(sampler_.get(), logits, n, 0, n_top_, top_.data(), top_.size(), &count, &p));
    int64_t seen = std::bit_cast<int32_t>(p);
    for (size_t i = 0; i < count; ++i) seen = fold(seen, top_[i].id, std::bit_cast<uint32_t>(top_[i].p));
    return seen;
  }
  void check(bankml_status status) const {
    if (status != BANKML_OK) throw std::runtime_error(bankml_sampler_error(sampler_.get()));
  }

  size_t n_top_;
  std::vector<bankml_token_prob> top_;
  reference::SamplerHandle sampler_;
};

}  // namespace

std::unique_ptr<Rival> make_ours(const Row& row, size_t n_vocab, const std::vector<int32_t>& history) {
  return std::make_unique<Ours>(row, n_vocab, history);
}

}  // namespace bankml::bench
