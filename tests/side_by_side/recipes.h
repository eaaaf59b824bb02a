// The parameter sets that the side-by-side programs go through: one for every step, from greedy to mirostat.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/reference/chain_setup.h"

namespace bankml::side_by_side {

struct Recipe {
  std::string name;
  reference::ChainSetup setup;
};

// Every step at least once. `ended`: end-of-generation tokens, which one recipe forbids.
std::vector<Recipe> every_step(const std::vector<int32_t>& ended);

// Default, greedy, mirostat and DRY. `breakers`: DRY's, as token sequences, for a model that llama.cpp does not know.
std::vector<Recipe> small_tour(const std::vector<std::vector<int32_t>>& breakers);

}  // namespace bankml::side_by_side
