// A state that was no seed once is not tried again: that costs at most a longer walk. Tested by tests/grammar/loops.cpp
#include "core/grammar/loops.h"

#include <algorithm>
#include <utility>

namespace bankml::grammar {
namespace loops {

// Configurations with more items, or grammars with more classes, are no places that repeat a set; looking would cost too much.
constexpr size_t most_items = 64;
constexpr uint32_t most_classes = 1024;

}  // namespace loops

// References stay valid: the map's nodes do not move.
const Split& Loops::of(Config config) {
  const auto known = known_.find(config);
  if (known != known_.end()) return known->second;
  Split split = find(config);
  loops_found_ += split.loops.size();
  return known_.emplace(config, std::move(split)).first->second;
}

Loop Loops::loop_of(Config config) {
  const Program& program = machine_.program();
  Loop loop{config, {}, {}};
  for (uint32_t cls = 0; cls < program.class_count(); ++cls) {
    const Config next = machine_.step(config, cls);
    if (next == Machine::dead) continue;
    std::vector<CharSpan>& spans = next == config ? loop.spans : loop.ends;
    if (!spans.empty() && spans.back().behind == program.lowest(cls)) {
      spans.back().behind = program.behind(cls);
    } else {
      spans.push_back({program.lowest(cls), program.behind(cls)});
    }
  }
  return loop;
}

Split Loops::find(Config config) {
  const Program& program = machine_.program();
  Split split{{}, config};
  if (machine_.items(config).size() > loops::most_items || program.class_count() > loops::most_classes ||
      machine_.has_tokens(config)) {
    return split;
  }
  const std::vector<Item> items(machine_.items(config).begin(), machine_.items(config).end());
  std::vector<bool> covered(items.size());
  bool tags_covered = !machine_.complete(config) && !machine_.lost(config);
  no_seed_.resize(program.accept_state());
  for (size_t i = 0; i < items.size(); ++i) {
    const auto intervals = program.intervals(program.element(items[i].state).value);
    if (covered[i] || no_seed_[items[i].state] || intervals.empty()) continue;
    const Config there = machine_.step(machine_.part(config, {items[i]}, false), intervals[0].lo);
    const std::vector<Item> behind(machine_.items(there).begin(), machine_.items(there).end());
    if (!std::binary_search(behind.begin(), behind.end(), items[i])) {
      no_seed_[items[i].state] = true;
      continue;
    }
    if (!std::includes(items.begin(), items.end(), behind.begin(), behind.end()) ||
        (machine_.complete(there) && !machine_.complete(config)) || (machine_.lost(there) && !machine_.lost(config))) {
      continue;
    }
    Loop loop = loop_of(there);
    if (loop.spans.empty()) continue;
    for (size_t k = 0; k < items.size(); ++k) {
      if (std::binary_search(behind.begin(), behind.end(), items[k])) covered[k] = true;
    }
    tags_covered =
        tags_covered || (machine_.complete(there) == machine_.complete(config) && machine_.lost(there) == machine_.lost(config));
    split.loops.push_back(std::move(loop));
  }
  if (split.loops.empty()) return split;
  std::vector<Item> rest;
  for (size_t i = 0; i < items.size(); ++i) {
    if (!covered[i]) rest.push_back(items[i]);
  }
  split.rest = machine_.part(config, rest, !tags_covered);
  return split;
}

}  // namespace bankml::grammar
