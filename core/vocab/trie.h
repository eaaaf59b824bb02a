// Byte trie over the pieces of a vocabulary, flat and in preorder: walking it visits memory forwards, and leaving a subtree out is
// one jump.
//
// Node 0 is the root. The children of node i are i + 1 (if end(i) > i + 1) and then the end() of each child, up to end(i). Tokens
// are kept in the order of their pieces' bytes, so those below any node are one range; equal pieces follow each other by id, empty
// pieces are the root's. 9 bytes a node and 4 a token. Tested by tests/vocab/trie_test.cpp
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace bankml {

class Vocab;

class Trie {
 public:
  static constexpr uint32_t none = 0xFFFFFFFFu;

  explicit Trie(const Vocab& vocab);

  size_t size() const noexcept { return byte_.size(); }  // nodes, the root included
  uint8_t byte(uint32_t node) const noexcept { return byte_[node]; }
  uint32_t end(uint32_t node) const noexcept { return end_[node]; }  // the first node behind the subtree

  // Tokens whose piece ends at the node; tokens whose piece starts with the node's path.
  std::span<const int32_t> tokens(uint32_t node) const noexcept { return range(first_[node], first_[node + 1]); }
  std::span<const int32_t> tokens_below(uint32_t node) const noexcept { return range(first_[node], first_[end_[node]]); }

  uint32_t child(uint32_t node, uint8_t byte) const noexcept;  // none if there is no such child
  uint32_t find(std::string_view path) const noexcept;         // none if no piece starts with it

  size_t bytes() const noexcept;

 private:
  std::span<const int32_t> range(uint32_t begin, uint32_t end) const noexcept { return {order_.data() + begin, end - begin}; }

  std::vector<uint8_t> byte_;
  std::vector<uint32_t> end_;
  std::vector<uint32_t> first_;  // of each node: index in order_ of its first token; one more at the end
  std::vector<int32_t> order_;
};

}  // namespace bankml
