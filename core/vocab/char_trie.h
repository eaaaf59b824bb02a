// Trie over texts as code points, flat and in preorder: what a grammar's masks walk. One for all pieces of a vocabulary, smaller
// ones over the ends of pieces (char_region.h).
//
// Node 0 is the root; the children of node i are i + 1 and then the end() of each child, up to end(i), by ascending code point. A
// piece whose last character is unfinished stands at the node of its last whole one, as a `Tail`, apart from the tokens that end
// there. 12 bytes a node, 4 a token, 16 a tail. Nodes with many children (the root has thousands) have a list of them besides, so
// that all children of one class of code points are passed at once. Tested by tests/vocab/char_trie.cpp
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/vocab/piece_chars.h"

namespace bankml {

class Vocab;

class CharTrie {
 public:
  struct Text {
    uint32_t begin;  // of its code points in the list given beside
    uint32_t length;
    Unfinished rest;
    int32_t token;
  };
  struct Tail {
    uint32_t node;
    Unfinished rest;
    int32_t token;
  };

  CharTrie(std::vector<Text> texts, std::span<const uint32_t> chars);

  // The subtrees of `source` that begin at `nodes`, put side by side below a new root and merged.
  static CharTrie merged(const CharTrie& source, const std::vector<uint32_t>& nodes);

  // All pieces that a grammar can allow by their text. llama: not those of end tokens, empty ones, those that begin with NUL, nor
  // invalid ones; a code point 0 ends a piece. strict: not those of end, control and unused tokens, empty or damaged ones.
  static CharTrie of_pieces(const Vocab& vocab, Decoding decoding);

  uint32_t size() const noexcept { return static_cast<uint32_t>(nodes_.size()) - 1; }
  uint32_t code_point(uint32_t node) const noexcept { return nodes_[node].code_point; }
  uint32_t end(uint32_t node) const noexcept { return nodes_[node].end; }
  bool has_tails(uint32_t node) const noexcept { return (nodes_[node].first & tails_bit) != 0; }
  std::span<const int32_t> tokens(uint32_t node) const noexcept { return range(node, node + 1); }
  std::span<const int32_t> tokens_below(uint32_t node) const noexcept { return range(node, end(node)); }  // the node's own too
  std::span<const Tail> tails(uint32_t begin_node, uint32_t end_node) const noexcept;
  std::span<const Tail> tails() const noexcept { return tails_; }

  // The first child of `node` from its child `from` on whose code point is `least` or above; end(node) if there is none.
  uint32_t child_from(uint32_t node, uint32_t from, uint64_t least) const noexcept;

  size_t bytes() const noexcept;

 private:
  static constexpr uint32_t tails_bit = 0x80000000u;
  struct Node {
    uint32_t code_point;
    uint32_t end;
    uint32_t first;  // index in tokens_ of its first token; the top bit: it has tails
  };
  std::span<const int32_t> range(uint32_t from, uint32_t to) const noexcept {
    const uint32_t begin = nodes_[from].first & ~tails_bit;
    return {tokens_.data() + begin, (nodes_[to].first & ~tails_bit) - begin};
  }

  struct Fan {  // the children of one node: children_[begin, next fan's begin)
    uint32_t node, begin;
  };
  CharTrie() = default;
  void take_subtree(const CharTrie& source, uint32_t node);
  void merge(const CharTrie& source, std::vector<uint32_t>& nodes);
  void finish();

  std::vector<Node> nodes_;  // one more at the end
  std::vector<int32_t> tokens_;
  std::vector<Tail> tails_;  // by node
  std::vector<Fan> fans_;    // by node
  std::vector<uint32_t> children_;
};

}  // namespace bankml
