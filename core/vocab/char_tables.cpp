// Regions are made in one walk of the trie: as long as the path is inside, tokens stay; a node outside sends its whole subtree into
// the trie of ends. Tested by tests/vocab/char_trie.cpp
#include "core/vocab/char_tables.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/vocab/vocab.h"

namespace bankml {

CharTables::CharTables(const Vocab& vocab) : trie_(CharTrie::of_pieces(vocab)), words_((vocab.size() + 31) / 32) {
  for (int32_t token = 0; token < static_cast<int32_t>(vocab.size()); ++token) {
    const std::string_view piece = vocab.piece(token);
    longest_ = std::max(longest_, static_cast<uint32_t>(piece.size()));
    if (!piece.empty() && (static_cast<uint8_t>(piece[0]) & 0xC0) == 0x80 && !vocab.is_eog(token)) continuations_.push_back(token);
  }
  for (uint32_t node = 1; node < trie_.size(); node = trie_.end(node)) root_children_.push_back(node);
}

std::shared_ptr<const Region> CharTables::region(const std::vector<CharSpan>& spans) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  for (auto at = regions_.begin(); at != regions_.end(); ++at) {
    if ((*at)->spans != spans) continue;
    regions_.splice(regions_.begin(), regions_, at);
    return regions_.front();
  }
  regions_.push_front(make_region(spans));
  if (regions_.size() > kept_regions) regions_.pop_back();
  return regions_.front();
}

std::shared_ptr<const Region> CharTables::make_region(const std::vector<CharSpan>& spans) const {
  std::array<bool, 128> ascii{};
  for (const CharSpan& span : spans) {
    for (uint64_t c = span.lowest; c < std::min<uint64_t>(span.behind, ascii.size()); ++c) ascii[c] = true;
  }
  const auto inside = [&](uint32_t c) {
    if (c < ascii.size()) return ascii[c];
    const auto behind = std::upper_bound(spans.begin(), spans.end(), c, [](uint32_t x, const CharSpan& s) { return x < s.lowest; });
    return behind != spans.begin() && c < behind[-1].behind;
  };
  std::vector<uint32_t> stay(words_);
  std::vector<CharTrie::Text> texts;
  std::vector<uint32_t> chars;
  const auto keep = [&](int32_t token) { stay[static_cast<size_t>(token) / 32] |= 1u << (token % 32); };
  std::vector<std::pair<uint32_t, size_t>> outside;  // on the path: where a node's subtree ends, and length of the text before it
  std::vector<uint32_t> path;                        // code points from the first outside on
  for (uint32_t node = 0; node < trie_.size(); ++node) {
    while (!outside.empty() && node >= outside.back().first) {
      path.resize(outside.back().second);
      outside.pop_back();
    }
    if (node > 0 && (!path.empty() || !inside(trie_.code_point(node)))) {
      outside.emplace_back(trie_.end(node), path.size());
      path.push_back(trie_.code_point(node));
    }
    const bool has_tails = trie_.has_tails(node);
    if (path.empty()) {
      for (const int32_t token : trie_.tokens(node)) keep(token);
    }
    if ((path.empty() || trie_.tokens(node).empty()) && !has_tails) continue;
    const auto begin = static_cast<uint32_t>(chars.size());
    const auto length = static_cast<uint32_t>(path.size());
    chars.insert(chars.end(), path.begin(), path.end());
    if (!path.empty()) {
      for (const int32_t token : trie_.tokens(node)) texts.push_back({begin, length, {}, token, 0});
    }
    for (const CharTrie::Tail& tail : trie_.tails(node, node + (has_tails ? 1 : 0))) {
      texts.push_back({begin, length, tail.rest, tail.token, 0});
    }
  }
  std::vector<uint32_t> bad(trie_.size() + 1);  // nodes before each that are outside or have tails
  for (uint32_t node = 0; node < trie_.size(); ++node) {
    bad[node + 1] = bad[node] + (trie_.has_tails(node) || !inside(trie_.code_point(node)) ? 1 : 0);
  }
  std::vector<bool> pure(trie_.size());
  for (uint32_t node = 0; node < trie_.size(); ++node) pure[node] = bad[trie_.end(node)] == bad[node + 1];
  return std::make_shared<const Region>(Region{spans, std::move(stay), CharTrie(std::move(texts), chars), std::move(pure)});
}

size_t CharTables::bytes() const noexcept {
  const std::lock_guard<std::mutex> lock(mutex_);
  size_t total =
      sizeof *this + trie_.bytes() + continuations_.capacity() * sizeof(int32_t) + root_children_.capacity() * sizeof(uint32_t);
  for (const auto& region : regions_)
    total += sizeof(Region) + region->stay.capacity() * sizeof(uint32_t) + region->rest.bytes() + region->pure.size() / 8;
  return total;
}

}  // namespace bankml
