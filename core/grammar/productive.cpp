// The least fixed point, from below: a rule is productive once one of its alternatives consists of productive elements. Each rule
// wakes the alternatives that wait for it, so the work is linear in the elements.
// Tested by tests/grammar/strict.cpp
#include "core/grammar/productive.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace bankml::grammar {
namespace productive {

bool has_character(const CharSet& set) {
  const auto meets = [](uint64_t lo, uint64_t hi) { return lo <= hi && (lo < 0xD800 || (hi > 0xDFFF && lo <= 0x10FFFF)); };
  if (!set.negated) {
    return std::any_of(set.ranges.begin(), set.ranges.end(), [&](CharRange r) { return meets(r.lo, r.hi); });
  }
  std::vector<CharRange> ranges;
  for (const CharRange& r : set.ranges) {
    if (r.lo <= r.hi) ranges.push_back(r);
  }
  std::sort(ranges.begin(), ranges.end(), [](CharRange a, CharRange b) { return a.lo < b.lo; });
  uint64_t behind = 0;
  for (const CharRange& r : ranges) {
    if (r.lo > behind && meets(behind, uint64_t{r.lo} - 1)) return true;
    behind = std::max(behind, uint64_t{r.hi} + 1);
  }
  return meets(behind, 0x10FFFF);
}

// Whether some token goes through a reference: end tokens go through none.
bool has_token(const Element& element, const Vocab& vocab) {
  const auto ends = vocab.eog_tokens().size();
  const bool named = element.value < vocab.size() && !vocab.is_eog(static_cast<int32_t>(element.value));
  return element.kind == Element::token ? named : vocab.size() - ends > (named ? 1u : 0u);
}

}  // namespace productive

void leave_out_dead_ends(Rules& rules, const Vocab& vocab) {
  std::vector<bool> set_lives(rules.sets.size());
  for (size_t i = 0; i < rules.sets.size(); ++i) set_lives[i] = productive::has_character(rules.sets[i]);
  const size_t n = rules.alternatives.size();
  std::vector<uint32_t> open(n, 0);                             // elements of the alternative that are not known to be productive
  std::vector<std::vector<uint32_t>> waiting(rules.size());     // alternatives that call the rule, once for each call
  std::vector<uint32_t> rule_of(n), ready;
  std::vector<bool> dead(n, false), rule_lives(rules.size(), false);
  for (uint32_t rule = 0; rule < rules.size(); ++rule) {
    for (uint32_t a = rules.first[rule]; a < rules.first[rule + 1]; ++a) {
      rule_of[a] = rule;
      for (uint32_t i = rules.alternatives[a]; rules.elements[i].kind != Element::end; ++i) {
        const Element& element = rules.elements[i];
        if (element.kind == Element::rule) {
          waiting[element.value].push_back(a);
          ++open[a];
        } else if (element.kind == Element::chars ? !set_lives[element.value] : !productive::has_token(element, vocab)) {
          dead[a] = true;
        }
      }
      if (open[a] == 0 && !dead[a]) ready.push_back(a);
    }
  }
  while (!ready.empty()) {
    const uint32_t rule = rule_of[ready.back()];
    ready.pop_back();
    if (rule_lives[rule]) continue;
    rule_lives[rule] = true;
    for (const uint32_t a : waiting[rule]) {
      if (--open[a] == 0 && !dead[a]) ready.push_back(a);
    }
  }
  std::vector<uint32_t> kept;
  std::vector<uint32_t> first;
  for (uint32_t rule = 0; rule < rules.size(); ++rule) {
    first.push_back(static_cast<uint32_t>(kept.size()));
    for (uint32_t a = rules.first[rule]; a < rules.first[rule + 1]; ++a) {
      if (open[a] == 0 && !dead[a]) kept.push_back(rules.alternatives[a]);
    }
  }
  first.push_back(static_cast<uint32_t>(kept.size()));
  rules.alternatives = std::move(kept);
  rules.first = std::move(first);
}

}  // namespace bankml::grammar
