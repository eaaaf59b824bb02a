// The walk. What a piece that ends at a node needs is decided there, once for all tokens of the node.
// Tested by tests/grammar/masks.cpp
#include "core/grammar/mask_fill.h"

#include <algorithm>

namespace bankml::grammar {
namespace mask_fill {

// Below this many tokens a walk costs less than finding a region.
constexpr size_t worth_a_region = 2000;
// A grammar with more classes has no loops worth looking for class by class.
constexpr uint32_t most_classes = 1024;
// Nodes of a subtree for which a look for a region pays.
constexpr uint32_t large_subtree = 500;

}  // namespace mask_fill

// Tokens that end at a node which `config` was reached at. False = lost.
bool MaskFill::end_here(const CharTrie& trie, uint32_t node, Config config) {
  if (machine_.lost(config)) return false;
  for (const int32_t token : trie.tokens(node)) allow(token);
  if (trie.has_tails(node)) {
    for (const CharTrie::Tail& tail : trie.tails(node, node + 1)) {
      if (machine_.may_begin(config, tail.rest)) allow(tail.token);
    }
  }
  if (machine_.has_tokens(config)) allow_named(trie, node, config);
  return true;
}

void MaskFill::allow_named(const CharTrie& trie, uint32_t node, Config config) {
  const auto below = trie.tokens_below(node).subspan(trie.tokens(node).size());
  const auto tails = trie.tails(node + 1, trie.end(node));
  for (const Item& item : machine_.items(config)) {
    const Element& element = machine_.program().element(item.state);
    if (element.kind == Element::chars) continue;
    const auto fits = [&](int32_t token) {
      return (static_cast<uint32_t>(token) == element.value) == (element.kind == Element::token);
    };
    for (const int32_t token : below) {
      if (fits(token)) allow(token);
    }
    for (const CharTrie::Tail& tail : tails) {
      if (fits(tail.token)) allow(tail.token);
    }
  }
}

bool MaskFill::walk(const CharTrie& trie, Config config) {
  const Program& program = machine_.program();
  if (!end_here(trie, 0, config)) return false;
  const std::vector<uint32_t>& roots = tables_.root_children();
  const bool whole = &trie == &tables_.trie();
  open_.assign(1, {trie.end(0), config, nullptr});
  for (uint32_t node = 1; node < trie.size();) {
    while (node >= open_.back().end) open_.pop_back();
    const uint32_t cls = program.class_of(trie.code_point(node));
    const Config next = machine_.step(open_.back().config, cls);
    const uint32_t end = trie.end(node);
    if (next == Machine::dead) {
      node = end;
      if (whole && open_.size() == 1 && trie.code_point(node) < program.behind(cls)) {
        // Thousands of characters begin pieces, most of one class: pass all of them at once.
        const auto same = [&](uint32_t root, uint64_t behind) { return trie.code_point(root) < behind; };
        const auto at = std::lower_bound(roots.begin(), roots.end(), program.behind(cls), same);
        node = at == roots.end() ? trie.size() : std::max(node, *at);
      }
      continue;
    }
    if (!end_here(trie, node, next)) return false;
    const Region* region = next == open_.back().config ? open_.back().region : nullptr;
    if (region != nullptr && region->pure[node]) {
      for (const int32_t token : trie.tokens_below(node)) allow(token);
      node = end;
      continue;
    }
    if (machine_.items(next).empty()) {
      node = end;
      continue;
    }
    if (whole && region == nullptr && end - node > mask_fill::large_subtree) region = region_of(next);
    if (end > node + 1) open_.push_back({end, next, region});
    ++node;
  }
  return true;
}

// The code points on which the configuration leads to itself.
std::vector<CharSpan> MaskFill::loop_of(Config config) {
  std::vector<CharSpan> spans;
  const Program& program = machine_.program();
  if (program.class_count() > mask_fill::most_classes || machine_.has_tokens(config)) return spans;
  for (uint32_t cls = 0; cls < program.class_count(); ++cls) {
    if (machine_.step(config, cls) != config) continue;
    if (!spans.empty() && spans.back().behind == program.lowest(cls)) {
      spans.back().behind = program.behind(cls);
    } else {
      spans.push_back({program.lowest(cls), program.behind(cls)});
    }
  }
  return spans;
}

const Region* MaskFill::region_of(Config config) {
  const auto known = regions_.find(config);
  if (known != regions_.end()) return known->second.get();
  const std::vector<CharSpan> loop = loop_of(config);
  const CharTrie& trie = tables_.trie();
  size_t begun = 0;  // tokens that begin inside the loop
  auto span = loop.begin();
  for (const uint32_t root : tables_.root_children()) {
    while (span != loop.end() && trie.code_point(root) >= span->behind) ++span;
    if (span == loop.end() || begun >= mask_fill::worth_a_region) break;
    if (trie.code_point(root) >= span->lowest) begun += trie.tokens_below(root).size();
  }
  std::shared_ptr<const Region> region;
  if (begun >= mask_fill::worth_a_region) region = tables_.region(loop);
  return (regions_[config] = std::move(region)).get();
}

bool MaskFill::run(Config config, std::vector<uint32_t>& words) {
  words_ = words.data();
  const CharTrie& trie = tables_.trie();
  if (machine_.lost(config)) return false;
  if (machine_.complete(config)) {
    for (const int32_t token : vocab_.eog_tokens()) allow(token);
  }
  if (config == Machine::dead) return true;
  const Region* region = region_of(config);
  if (region == nullptr) return walk(trie, config);
  for (size_t i = 0; i < words.size(); ++i) words[i] |= region->stay[i];
  return walk(region->rest, config);
}

bool allows(Machine& machine, const Vocab& vocab, Config config, Unfinished inside, int32_t token) {
  if (vocab.is_eog(token)) return machine.complete(config);
  const std::string_view piece = vocab.piece(token);
  std::vector<uint32_t> chars;
  Unfinished rest;
  if (piece.empty() || piece[0] == '\0' || !decode_piece(piece, inside, chars, rest)) return false;
  chars.erase(std::find(chars.begin(), chars.end(), 0u), chars.end());
  for (const uint32_t c : chars) {
    for (const Item& item : machine.items(config)) {
      const Element& element = machine.program().element(item.state);
      if (element.kind == Element::chars) continue;
      if ((static_cast<uint32_t>(token) == element.value) == (element.kind == Element::token)) return true;
    }
    config = machine.step(config, machine.program().class_of(c));
    if (config == Machine::dead) return false;
  }
  if (rest.need > 0) return machine.may_begin(config, rest);
  return config != Machine::dead;
}

}  // namespace bankml::grammar
