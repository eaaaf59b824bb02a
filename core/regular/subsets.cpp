// The subset construction with conditions on borders, exact. A state is the set of steps that a text may be waiting at: reads, and
// conditions that the next character decides ($, \b, \B), together with what the last character was, if such a condition waits. When
// the next character is known to be a word character, another one or the end, the conditions are decided and the ways behind them
// followed; only then is the character read.
//
// Steps that read every class alike are kept apart from the others, so that a search over many classes costs what its own characters
// cost.
#include <algorithm>
#include <utility>

#include "core/regular/interner.h"
#include "core/regular/nfa.h"
#include "core/regular/table_writer.h"

namespace bankml::regular {
namespace subsets {

using patterns::at_begin;
using patterns::at_end;
using patterns::at_word_border;

enum Side : uint32_t { border, word, other, unknown };  // what stands before or behind a place

class Builder {
 public:
  Builder(const Nfa& nfa, Reading reading, const Limits& limits)
      : nfa_(nfa),
        search_(reading == Reading::search),
        limits_(limits),
        writer_(nfa.alphabet, limits),
        seen_(nfa.steps.size(), 0),
        is_word_(nfa.alphabet->classes, 0),
        of_class_(nfa.alphabet->classes) {
    for (const uint32_t cls : nfa.word) is_word_[cls] = 1;
    for (const Nfa::Step& step : nfa.steps) {
      if (step.kind == Nfa::Step::check && step.what != at_begin && step.what != at_end) word_matters_ = true;
    }
  }

  Dfa run() {
    const uint32_t first[] = {nfa_.start};
    const uint32_t start = state_for(border, first);
    std::vector<Edge> edges;
    // States are numbered as they are found, and rows written in that order.
    for (uint32_t state = 0; state < states_.size(); ++state) {
      const bool accepting = accepts(state);
      const uint32_t fallback = row(state, edges);
      writer_.add(accepting, fallback, edges);
    }
    writer_.table().start = start;
    return Dfa(std::move(writer_.table()));
  }

 private:
  // Sequence of a state: its Side, then its steps ascending. The sink that accepts everything is the sequence {always}.
  static constexpr uint32_t always = 0xFFFFFFFFu;

  void spend(size_t amount) {
    work_ += amount;
    if (work_ > limits_.work) too_many("steps of the subset construction", limits_.work);
  }

  // All that is reached without reading: reads and matches, and conditions that `ahead` is needed for while it is unknown.
  void close(Side before, Side ahead, std::span<const uint32_t> from, std::vector<uint32_t>& out) {
    if (++round_ == 0) {
      std::fill(seen_.begin(), seen_.end(), 0);
      round_ = 1;
    }
    out.clear();
    todo_.assign(from.rbegin(), from.rend());
    while (!todo_.empty()) {
      const uint32_t at = todo_.back();
      todo_.pop_back();
      if (seen_[at] == round_) continue;
      seen_[at] = round_;
      spend(1);
      const Nfa::Step& step = nfa_.steps[at];
      if (step.kind == Nfa::Step::split) {
        todo_.push_back(step.other);
        todo_.push_back(step.next);
      } else if (step.kind != Nfa::Step::check) {
        out.push_back(at);
      } else if (step.what == at_begin) {
        if (before == border) todo_.push_back(step.next);
      } else if (ahead == unknown) {
        out.push_back(at);
      } else if (holds(step.what, before, ahead)) {
        todo_.push_back(step.next);
      }
    }
    std::sort(out.begin(), out.end());
  }
  static bool holds(uint32_t condition, Side before, Side ahead) {
    if (condition == at_end) return ahead == border;
    const bool at_border = (before == word) != (ahead == word);
    return condition == at_word_border ? at_border : !at_border;
  }
  bool matches(std::span<const uint32_t> steps) const {
    return std::any_of(steps.begin(), steps.end(), [&](uint32_t at) { return nfa_.steps[at].kind == Nfa::Step::match; });
  }
  bool waits(std::span<const uint32_t> steps) const {
    return std::any_of(steps.begin(), steps.end(), [&](uint32_t at) { return nfa_.steps[at].kind == Nfa::Step::check; });
  }

  uint32_t state_for(Side before, std::span<const uint32_t> from) {
    key_.assign(1, before);
    key_.insert(key_.end(), from.begin(), from.end());
    const auto [number, fresh] = arrivals_.number(key_);
    if (!fresh) return state_of_arrival_[number];
    close(before, unknown, from, closed_);
    key_.clear();
    if (search_ && matches(closed_)) {
      key_.push_back(always);
    } else {
      key_.push_back(waits(closed_) ? before : other);
      key_.insert(key_.end(), closed_.begin(), closed_.end());
    }
    state_of_arrival_.push_back(states_.number(key_).first);
    if (states_.size() > limits_.states) too_many("states", limits_.states);
    spend(key_.size());
    return state_of_arrival_.back();
  }

  bool accepts(uint32_t state) {
    const std::span<const uint32_t> key = states_[state];
    if (key[0] == always) return true;
    if (!waits(key.subspan(1))) return matches(key.subspan(1));
    close(static_cast<Side>(key[0]), border, key.subspan(1), closed_);
    return matches(closed_);
  }

  // Fills the exceptions and returns where the other classes lead.
  uint32_t row(uint32_t state, std::vector<Edge>& edges) {
    const std::span<const uint32_t> key = states_[state];
    if (key[0] == always) return state;
    const uint32_t classes = nfa_.alphabet->classes;
    const std::vector<uint32_t> steps(key.begin() + 1, key.end());  // copied: new states move the pool
    const Side before = static_cast<Side>(key[0]);
    if (!waits(steps) && !word_matters_) {
      spread(steps, unknown, edges);
      // Classes with steps of their own are exceptions; all others see the common steps alone.
      std::sort(edges.begin(), edges.end(), [](const Edge& a, const Edge& b) { return a.cls < b.cls; });
      return edges.size() == classes ? 0 : state_for(other, everywhere_);
    }
    // Word characters and others part ways here, and every class is written.
    std::vector<uint32_t> decided = steps;
    for (const Side ahead : {word, other}) {
      if (waits(steps)) close(before, ahead, steps, decided);
      if (search_ && matches(decided)) {
        const uint32_t sink[] = {always};
        const uint32_t target = states_.number(sink).first;
        if (states_.size() > limits_.states) too_many("states", limits_.states);
        for (uint32_t cls = 0; cls < classes; ++cls) {
          if ((is_word_[cls] != 0) == (ahead == word)) edges.push_back({cls, target});
        }
        continue;
      }
      own_edges_.clear();
      spread(decided, ahead, own_edges_);
      const Side behind = word_matters_ ? ahead : other;
      const uint32_t rest = state_for(behind, everywhere_);
      spend(classes);
      target_.assign(classes, rest);
      for (const Edge& edge : own_edges_) target_[edge.cls] = edge.target;
      for (uint32_t cls = 0; cls < classes; ++cls) {
        if ((is_word_[cls] != 0) == (ahead == word)) edges.push_back({cls, target_[cls]});
      }
    }
    std::sort(edges.begin(), edges.end(), [](const Edge& a, const Edge& b) { return a.cls < b.cls; });
    return 0;
  }

  // Edges of the classes that some step reads and not every class; `everywhere_` becomes what follows the steps that read all.
  void spread(const std::vector<uint32_t>& steps, Side ahead, std::vector<Edge>& edges) {
    everywhere_.clear();
    touched_.clear();
    for (const uint32_t at : steps) {
      const Nfa::Step& step = nfa_.steps[at];
      if (step.kind != Nfa::Step::read) continue;
      const std::vector<uint32_t>& set = nfa_.sets[step.what];
      if (set.size() == nfa_.alphabet->classes) {
        everywhere_.push_back(step.next);
        continue;
      }
      spend(set.size());
      for (const uint32_t cls : set) {
        if (ahead != unknown && (is_word_[cls] != 0) != (ahead == word)) continue;
        if (of_class_[cls].empty()) touched_.push_back(cls);
        of_class_[cls].push_back(step.next);
      }
    }
    unite(everywhere_);
    const Side behind = word_matters_ ? ahead : other;
    for (const uint32_t cls : touched_) {
      std::vector<uint32_t>& own = of_class_[cls];
      spend(everywhere_.size());
      own.insert(own.end(), everywhere_.begin(), everywhere_.end());
      unite(own);
      edges.push_back({cls, state_for(behind, own)});
      own.clear();
    }
  }
  static void unite(std::vector<uint32_t>& list) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }

  const Nfa& nfa_;
  bool search_;
  Limits limits_;
  TableWriter writer_;
  bool word_matters_ = false;
  uint64_t work_ = 0;

  Interner arrivals_;  // Side and steps as reads lead to them
  std::vector<uint32_t> state_of_arrival_;
  Interner states_;

  std::vector<uint32_t> seen_;  // the round in which close() met a step
  uint32_t round_ = 0;
  std::vector<uint8_t> is_word_;
  std::vector<std::vector<uint32_t>> of_class_;  // used by spread() and left empty
  std::vector<uint32_t> todo_, key_, closed_, everywhere_, touched_, target_;
  std::vector<Edge> own_edges_;
};

}  // namespace subsets

Dfa determinise(const Nfa& nfa, Reading reading, const Limits& limits) { return subsets::Builder(nfa, reading, limits).run(); }

}  // namespace bankml::regular
