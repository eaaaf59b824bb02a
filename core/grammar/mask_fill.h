// One mask: which tokens a configuration allows, at the border of a character. A walk over the trie of pieces, one step of the
// machine for each node, leaving out every subtree that a dead step begins.
//
// Where the configuration loops on a set of code points that many pieces are made of, the vocabulary's region for that set gives
// those tokens as words, and only the ends of the others are walked; met further down, it tells which subtrees need no walk. Token
// elements are met by number: a piece that reaches one with code points left is allowed if its token fits, whatever those are (the
// reference's rule). Tested by tests/grammar/masks.cpp
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "core/grammar/machine.h"
#include "core/vocab/char_tables.h"
#include "core/vocab/vocab.h"

namespace bankml::grammar {

class MaskFill {
 public:
  MaskFill(Machine& machine, const Vocab& vocab) : machine_(machine), vocab_(vocab), tables_(vocab.char_tables()) {}

  // Sets the bits of `words` (tables().words() of them, all zero before). False = the mask depends on the part of a shortened stack
  // that was cut off; `words` is of no use then.
  bool run(Config config, std::vector<uint32_t>& words);

 private:
  bool walk(const CharTrie& trie, Config config);
  bool end_here(const CharTrie& trie, uint32_t node, Config config);
  void allow_named(const CharTrie& trie, uint32_t node, Config config);
  const Region* region_of(Config config);
  std::vector<CharSpan> loop_of(Config config);
  void allow(int32_t token) noexcept { words_[static_cast<size_t>(token) / 32] |= 1u << (token % 32); }

  Machine& machine_;
  const Vocab& vocab_;
  const CharTables& tables_;
  uint32_t* words_ = nullptr;
  struct Open {
    uint32_t end;
    Config config;
    const Region* region;  // of the configuration, where the subtree is large
  };
  std::vector<Open> open_;
  std::unordered_map<Config, std::shared_ptr<const Region>> regions_;  // null = none is worth it
};

// The same question for one token and any place, without a mask: the plain way.
bool allows(Machine& machine, const Vocab& vocab, Config config, Unfinished inside, int32_t token);

}  // namespace bankml::grammar
