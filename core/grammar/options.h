// What a host may choose about a grammar. Tested by tests/grammar/grammar.cpp and tests/grammar/lazy.cpp
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "core/grammar/triggers.h"
#include "core/vocab/piece_chars.h"

namespace bankml::grammar {

struct Options {
  std::string root = "root";
  size_t max_states = 1000000;                              // elements of the rules once repetitions are written out
  size_t max_bytes = size_t{64} << 20;                      // of states that were met; masks come on top (space.h)
  uint32_t plain_nodes = 256;                               // subtrees that masks simply walk (mask_fill.h); tests lower it
  uint32_t settled_level = 24;                              // of long repetitions (program.h); tests lower it
  std::map<std::string, int32_t, std::less<>> token_texts;  // tokens of `<text>` references, brackets included
  Decoding decoding = Decoding::llama;                      // the byte layer: llama.cpp's, or strict
  bool lazy = false;                                        // wait for a trigger
  std::vector<Trigger> triggers;                            // ignored unless lazy
};

}  // namespace bankml::grammar
