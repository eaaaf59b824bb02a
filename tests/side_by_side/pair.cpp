// See the header. Tested by itself: a difference is what the programs beside it report.
#include "tests/side_by_side/pair.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <cstdio>
#include <stdexcept>

namespace bankml::side_by_side {
namespace {

using Clock = std::chrono::steady_clock;

double microseconds_since(Clock::time_point start) {
  return std::chrono::duration<double, std::micro>(Clock::now() - start).count();
}

void check(bankml_status status, const reference::SamplerHandle& sampler) {
  if (status != BANKML_OK) throw std::runtime_error(std::string("bankml: ") + bankml_sampler_error(sampler.get()));
}

std::string shown(int32_t id, float logit, float p) {
  char text[96];
  std::snprintf(text, sizeof text, "(%d, %.9g, %.9g)", id, static_cast<double>(logit), static_cast<double>(p));
  return text;
}

}  // namespace

Sums& Sums::operator+=(const Sums& other) {
  draws += other.draws;
  equal += other.equal;
  survivors += other.survivors;
  ours_us.insert(ours_us.end(), other.ours_us.begin(), other.ours_us.end());
  peer_us.insert(peer_us.end(), other.peer_us.begin(), other.peer_us.end());
  return *this;
}

double median(std::vector<double> values) {
  if (values.empty()) return 0.0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

Pair::Pair(reference::LlamaLibraryPtr library, const reference::ChainSetup& setup, const bankml_vocab* vocab, size_t n_vocab,
           const reference::LlamaModel* model)
    : n_vocab_(n_vocab),
      timed_(reference::make_sampler(setup, vocab, n_vocab)),
      kept_(reference::make_sampler(setup, vocab, n_vocab)),
      peer_(std::move(library), setup, static_cast<int32_t>(n_vocab), model),
      candidates_(n_vocab) {
  check(bankml_sampler_keep(kept_.get(), 1), kept_);
}

void Pair::accept(const std::vector<int32_t>& tokens) {
  check(bankml_sampler_accept_many(timed_.get(), tokens.data(), tokens.size()), timed_);
  check(bankml_sampler_accept_many(kept_.get(), tokens.data(), tokens.size()), kept_);
  peer_.accept(tokens);
}

int32_t Pair::draw_ours(const float* logits) {
  int32_t token = -1;
  const auto start = Clock::now();
  const bankml_status status = bankml_sampler_sample(timed_.get(), logits, n_vocab_, &token);
  if (status == BANKML_OK) check(bankml_sampler_accept(timed_.get(), token), timed_);
  sums_.ours_us.push_back(microseconds_since(start));
  check(status, timed_);
  return token;
}

int32_t Pair::draw_peer(const float* logits) {
  const auto start = Clock::now();
  const int32_t token = peer_.sample(logits, n_vocab_);
  peer_.accept(token);
  sums_.peer_us.push_back(microseconds_since(start));
  return token;
}

bool Pair::draw(const float* logits, int32_t& token) {
  int32_t peer = -1, kept = -1;
  if (sums_.draws % 2 == 0) {
    token = draw_ours(logits);
    peer = draw_peer(logits);
  } else {
    peer = draw_peer(logits);
    token = draw_ours(logits);
  }
  ++sums_.draws;
  check(bankml_sampler_sample(kept_.get(), logits, n_vocab_, &kept), kept_);
  if (!same_candidates()) return false;
  check(bankml_sampler_accept(kept_.get(), kept), kept_);
  if (token != peer || kept != peer) {
    difference_ = "draw " + std::to_string(sums_.draws) + ": bankml drew " + std::to_string(token) +
                  " (with candidates kept: " + std::to_string(kept) + "), llama.cpp " + std::to_string(peer);
    return false;
  }
  ++sums_.equal;
  return true;
}

bool Pair::same_candidates() {
  size_t n = 0;
  check(bankml_sampler_candidates(kept_.get(), candidates_.data(), candidates_.size(), &n), kept_);
  sums_.survivors += n;
  const reference::PeerArray& peer = peer_.candidates();
  const std::string where = "draw " + std::to_string(sums_.draws) + ": ";
  if (n != peer.size) {
    difference_ = where + std::to_string(n) + " candidates survive bankml's chain, " + std::to_string(peer.size) + " llama.cpp's";
    return false;
  }
  for (size_t i = 0; i < n; ++i) {
    const bankml_candidate& a = candidates_[i];
    const reference::PeerCandidate& b = peer.data[i];
    if (a.id == b.id && std::bit_cast<uint32_t>(a.logit) == std::bit_cast<uint32_t>(b.logit) &&
        std::bit_cast<uint32_t>(a.p) == std::bit_cast<uint32_t>(b.p))
      continue;
    difference_ = where + "candidate " + std::to_string(i) + " is " + shown(a.id, a.logit, a.p) + ", llama.cpp's " +
                  shown(b.id, b.logit, b.p);
    return false;
  }
  return true;
}

}  // namespace bankml::side_by_side
