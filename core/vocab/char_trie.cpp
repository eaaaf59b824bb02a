// Built like the byte trie: one pass over the sorted texts, each closing the nodes that it does not share with the one before it.
// Tested by tests/vocab/char_trie.cpp
#include "core/vocab/char_trie.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "core/vocab/strict_chars.h"
#include "core/vocab/vocab.h"

namespace bankml {

CharTrie::CharTrie(std::vector<Text> texts, std::span<const uint32_t> chars) {
  const auto of = [&chars](const Text& text) { return chars.subspan(text.begin, text.length); };
  // By text, then token: no two elements are equal, so any sorting algorithm gives this order.
  std::sort(texts.begin(), texts.end(), [&](const Text& a, const Text& b) {
    const auto x = of(a), y = of(b);
    const auto [i, k] = std::mismatch(x.begin(), x.end(), y.begin(), y.end());
    if (i != x.end() && k != y.end()) return *i < *k;
    return x.size() != y.size() ? x.size() < y.size() : a.token < b.token;
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
  finish();
}

// The end mark, and the lists of children where there are many.
void CharTrie::finish() {
  constexpr uint32_t many = 48;
  const auto count = static_cast<uint32_t>(nodes_.size());
  nodes_.push_back({0, 0, static_cast<uint32_t>(tokens_.size())});
  nodes_.shrink_to_fit();
  for (uint32_t node = 0; node < count; ++node) {
    if (nodes_[node].end - node <= many) continue;
    const auto begin = static_cast<uint32_t>(children_.size());
    for (uint32_t child = node + 1; child < nodes_[node].end; child = nodes_[child].end) children_.push_back(child);
    if (children_.size() - begin > many) {
      fans_.push_back({node, begin});
    } else {
      children_.resize(begin);
    }
  }
  fans_.push_back({count, static_cast<uint32_t>(children_.size())});
  children_.shrink_to_fit();
}

uint32_t CharTrie::child_from(uint32_t node, uint32_t from, uint64_t least) const noexcept {
  const uint32_t behind = end(node);
  for (int tries = 0; tries < 8; ++tries, from = nodes_[from].end) {
    if (from == behind || nodes_[from].code_point >= least) return from;
  }
  const auto fan = std::lower_bound(fans_.begin(), fans_.end(), node, [](const Fan& f, uint32_t n) { return f.node < n; });
  if (fan->node == node) {
    const auto first = children_.begin() + fan->begin, last = children_.begin() + fan[1].begin;
    const auto at = std::lower_bound(std::lower_bound(first, last, from), last, least,
                                     [this](uint32_t child, uint64_t c) { return nodes_[child].code_point < c; });
    return at == last ? behind : *at;
  }
  while (from != behind && nodes_[from].code_point < least) from = nodes_[from].end;
  return from;
}

void CharTrie::take_subtree(const CharTrie& source, uint32_t node) {
  const uint32_t end = source.end(node), shift = static_cast<uint32_t>(nodes_.size()) - node;
  const uint32_t tokens = static_cast<uint32_t>(tokens_.size()) - (source.nodes_[node].first & ~tails_bit);
  for (uint32_t i = node; i < end; ++i) {
    const Node& from = source.nodes_[i];
    nodes_.push_back({from.code_point, from.end + shift, ((from.first & ~tails_bit) + tokens) | (from.first & tails_bit)});
  }
  const std::span<const int32_t> below = source.tokens_below(node);
  tokens_.insert(tokens_.end(), below.begin(), below.end());
  for (const Tail& tail : source.tails(node, end)) tails_.push_back({tail.node + shift, tail.rest, tail.token});
}

// Nodes of equal place, by code point: those of one code point become one node. `nodes` is used up. As deep as the longest piece.
void CharTrie::merge(const CharTrie& source, std::vector<uint32_t>& nodes) {
  std::stable_sort(nodes.begin(), nodes.end(), [&](uint32_t a, uint32_t b) { return source.code_point(a) < source.code_point(b); });
  std::vector<uint32_t> below;
  for (size_t i = 0, k; i < nodes.size(); i = k) {
    for (k = i + 1; k < nodes.size() && source.code_point(nodes[k]) == source.code_point(nodes[i]);) ++k;
    if (k == i + 1) {
      take_subtree(source, nodes[i]);
      continue;
    }
    const auto made = static_cast<uint32_t>(nodes_.size());
    nodes_.push_back({source.code_point(nodes[i]), 0, static_cast<uint32_t>(tokens_.size())});
    below.clear();
    for (size_t j = i; j < k; ++j) {
      const std::span<const int32_t> own = source.tokens(nodes[j]);
      tokens_.insert(tokens_.end(), own.begin(), own.end());
      if (source.has_tails(nodes[j])) {
        nodes_[made].first |= tails_bit;
        for (const Tail& tail : source.tails(nodes[j], nodes[j] + 1)) tails_.push_back({made, tail.rest, tail.token});
      }
      for (uint32_t child = nodes[j] + 1; child < source.end(nodes[j]); child = source.end(child)) below.push_back(child);
    }
    merge(source, below);
    nodes_[made].end = static_cast<uint32_t>(nodes_.size());
  }
}

CharTrie CharTrie::merged(const CharTrie& source, const std::vector<uint32_t>& nodes) {
  CharTrie trie;
  trie.nodes_.push_back({0, 0, 0});
  std::vector<uint32_t> all = nodes;
  trie.merge(source, all);
  trie.nodes_[0].end = static_cast<uint32_t>(trie.nodes_.size());
  trie.finish();
  return trie;
}

CharTrie CharTrie::of_pieces(const Vocab& vocab, Decoding decoding) {
  std::vector<Text> texts;
  std::vector<uint32_t> chars, piece;
  Unfinished rest;
  texts.reserve(vocab.size());
  for (int32_t token = 0; token < static_cast<int32_t>(vocab.size()); ++token) {
    const std::string_view bytes = vocab.piece(token);
    if (decoding == Decoding::strict) {
      if (!vocab.is_text(token) || !decode_strict(bytes, {}, piece, rest)) continue;
    } else {
      if (vocab.is_eog(token) || bytes.empty() || bytes[0] == '\0' || !decode_piece(bytes, {}, piece, rest)) continue;
      piece.erase(std::find(piece.begin(), piece.end(), 0u), piece.end());
    }
    const auto length = static_cast<uint32_t>(piece.size());
    texts.push_back({static_cast<uint32_t>(chars.size()), length, rest, token});
    chars.insert(chars.end(), piece.begin(), piece.end());
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
  return sizeof *this + nodes_.capacity() * sizeof(Node) + tokens_.capacity() * sizeof(int32_t) + tails_.capacity() * sizeof(Tail) +
         fans_.capacity() * sizeof(Fan) + children_.capacity() * sizeof(uint32_t);
}

}  // namespace bankml
