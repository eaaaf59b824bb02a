// One random case: a sampler's setup, a history, and a plan of draws. Made from (seed, index) alone.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/differential/dice.h"
#include "tests/reference/chain_setup.h"

namespace bankml::differential {

enum class Draw {
  plain,
  masked,      // under a random mask; forbidden logits may be NaN or infinite, which must not matter
  redraw,      // a plain draw that is thrown away, then a masked one: what happens when a grammar refuses the first token
  candidates,  // a subset of the row, in random order
};

enum class Event { none, clone, reset };

// Changes to a recipe's row that provoke rare branches.
struct RowTwist {
  enum Kind { none, some_banned, plateau, scaled, signed_zeros, one_left, subnormal } kind = none;
  double amount = 0;
  uint64_t seed = 0;
};

struct Step {
  Draw draw = Draw::plain;
  Event event = Event::none;
  bool accept_other = false;  // a token that was not drawn enters the history
  bool post_probs = false;
  int32_t n_top = -1;  // >= 0: token_probs of the row as well
};

struct LiveCase {
  reference::ChainSetup setup;
  size_t n_vocab = 1;
  int vocab = -1;  // index of a test vocabulary, -1 = none
  std::string recipe;
  uint64_t logits_seed = 0;
  bool same_row = false;  // one row for all steps
  RowTwist twist;
  std::vector<int32_t> prompt;
  std::vector<Step> steps;
  uint64_t step_seed = 0;  // masks, subsets, other tokens

  // Draws all rows by one recipe, and leaves them as it makes them.
  void use_recipe(const std::string& name) {
    recipe = name;
    twist.kind = RowTwist::none;
  }
};

// Sizes of the test vocabularies, in the order of LiveCase::vocab, and pieces to make string breakers of.
struct VocabFacts {
  size_t size = 0;
  std::vector<std::string> pieces;
};

LiveCase make_case(uint64_t seed, uint64_t index, const std::vector<VocabFacts>& vocabs);

// The logits of a step.
void fill_row(const LiveCase& live, size_t step, std::vector<float>& logits);

std::string describe(const LiveCase& live);

}  // namespace bankml::differential
