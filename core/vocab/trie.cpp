// Built in one pass over the sorted pieces: a piece shares its first bytes with the one before it, closes that one's other nodes
// and opens its own. Nodes come out in preorder by themselves. Tested by tests/vocab/trie_test.cpp
#include "core/vocab/trie.h"

#include <algorithm>

#include "core/vocab/vocab.h"

namespace bankml {

Trie::Trie(const Vocab& vocab) {
  order_.resize(vocab.size());
  for (size_t i = 0; i < order_.size(); ++i) order_[i] = static_cast<int32_t>(i);
  // Bytes, then id: no two elements are equal, so any sorting algorithm gives this order.
  std::sort(order_.begin(), order_.end(), [&vocab](int32_t a, int32_t b) {
    const int order = vocab.piece(a).compare(vocab.piece(b));
    return order < 0 || (order == 0 && a < b);
  });

  // Counts the nodes first, so that the arrays are made in their final size.
  const auto shared = [](std::string_view a, std::string_view b) {
    const auto [end, other] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
    return static_cast<size_t>(end - a.begin());
  };
  size_t nodes = 1;
  std::string_view before;
  for (const int32_t token : order_) {
    nodes += vocab.piece(token).size() - shared(before, vocab.piece(token));
    before = vocab.piece(token);
  }
  byte_.reserve(nodes);
  end_.reserve(nodes);
  first_.reserve(nodes + 1);

  std::vector<uint32_t> open;  // nodes on the path of the piece before, the root first
  const auto node = [&](uint8_t byte, size_t token) {
    open.push_back(static_cast<uint32_t>(byte_.size()));
    byte_.push_back(byte);
    end_.push_back(0);
    first_.push_back(static_cast<uint32_t>(token));
  };
  const auto close_down_to = [&](size_t depth) {
    for (; open.size() > depth; open.pop_back()) end_[open.back()] = static_cast<uint32_t>(byte_.size());
  };
  node(0, 0);
  before = {};
  for (size_t i = 0; i < order_.size(); ++i) {
    const std::string_view piece = vocab.piece(order_[i]);
    const size_t common = shared(before, piece);
    close_down_to(1 + common);
    for (const char c : piece.substr(common)) node(static_cast<uint8_t>(c), i);
    before = piece;
  }
  close_down_to(0);
  first_.push_back(static_cast<uint32_t>(order_.size()));
}

uint32_t Trie::child(uint32_t node, uint8_t byte) const noexcept {
  for (uint32_t i = node + 1; i < end_[node]; i = end_[i]) {
    if (byte_[i] == byte) return i;
    if (byte_[i] > byte) break;
  }
  return none;
}

uint32_t Trie::find(std::string_view path) const noexcept {
  uint32_t node = 0;
  for (const char c : path) {
    node = child(node, static_cast<uint8_t>(c));
    if (node == none) break;
  }
  return node;
}

size_t Trie::bytes() const noexcept {
  return sizeof *this + byte_.capacity() + (end_.capacity() + first_.capacity()) * sizeof(uint32_t) +
         order_.capacity() * sizeof(int32_t);
}

}  // namespace bankml
