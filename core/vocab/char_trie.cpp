// Built like the byte trie: one pass over the sorted texts, each closing the nodes that it does not share with the one before it.
// Tested by tests/vocab/char_trie.cpp
#include "core/vocab/char_trie.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "core/vocab/vocab.h"

namespace bankml {

CharTrie::CharTrie(std::vector<Text> texts, std::span<const uint32_t> chars) {
  const auto of = [&chars](const Text& text) { return chars.subspan(text.begin, text.length); };
  // By text, then group, then token: no two elements are equal, so any sorting algorithm gives this order.
  std::sort(texts.begin(), texts.end(), [&](const Text& a, const Text& b) {
    const auto x = of(a), y = of(b);
    const auto [i, k] = std::mismatch(x.begin(), x.end(), y.begin(), y.end());
    if (i != x.end() && k != y.end()) return *i < *k;
    if (x.size() != y.size()) return x.size() < y.size();
    return a.group != b.group ? a.group < b.group : a.token < b.token;
  });
  std::vector<uint32_t> open;
  const auto node = [&](uint32_t code_point) {
    open.push_back(static_cast<uint32_t>(nodes_.size()));
    nodes_.push_back({code_point, 0, static_cast<uint32_t>(tokens_.size())});
  };
  const auto close_down_to = [&](size_t depth) {
    for (; open.size() > depth; open.pop_back()) nodes_[open.back()].end = static_cast<uint32_t>(nodes_.size());
  };
  node(0);
  std::span<const uint32_t> before;
  for (const Text& text : texts) {
    const auto here = of(text);
    const auto [i, k] = std::mismatch(before.begin(), before.end(), here.begin(), here.end());
    close_down_to(1 + static_cast<size_t>(i - before.begin()));
    for (auto c = k; c != here.end(); ++c) node(*c);
    if (text.rest.need == 0) {
      tokens_.push_back(text.token);
    } else {
      nodes_[open.back()].first |= tails_bit;
      tails_.push_back({open.back(), text.rest, text.token});
    }
    before = here;
  }
  close_down_to(0);
  nodes_.push_back({0, 0, static_cast<uint32_t>(tokens_.size())});
  nodes_.shrink_to_fit();
}

CharTrie CharTrie::of_pieces(const Vocab& vocab) {
  std::vector<Text> texts;
  std::vector<uint32_t> chars, piece;
  Unfinished rest;
  texts.reserve(vocab.size());
  for (int32_t token = 0; token < static_cast<int32_t>(vocab.size()); ++token) {
    const std::string_view bytes = vocab.piece(token);
    if (vocab.is_eog(token) || bytes.empty() || bytes[0] == '\0' || !decode_piece(bytes, {}, piece, rest)) continue;
    const auto length = static_cast<uint32_t>(std::find(piece.begin(), piece.end(), 0u) - piece.begin());
    texts.push_back({static_cast<uint32_t>(chars.size()), length, rest, token, 0});
    chars.insert(chars.end(), piece.begin(), piece.begin() + length);
  }
  return CharTrie(std::move(texts), chars);
}

std::span<const CharTrie::Tail> CharTrie::tails(uint32_t begin_node, uint32_t end_node) const noexcept {
  const auto before = [](const Tail& tail, uint32_t node) { return tail.node < node; };
  const auto begin = std::lower_bound(tails_.begin(), tails_.end(), begin_node, before);
  const auto end = std::lower_bound(begin, tails_.end(), end_node, before);
  return {begin, end};
}

size_t CharTrie::bytes() const noexcept {
  return sizeof *this + nodes_.capacity() * sizeof(Node) + tokens_.capacity() * sizeof(int32_t) + tails_.capacity() * sizeof(Tail);
}

}  // namespace bankml
