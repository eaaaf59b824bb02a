// One mask: which tokens a configuration allows, at the border of a character. In principle a walk over the trie of pieces, one
// step of the machine for each node, leaving out every subtree that a dead step begins. What keeps it short:
//
//  * A configuration is a union of items, and what it allows is the union of what they allow. So it is split into *loops*, parts
//  that
//    lead to themselves on a set of code points (the inside of a string, an identifier), and the rest (the keyword that may stand
//    in the identifier's place). See loops.h.
//  * For a loop, the vocabulary's region gives the tokens that stay inside at once; only the ends of the others are walked. Where a
//    node has children that lead into one loop (all letters), one region serves them together.
//  * Children of one class are passed together: thousands of characters begin pieces.
//
// Token elements are met by number: a piece that reaches one with code points left is allowed if its token fits, whatever those are
// (the reference's rule). In the strict byte layer a token goes through a reference as a whole, at the place itself.
// Tested by tests/grammar/masks.cpp
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/grammar/loops.h"
#include "core/grammar/machine.h"
#include "core/vocab/char_tables.h"
#include "core/vocab/vocab.h"

namespace bankml::grammar {

class MaskFill {
 public:
  // Subtrees of up to `plain_nodes` nodes are walked without looking for anything better.
  MaskFill(Machine& machine, const Vocab& vocab, Decoding decoding, uint32_t plain_nodes)
      : machine_(machine),
        vocab_(vocab),
        tables_(vocab.char_tables(decoding)),
        strict_(decoding == Decoding::strict),
        plain_nodes_(plain_nodes),
        loops_(machine) {}

  // Sets the bits of `words` (tables().words() of them, all zero before). False = the mask depends on the part of a shortened stack
  // that was cut off; `words` is of no use then.
  bool run(Config config, std::vector<uint32_t>& words);
  size_t bytes() const noexcept { return loops_.bytes(); }

 private:
  struct Tree {
    const CharTrie& trie;
    uint64_t id;  // RegionPlace::trie
  };
  struct Children {
    uint32_t begin, end;
  };
  struct Group {  // children of one node that lead into one loop
    const Loop* loop;
    std::vector<CharSpan> first;
    std::vector<Children> children;
    size_t nodes;
  };

  bool end_here(const CharTrie& trie, uint32_t node, Config config);
  void allow_tails(std::span<const CharTrie::Tail> tails, Config config);
  void allow_named(const CharTrie& trie, uint32_t node, Config config);
  void allow_referenced(Config config);
  // All of these take nodes *below* which to go on, reached with `config`.
  bool below(const Tree& tree, uint32_t node, Config config);
  bool spread(const Tree& tree, uint32_t node, Config config);
  bool walk(const CharTrie& trie, Children nodes, Config config);
  // The children themselves are reached with `config`.
  bool reached(const Tree& tree, Children children, Config config);
  bool inside(const Region& region, Config config);
  std::shared_ptr<const Region> region(const Tree& tree, uint32_t node, std::vector<CharSpan> first, const Loop& loop);
  void join_group(std::vector<Group>& groups, const Loop& loop, CharSpan span, Children children);
  void allow(int32_t token) noexcept { words_[static_cast<size_t>(token) / 32] |= 1u << (token % 32); }

  Machine& machine_;
  const Vocab& vocab_;
  const CharTables& tables_;
  bool strict_;
  uint32_t plain_nodes_;
  Loops loops_;
  uint32_t* words_ = nullptr;
  struct Open {
    uint32_t end;
    Config config;
  };
  std::vector<Open> open_;
};

// The same question for one token and any place, without a mask: the plain way.
bool allows(Machine& machine, const Vocab& vocab, Decoding decoding, Config config, Unfinished inside, int32_t token);

// Strict: whether a text that stands inside a character, behind `config`, can go on.
inline bool can_go_on(const Machine& machine, Config config, Unfinished inside) noexcept {
  return config != Machine::dead && (inside.need == 0 || machine.may_be_one_of(config, completions(inside)));
}

}  // namespace bankml::grammar
