// The same configuration twice, as bankml's sampler and as llama.cpp's own chain, fed with the same tokens and the same logits.
//
// draw() lets both draw, compares the tokens and every surviving candidate (id, logit bits, p bits, order), and accepts the token
// on both sides. Times are those of draw and accept together; bankml's are taken from a twin sampler that keeps no candidates,
// since keeping is this test's wish, and who goes first changes with every draw, since the second finds the logits in the cache.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "tests/reference/chain_setup.h"
#include "tests/reference/llama_peer.h"

namespace bankml::side_by_side {

struct Sums {
  size_t draws = 0;
  size_t equal = 0;
  size_t survivors = 0;
  std::vector<double> ours_us, peer_us;  // of each draw

  Sums& operator+=(const Sums& other);
  double mean_survivors() const noexcept { return draws == 0 ? 0.0 : static_cast<double>(survivors) / static_cast<double>(draws); }
};

// Medians, since other programs on the machine stretch some draws and not others. 0 for no values.
double median(std::vector<double> values);

class Pair {
 public:
  // vocab and model (may be null): what string breakers, infill and suppressed tokens need, on either side.
  Pair(reference::LlamaLibraryPtr library, const reference::ChainSetup& setup, const bankml_vocab* vocab, size_t n_vocab,
       const reference::LlamaModel* model);

  void accept(const std::vector<int32_t>& tokens);  // the prompt's
  // False at a difference, which difference() then describes; the pair is of no use after that.
  bool draw(const float* logits, int32_t& token);

  const Sums& sums() const noexcept { return sums_; }
  const std::string& difference() const noexcept { return difference_; }
  const bankml_sampler* ours() const noexcept { return timed_.get(); }

 private:
  int32_t draw_ours(const float* logits);
  int32_t draw_peer(const float* logits);
  bool same_candidates();

  size_t n_vocab_;
  reference::SamplerHandle timed_, kept_;
  reference::LlamaChain peer_;
  std::vector<bankml_candidate> candidates_;
  Sums sums_;
  std::string difference_;
};

}  // namespace bankml::side_by_side
