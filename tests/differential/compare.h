// Running one live case on both sides.
#pragma once

#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/differential/live_case.h"
#include "tests/reference/llama_peer.h"

namespace bankml::differential {

struct Difference : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// A test vocabulary on both sides.
struct SharedVocab {
  std::unique_ptr<reference::LlamaModel> theirs;
  reference::VocabHandle ours;
};

struct World {
  reference::LlamaLibraryPtr library;
  std::vector<SharedVocab> vocabs;
  std::vector<VocabFacts> facts;
};

// What was compared, for the summary.
struct Tally {
  uint64_t draws = 0;
  uint64_t refusals = 0;   // rows that only we answer: an error status was expected and given
  uint64_t overflows = 0;  // a scaling overflowed on the reference's side; ours acts as T = 0
  uint64_t undecided = 0;  // a lone banned candidate, NaN weights or misordered huge logits: ours may refuse
  uint64_t masked = 0;
  uint64_t subsets = 0;
  uint64_t prob_rows = 0;
  uint64_t clones = 0;
  uint64_t resets = 0;
  std::map<std::string, uint64_t> plans;  // opening -> cases
  Tally& operator+=(const Tally& other);
};

// Throws Difference.
void run_case(const World& world, const LiveCase& live, Tally& tally);

// token_probs of a row against a plain computation with the standard library (partial_sort, expf, float sums).
void compare_token_probs(bankml_sampler* sampler, const std::vector<float>& logits, size_t n_top, int32_t sampled);

// post_probs against std::sort over the candidates. llama-server does not sort a set whose flag says "sorted".
void compare_post_probs(bankml_sampler* sampler, const std::vector<bankml_candidate>& candidates, bool sorted, size_t n_top);

}  // namespace bankml::differential
