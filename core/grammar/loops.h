// Parts of a configuration that lead to themselves: the inside of a string or comment, an identifier, digits. Found by trying: an
// item whose single step leads to a set that holds the item again and that the configuration holds too is the seed of a loop; the
// code points on which the set leads to itself are the loop's.
//
// Tested by tests/grammar/loops.cpp
#pragma once

#include <unordered_map>
#include <vector>

#include "core/grammar/machine.h"
#include "core/vocab/char_region.h"

namespace bankml::grammar {

struct Loop {
  Config config;                // part of what was split
  std::vector<CharSpan> spans;  // every step on these leads to `config` again
  std::vector<CharSpan> ends;   // steps on these lead elsewhere; on all others nowhere
};

// The union of the loops and `rest` allows what the configuration allows.
struct Split {
  std::vector<Loop> loops;
  Config rest;  // dead if the loops are all of it
};

class Loops {
 public:
  explicit Loops(Machine& machine) : machine_(machine) {}

  const Split& of(Config config);
  size_t bytes() const noexcept { return known_.size() * (sizeof(Split) + 32) + loops_found_ * sizeof(Loop) + no_seed_.size() / 8; }

 private:
  Split find(Config config);
  Loop loop_of(Config config);

  Machine& machine_;
  std::unordered_map<Config, Split> known_;
  size_t loops_found_ = 0;
  std::vector<bool> no_seed_;  // of each state: it was tried, and its step did not hold it
};

}  // namespace bankml::grammar
