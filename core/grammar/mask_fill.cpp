// What a piece that ends at a node needs is decided there, once for all tokens of the node. A region is used where most of it stays
// inside; otherwise its place is spread into its children like any other, and regions are looked for below them.
// Tested by tests/grammar/masks.cpp
#include "core/grammar/mask_fill.h"

#include <algorithm>
#include <utility>

namespace bankml::grammar {
// Tokens that end at a node which `config` was reached at. False = lost.
bool MaskFill::end_here(const CharTrie& trie, uint32_t node, Config config) {
  if (machine_.lost(config)) return false;
  for (const int32_t token : trie.tokens(node)) allow(token);
  if (trie.has_tails(node)) allow_tails(trie.tails(node, node + 1), config);
  if (machine_.has_tokens(config) && !strict_) allow_named(trie, node, config);
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

// Strict: tokens that a reference takes here; end tokens go through none.
void MaskFill::allow_referenced(Config config) {
  for (const Item& item : machine_.items(config)) {
    const Element& element = machine_.program().element(item.state);
    if (element.kind == Element::token) {
      if (element.value < vocab_.size() && !vocab_.is_eog(static_cast<int32_t>(element.value)))
        allow(static_cast<int32_t>(element.value));
    } else if (element.kind == Element::not_token) {
      for (size_t token = 0; token < vocab_.size(); ++token) {
        if (token != element.value && !vocab_.is_eog(static_cast<int32_t>(token))) allow(static_cast<int32_t>(token));
      }
    }
  }
}

bool MaskFill::walk(const CharTrie& trie, Children nodes, Config config) {
  const Program& program = machine_.program();
  open_.assign(1, {nodes.end, config});
  for (uint32_t node = nodes.begin; node < nodes.end;) {
    while (node >= open_.back().end) open_.pop_back();
    const Config next = machine_.step(open_.back().config, program.class_of(trie.code_point(node)));
    const uint32_t end = trie.end(node);
    if (next == Machine::dead) {
      node = end;
      continue;
    }
    if (!end_here(trie, node, next)) return false;
    if (end == node + 1 || machine_.items(next).empty()) {
      node = end;
      continue;
    }
    open_.push_back({end, next});
    ++node;
  }
  return true;
}

// Pieces that end inside a character, equal ones side by side in regions.
void MaskFill::allow_tails(std::span<const CharTrie::Tail> tails, Config config) {
  const Machine::Beginnings beginnings = machine_.may_begin_all(config);
  if (beginnings == Machine::Beginnings::none) return;
  bool may = false;
  const CharTrie::Tail* before = nullptr;
  for (const CharTrie::Tail& tail : tails) {
    if (beginnings == Machine::Beginnings::all) {
      may = !overlong_ascii(tail.rest);
    } else if (before == nullptr || !(before->rest == tail.rest)) {
      may = strict_ ? machine_.may_be_one_of(config, completions(tail.rest)) : machine_.may_begin(config, tail.rest);
    }
    before = &tail;
    if (may) allow(tail.token);
  }
}

bool MaskFill::inside(const Region& region, Config config) {
  if (machine_.lost(config)) return false;
  region.stay.add_to(words_);
  if (!region.open.empty()) {
    if (machine_.may_begin_all(config) == Machine::Beginnings::all) {
      region.whole.add_to(words_);
    } else {
      allow_tails(region.open, config);
    }
  }
  return spread({region.rest, region.id}, 0, config);
}

// Where a region of all ends is no help, one of the ends that can go on may be.
std::shared_ptr<const Region> MaskFill::region(const Tree& tree, uint32_t node, std::vector<CharSpan> first, const Loop& loop) {
  RegionPlace place{tree.id, node, std::move(first), loop.spans, false, {}};
  std::shared_ptr<const Region> found = tables_.region(tree.trie, place);
  if (found != nullptr) return found;
  place.some_ends = true;
  place.ends = loop.ends;
  return tables_.region(tree.trie, place);
}

bool MaskFill::below(const Tree& tree, uint32_t node, Config config) {
  const uint32_t end = tree.trie.end(node);
  if (end - node <= plain_nodes_) return walk(tree.trie, {node + 1, end}, config);
  const Split& split = loops_.of(config);
  for (const Loop& loop : split.loops) {
    const auto found = region(tree, node, {}, loop);
    if (!(found != nullptr ? inside(*found, loop.config) : spread(tree, node, loop.config))) return false;
  }
  return split.rest == Machine::dead || spread(tree, node, split.rest);
}

void MaskFill::join_group(std::vector<Group>& groups, const Loop& loop, CharSpan span, Children children) {
  auto group = std::find_if(groups.begin(), groups.end(), [&](const Group& g) { return g.loop->config == loop.config; });
  if (group == groups.end()) group = groups.insert(group, {&loop, {}, {}, 0});
  if (!group->first.empty() && group->first.back().behind == span.lowest) {
    group->first.back().behind = span.behind;
  } else {
    group->first.push_back(span);
  }
  group->children.push_back(children);
  group->nodes += children.end - children.begin;
}

bool MaskFill::spread(const Tree& tree, uint32_t node, Config config) {
  const Program& program = machine_.program();
  const CharTrie& trie = tree.trie;
  const uint32_t end = trie.end(node);
  std::vector<Group> groups;
  for (uint32_t child = node + 1, next; child < end; child = next) {
    const uint32_t cls = program.class_of(trie.code_point(child));
    next = trie.child_from(node, child, program.behind(cls));
    const Config there = machine_.step(config, cls);
    if (there == Machine::dead) continue;
    if (next - child < plain_nodes_ / 4) {
      if (!walk(trie, {child, next}, config)) return false;
      continue;
    }
    const Split& split = loops_.of(there);
    for (const Loop& loop : split.loops) join_group(groups, loop, {program.lowest(cls), program.behind(cls)}, {child, next});
    if (split.rest != Machine::dead && !reached(tree, {child, next}, split.rest)) return false;
  }
  for (Group& group : groups) {
    std::shared_ptr<const Region> found;
    if (group.nodes > plain_nodes_) found = region(tree, node, std::move(group.first), *group.loop);
    if (found != nullptr) {
      if (!inside(*found, group.loop->config)) return false;
      continue;
    }
    for (const Children children : group.children) {
      if (!reached(tree, children, group.loop->config)) return false;
    }
  }
  return true;
}

bool MaskFill::reached(const Tree& tree, Children children, Config config) {
  for (uint32_t child = children.begin; child < children.end; child = tree.trie.end(child)) {
    if (!end_here(tree.trie, child, config)) return false;
    if (!machine_.items(config).empty() && !below(tree, child, config)) return false;
  }
  return true;
}

bool MaskFill::run(Config config, std::vector<uint32_t>& words) {
  words_ = words.data();
  if (machine_.complete(config)) {
    for (const int32_t token : vocab_.eog_tokens()) allow(token);
  }
  if (config == Machine::dead) return true;
  if (strict_ && machine_.has_tokens(config)) {
    if (machine_.lost(config)) return false;
    allow_referenced(config);
  }
  return end_here(tables_.trie(), 0, config) && below({tables_.trie(), 0}, 0, config);
}

namespace mask_fill {

bool allows_strict(Machine& machine, const Vocab& vocab, Config config, Unfinished inside, int32_t token) {
  if (vocab.is_eog(token)) return inside.need == 0 && machine.complete(config);
  if (inside.need == 0 && machine.has_tokens(config)) {
    for (const Item& item : machine.items(config)) {
      const Element& element = machine.program().element(item.state);
      if (element.kind == Element::chars) continue;
      if ((static_cast<uint32_t>(token) == element.value) == (element.kind == Element::token)) return true;
    }
  }
  std::vector<uint32_t> chars;
  Unfinished rest;
  if (!vocab.is_text(token) || !decode_strict(vocab.piece(token), inside, chars, rest)) return false;
  for (const uint32_t c : chars) {
    config = machine.step(config, machine.program().class_of(c));
    if (config == Machine::dead) return false;
  }
  return can_go_on(machine, config, rest);
}

}  // namespace mask_fill

bool allows(Machine& machine, const Vocab& vocab, Decoding decoding, Config config, Unfinished inside, int32_t token) {
  if (decoding == Decoding::strict) return mask_fill::allows_strict(machine, vocab, config, inside, token);
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
