// One comparison: equal answers first, then times.
//
// Each of a few rows of logits is drawn from many times in a row by one side, then by the other: logits lie in the cache, as they
// do when a model has just written them, for both sides alike. Times are of single calls, by the steady clock.
#pragma once

#include <string>

#include "bench/rival.h"

namespace bankml::bench {

struct Times {  // microseconds a call
  double median = 0, p90 = 0, minimum = 0;
};

struct Result {
  std::string row, recipe;
  size_t vocab = 0;
  Times ours, peer, scan;  // scan: the fastest vectorised maximum over the same logits
  double target = 0;       // 0 = none
  double ratio() const { return peer.median / ours.median; }
};

// Throws std::runtime_error, naming the row, if any answer differs. `seconds`: about how long each side is timed.
Result race(const reference::LlamaLibraryPtr& library, const Row& row, const std::string& recipe, size_t n_vocab, double seconds);

}  // namespace bankml::bench
