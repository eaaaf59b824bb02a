// Automata one after another: concatenation and repetition, through the subset construction.
// Tested by tests/regular/algebra.cpp
#include <algorithm>
#include <map>
#include <utility>

#include "core/base/status.h"
#include "core/regular/dfa.h"
#include "core/regular/nfa.h"
#include "core/regular/table_writer.h"

namespace bankml::regular {
namespace joining {

constexpr uint32_t steps_per_state = 8;

// Copies of automata inside one program.
class Copies {
 public:
  explicit Copies(const Limits& limits) : limits_(limits) {}
  Nfa& nfa() { return nfa_; }

  uint32_t add(Nfa::Step step) {
    const uint64_t most = uint64_t{limits_.states} * steps_per_state;
    if (nfa_.steps.size() >= most) too_many("steps of automata one after another", most);
    nfa_.steps.push_back(step);
    return static_cast<uint32_t>(nfa_.steps.size() - 1);
  }

  // A copy of the automaton that goes on at `next` where it accepts; `fine` maps its classes to those of the program. Returns where
  // it begins.
  uint32_t copy(const Dfa& dfa, const std::vector<std::vector<uint32_t>>& fine, uint32_t next) {
    const std::vector<uint8_t> live = live_states(dfa);
    // A head for each state, whose ways are chained behind it.
    std::vector<uint32_t> head(dfa.states());
    for (uint32_t state = 0; state < dfa.states(); ++state) head[state] = add({Nfa::Step::split, 0, 0});
    std::map<uint32_t, std::vector<uint32_t>> ways;
    for (uint32_t state = 0; state < dfa.states(); ++state) {
      uint32_t last = head[state];
      nfa_.steps[last] = {Nfa::Step::split, last, last};  // a step that leads to itself leads nowhere
      const auto offer = [&](uint32_t step) {
        nfa_.steps[last].next = step;
        const uint32_t more = add({Nfa::Step::split, 0, 0});
        nfa_.steps[more] = {Nfa::Step::split, more, more};
        nfa_.steps[last].other = more;
        last = more;
      };
      if (dfa.accepting(state)) offer(next);
      ways.clear();
      if (!live[state]) continue;
      std::vector<uint8_t> named(dfa.alphabet().classes, 0);
      for (const Edge& edge : dfa.edges(state)) {
        named[edge.cls] = 1;
        if (live[edge.target]) append(ways[edge.target], fine[edge.cls]);
      }
      if (live[dfa.fallback(state)]) {
        std::vector<uint32_t>& rest = ways[dfa.fallback(state)];
        for (uint32_t cls = 0; cls < named.size(); ++cls) {
          if (!named[cls]) append(rest, fine[cls]);
        }
      }
      for (auto& [target, classes] : ways) {
        std::sort(classes.begin(), classes.end());
        cells_ += classes.size();
        if (cells_ > limits_.work) too_many("steps of automata one after another", limits_.work);
        nfa_.sets.push_back(std::move(classes));
        offer(add({Nfa::Step::read, head[target], 0, static_cast<uint32_t>(nfa_.sets.size() - 1)}));
      }
    }
    return head[dfa.start()];
  }

 private:
  static void append(std::vector<uint32_t>& list, const std::vector<uint32_t>& more) {
    list.insert(list.end(), more.begin(), more.end());
  }

  const Limits& limits_;
  Nfa nfa_;
  uint64_t cells_ = 0;
};

std::vector<std::vector<uint32_t>> invert(const std::vector<uint32_t>& coarse, uint32_t count) {
  std::vector<std::vector<uint32_t>> out(count);
  for (uint32_t fine = 0; fine < coarse.size(); ++fine) out[coarse[fine]].push_back(fine);
  return out;
}

}  // namespace joining

Dfa concat(const Dfa& a, const Dfa& b, const Limits& limits) {
  if (is_empty(a) || is_empty(b)) return none();
  const Refinement classes = refine(a.alphabet_ptr(), b.alphabet_ptr());
  joining::Copies copies(limits);
  copies.nfa().alphabet = classes.alphabet;
  const uint32_t match = copies.add({Nfa::Step::match});
  const uint32_t second = copies.copy(b, joining::invert(classes.second, b.alphabet().classes), match);
  copies.nfa().start = copies.copy(a, joining::invert(classes.first, a.alphabet().classes), second);
  return minimised(determinise(copies.nfa(), Reading::whole, limits));
}

Dfa repeat(const Dfa& a, uint32_t min, uint32_t max, const Limits& limits) {
  if (min > max) return none();
  if (max == 0 || is_empty(a)) return min == 0 ? empty_text() : none();
  if ((min == 1 && max == 1) || lengths(a)->greatest == 0) return a;
  const Refinement classes = refine(a.alphabet_ptr(), a.alphabet_ptr());
  const std::vector<std::vector<uint32_t>> same = joining::invert(classes.first, a.alphabet().classes);
  joining::Copies copies(limits);
  copies.nfa().alphabet = classes.alphabet;
  const uint32_t match = copies.add({Nfa::Step::match});
  uint32_t entry = match;
  if (max == patterns::unbounded) {
    const uint32_t loop = copies.add({Nfa::Step::split, match, match});
    const uint32_t inside = copies.copy(a, same, loop);
    copies.nfa().steps[loop].next = inside;
    entry = loop;
  } else {
    for (uint32_t i = min; i < max; ++i) {
      const uint32_t way = copies.copy(a, same, entry);
      entry = copies.add({Nfa::Step::split, way, match});
    }
  }
  for (uint32_t i = 0; i < min; ++i) entry = copies.copy(a, same, entry);
  copies.nfa().start = entry;
  return minimised(determinise(copies.nfa(), Reading::whole, limits));
}

}  // namespace bankml::regular
