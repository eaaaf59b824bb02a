// Searches over the graph "a rule may begin with another", all with stacks of their own: chains of 100,000 rules are legal.
// Tested by tests/grammar/rule_checks.cpp
#include "core/grammar/rule_checks.h"

#include <algorithm>
#include <string>
#include <utility>

#include "core/base/status.h"

namespace bankml::grammar {
namespace rule_checks {

// Rules that a rule may begin with; `tail` = nothing follows the call in its alternative.
struct Call {
  uint32_t rule;
  bool tail;
};

// `passes(r)`: the search goes on behind a reference to r.
template <class Passes>
void leftmost_calls(const Rules& rules, uint32_t rule, const Passes& passes, std::vector<Call>& out) {
  for (uint32_t a = rules.first[rule]; a < rules.first[rule + 1]; ++a) {
    for (uint32_t i = rules.alternatives[a]; rules.elements[i].kind == Element::rule; ++i) {
      out.push_back({rules.elements[i].value, rules.elements[i + 1].kind == Element::end});
      if (!passes(rules.elements[i].value)) break;
    }
  }
}

struct Visit {
  uint32_t rule;
  std::vector<Call> calls;
  size_t next = 0;
};

}  // namespace rule_checks

void refuse_left_recursion(const Rules& rules) {
  using rule_checks::Visit;
  enum : uint8_t { fresh, open, closed };
  std::vector<uint8_t> state(rules.size(), fresh);
  std::vector<bool> directly_nullable(rules.size());
  for (uint32_t r = 0; r < rules.size(); ++r) {
    for (uint32_t a = rules.first[r]; a < rules.first[r + 1]; ++a) {
      if (rules.elements[rules.alternatives[a]].kind == Element::end) directly_nullable[r] = true;
    }
  }
  const auto visit = [&](uint32_t rule) {
    state[rule] = open;
    Visit made{rule, {}, 0};
    rule_checks::leftmost_calls(
        rules, rule, [&](uint32_t r) { return directly_nullable[r]; }, made.calls);
    return made;
  };
  for (uint32_t start = 0; start < rules.size(); ++start) {
    if (state[start] != fresh) continue;
    std::vector<Visit> path;
    path.push_back(visit(start));
    while (!path.empty()) {
      Visit& here = path.back();
      if (here.next == here.calls.size()) {
        state[here.rule] = closed;
        path.pop_back();
        continue;
      }
      const uint32_t callee = here.calls[here.next++].rule;
      if (state[callee] == open) {
        throw Failure(Status::parse, "unsupported grammar, left recursion detected for nonterminal at index " +
                                         std::to_string(start) + " (rule '" + rules.names[start] + "')");
      }
      if (state[callee] == fresh) path.push_back(visit(callee));
    }
  }
}

std::vector<bool> nullable_rules(const Rules& rules) {
  // For each alternative made of references only: how many of them are not known to be nullable yet. A rule that becomes nullable
  // lowers the counts of the alternatives it occurs in, so the whole costs one visit per element.
  std::vector<bool> nullable(rules.size());
  std::vector<uint32_t> missing;                           // per such alternative
  std::vector<uint32_t> owner;                             // its rule
  std::vector<std::pair<uint32_t, uint32_t>> occurrences;  // (referred rule, alternative)
  std::vector<uint32_t> work;
  for (uint32_t r = 0; r < rules.size(); ++r) {
    for (uint32_t a = rules.first[r]; a < rules.first[r + 1]; ++a) {
      uint32_t i = rules.alternatives[a];
      while (rules.elements[i].kind == Element::rule) ++i;
      if (rules.elements[i].kind != Element::end) continue;
      for (uint32_t k = rules.alternatives[a]; k < i; ++k) {
        occurrences.emplace_back(rules.elements[k].value, static_cast<uint32_t>(missing.size()));
      }
      missing.push_back(i - rules.alternatives[a]);
      owner.push_back(r);
      if (missing.back() == 0 && !nullable[r]) {
        nullable[r] = true;
        work.push_back(r);
      }
    }
  }
  std::sort(occurrences.begin(), occurrences.end());
  while (!work.empty()) {
    const uint32_t known = work.back();
    work.pop_back();
    auto at = std::lower_bound(occurrences.begin(), occurrences.end(), std::make_pair(known, 0u));
    for (; at != occurrences.end() && at->first == known; ++at) {
      const uint32_t r = owner[at->second];
      if (--missing[at->second] == 0 && !nullable[r]) {
        nullable[r] = true;
        work.push_back(r);
      }
    }
  }
  return nullable;
}

std::vector<uint32_t> order_of_calls(const Rules& rules, const std::vector<bool>& nullable) {
  using rule_checks::Visit;
  constexpr uint32_t none = 0xFFFFFFFFu;
  const auto count = static_cast<uint32_t>(rules.size());
  // Every rule that the root reaches, by any reference: any of them may be expanded one day.
  std::vector<bool> reached(count);
  std::vector<uint32_t> reachable{rules.root};
  reached[rules.root] = true;
  for (size_t k = 0; k < reachable.size(); ++k) {
    const uint32_t r = reachable[k];
    for (uint32_t a = rules.first[r]; a < rules.first[r + 1]; ++a) {
      for (uint32_t i = rules.alternatives[a]; rules.elements[i].kind != Element::end; ++i) {
        const Element& element = rules.elements[i];
        if (element.kind != Element::rule || reached[element.value]) continue;
        reached[element.value] = true;
        reachable.push_back(element.value);
      }
    }
  }

  // Strongly connected components (Tarjan): they come out callees first, so their numbers are the ranks from below.
  std::vector<uint32_t> index(count, none), low(count), component(count, none);
  std::vector<uint32_t> stack;
  uint32_t next_index = 0, next_component = 0;
  const auto visit = [&](uint32_t rule) {
    index[rule] = low[rule] = next_index++;
    stack.push_back(rule);
    Visit made{rule, {}, 0};
    rule_checks::leftmost_calls(
        rules, rule, [&](uint32_t r) { return nullable[r]; }, made.calls);
    return made;
  };
  for (const uint32_t start : reachable) {
    if (index[start] != none) continue;
    std::vector<Visit> path;
    path.push_back(visit(start));
    while (!path.empty()) {
      Visit& here = path.back();
      if (here.next < here.calls.size()) {
        const uint32_t callee = here.calls[here.next++].rule;
        if (index[callee] == none) {
          path.push_back(visit(callee));
        } else if (component[callee] == none) {
          low[here.rule] = std::min(low[here.rule], index[callee]);
        }
        continue;
      }
      const uint32_t rule = here.rule;
      if (low[rule] == index[rule]) {
        uint32_t member;
        do {
          member = stack.back();
          stack.pop_back();
          component[member] = next_component;
        } while (member != rule);
        ++next_component;
      }
      path.pop_back();
      if (!path.empty()) low[path.back().rule] = std::min(low[path.back().rule], low[rule]);
    }
  }

  std::vector<rule_checks::Call> calls;
  for (const uint32_t r : reachable) {
    calls.clear();
    rule_checks::leftmost_calls(
        rules, r, [&](uint32_t callee) { return nullable[callee]; }, calls);
    for (const rule_checks::Call& call : calls) {
      if (component[call.rule] == component[r] && !call.tail) {
        throw Failure(Status::parse, "unsupported grammar, left recursion through a rule that may match nothing: rule '" +
                                         rules.names[r] + "' may begin with '" + rules.names[call.rule] +
                                         "', which leads back to it");
      }
    }
  }
  for (uint32_t r = 0; r < count; ++r) component[r] = component[r] == none ? 0 : component[r];
  return component;
}

}  // namespace bankml::grammar
