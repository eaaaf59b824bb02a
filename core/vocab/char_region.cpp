// One walk of the subtree: as long as the path is inside, tokens stay; a node outside sends its whole subtree into the trie of
// ends. Tested by tests/vocab/char_trie.cpp
#include "core/vocab/char_region.h"

#include <algorithm>
#include <array>
#include <tuple>
#include <utility>

namespace bankml {
namespace char_region {

constexpr size_t least_gain = 8;

class Membership {
 public:
  explicit Membership(const std::vector<CharSpan>& spans) : spans_(spans) {
    for (const CharSpan& span : spans) {
      for (uint64_t c = span.lowest; c < std::min<uint64_t>(span.behind, ascii_.size()); ++c) ascii_[c] = true;
    }
  }
  bool operator()(uint32_t c) const noexcept {
    if (c < ascii_.size()) return ascii_[c];
    const auto behind =
        std::upper_bound(spans_.begin(), spans_.end(), c, [](uint32_t x, const CharSpan& s) { return x < s.lowest; });
    return behind != spans_.begin() && c < behind[-1].behind;
  }

 private:
  const std::vector<CharSpan>& spans_;
  std::array<bool, 128> ascii_{};
};

}  // namespace char_region

size_t RegionPlace::Hash::operator()(const RegionPlace& place) const noexcept {
  uint64_t h = place.trie * 0x9E3779B97F4A7C15u ^ place.node;
  const auto add = [&h](uint64_t x) {
    h = (h ^ x) * 0xFF51AFD7ED558CCDu;
    h ^= h >> 32;
  };
  add(place.some_ends ? 1 : 0);
  for (const auto* spans : {&place.first, &place.inside, &place.ends}) {
    add(spans->size());
    for (const CharSpan& span : *spans) add(span.behind << 32 ^ span.lowest);
  }
  return static_cast<size_t>(h);
}

TokenSet::TokenSet(std::vector<int32_t> tokens, size_t n_words) {
  if (tokens.size() < n_words / 4) {
    few = std::move(tokens);
    few.shrink_to_fit();
    return;
  }
  words.resize(n_words);
  for (const int32_t token : tokens) words[static_cast<size_t>(token) / 32] |= 1u << (token % 32);
}

void TokenSet::add_to(uint32_t* mask) const noexcept {
  for (const int32_t token : few) mask[static_cast<size_t>(token) / 32] |= 1u << (token % 32);
  for (size_t i = 0; i < words.size(); ++i) mask[i] |= words[i];
}

size_t Region::bytes() const noexcept {
  return sizeof *this + stay.bytes() + open.capacity() * sizeof(CharTrie::Tail) + whole.bytes() + rest.bytes();
}

std::shared_ptr<const Region> make_region(const CharTrie& trie, const RegionPlace& place, size_t n_words, uint64_t id) {
  const char_region::Membership inside(place.inside), first(place.first), ends(place.ends);
  const bool whole = place.first.empty();
  // What is outside may be an eighth, so that a region is much less to walk than its place.
  size_t room = 0;
  for (uint32_t child = place.node + 1; child < trie.end(place.node); child = trie.end(child)) {
    if (whole || first(trie.code_point(child))) room += trie.end(child) - child;
  }
  room /= char_region::least_gain;
  std::vector<uint32_t> outside;  // nodes with which a path leaves
  std::vector<CharTrie::Tail> tails;
  std::vector<int32_t> stay;
  const auto leave = [&](uint32_t node) {
    if (place.some_ends && !ends(trie.code_point(node))) return true;
    outside.push_back(node);
    const uint32_t size = trie.end(node) - node;
    const bool fits = size <= room;
    room -= fits ? size : 0;
    return fits;
  };
  const auto keep = [&](uint32_t node) {
    for (const int32_t token : trie.tokens(node)) stay.push_back(token);
    if (!trie.has_tails(node)) return;
    for (const CharTrie::Tail& tail : trie.tails(node, node + 1)) tails.push_back({0, tail.rest, tail.token});
  };
  for (uint32_t child = place.node + 1; child < trie.end(place.node); child = trie.end(child)) {
    const bool begins = whole ? inside(trie.code_point(child)) : first(trie.code_point(child));
    if (!begins) {
      if (whole && !leave(child)) return nullptr;
      continue;
    }
    keep(child);
    for (uint32_t node = child + 1; node < trie.end(child);) {
      if (inside(trie.code_point(node))) {
        keep(node);
        ++node;
      } else {
        if (!leave(node)) return nullptr;
        node = trie.end(node);
      }
    }
  }
  std::sort(tails.begin(), tails.end(), [](const CharTrie::Tail& a, const CharTrie::Tail& b) {
    const auto key = [](const CharTrie::Tail& t) { return std::make_tuple(t.rest.need, t.rest.value, t.token); };
    return key(a) < key(b);
  });
  std::vector<int32_t> whole_tails;
  for (const CharTrie::Tail& tail : tails) {
    if (!overlong_ascii(tail.rest)) whole_tails.push_back(tail.token);
  }
  return std::make_shared<const Region>(Region{id, TokenSet(std::move(stay), n_words), std::move(tails),
                                               TokenSet(std::move(whole_tails), n_words), CharTrie::merged(trie, outside)});
}

}  // namespace bankml
