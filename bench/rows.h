// The rows of the speed table: what each one draws with, and the ratio to llama.cpp's time that it is to reach.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/reference/chain_setup.h"

namespace bankml::bench {

struct Row {
  std::string name;
  reference::ChainSetup setup;
  size_t history = 0;      // tokens accepted before the first draw
  size_t n_top = 0;        // > 0: not a draw but the raw probabilities of so many tokens
  bool same_draws = false; // a coin decides what a draw costs: both sides are timed on equally many, hence on the same tosses
  double target = 0;       // ratio with recipe `peaked`
  double target_real = 0;  // with gaussian logits, where it differs; 0 = as `peaked`
  double target_ties = 0;  // with ties, bf16 and f16; 0 = none stated
};

const std::vector<Row>& rows();

// The ratio that is asked for; 0 = none.
double target_of(const Row& row, const std::string& recipe);

// A history with repetitions, as a text has them: phrases that come back, over ids spread through the vocabulary.
std::vector<int32_t> history_of(size_t length, size_t n_vocab);

}  // namespace bankml::bench
