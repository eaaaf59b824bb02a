#include "core/regular/dfa.h"

#include <algorithm>
#include <utility>

#include "core/base/status.h"
#include "core/base/utf8.h"
#include "core/regular/table_writer.h"

namespace bankml::regular {
namespace dfas {

// One class: every code point.
const AlphabetPtr& plain_alphabet() {
  static const AlphabetPtr alphabet = partition({}).alphabet;
  return alphabet;
}

Dfa sink(bool accepting) {
  TableWriter writer(plain_alphabet(), {});
  writer.add_sink(accepting);
  writer.table().minimal = true;
  return Dfa(std::move(writer.table()));
}

}  // namespace dfas

Dfa::Dfa() { *this = none(); }
Dfa::Dfa(Table&& table) : table_(std::make_shared<const Table>(std::move(table))) {}

uint32_t Dfa::next(uint32_t state, uint32_t cls) const noexcept {
  const std::span<const Edge> row = edges(state);
  if (row.size() <= 8) {
    for (const Edge& edge : row) {
      if (edge.cls >= cls) return edge.cls == cls ? edge.target : fallback(state);
    }
    return fallback(state);
  }
  const auto found = std::lower_bound(row.begin(), row.end(), cls, [](const Edge& edge, uint32_t c) { return edge.cls < c; });
  return found != row.end() && found->cls == cls ? found->target : fallback(state);
}

std::vector<Arc> Dfa::arcs(uint32_t state, const std::vector<uint8_t>& live) const {
  struct Step {
    uint32_t target;
    Range range;
  };
  const Alphabet& classes = alphabet();
  // A sparse row names the few classes that matter; their intervals are found by one pass over the partition.
  std::vector<uint32_t> target_of(classes.classes, fallback(state));
  for (const Edge& edge : edges(state)) target_of[edge.cls] = edge.target;
  std::vector<Step> steps;
  for (size_t i = 0; i < classes.starts.size(); ++i) {
    const uint32_t target = target_of[classes.owners[i]];
    if (!live[target]) continue;
    steps.push_back({target, {classes.starts[i], i + 1 < classes.starts.size() ? classes.starts[i + 1] - 1 : last_code}});
  }
  std::stable_sort(steps.begin(), steps.end(), [](const Step& a, const Step& b) { return a.target < b.target; });
  std::vector<Arc> out;
  for (const Step& step : steps) {
    if (out.empty() || out.back().target != step.target) out.push_back({step.target, {}});
    out.back().set.push_back(step.range);
  }
  for (Arc& arc : out) arc.set = normal(std::move(arc.set));
  return out;
}

bool Dfa::accepts(std::string_view text) const noexcept {
  uint32_t state = start();
  for (size_t at = 0; at < text.size();) {
    const Utf8Char c = utf8_decode(text, at);
    if (c.length == 0) return false;
    state = step(state, c.code);
    at += c.length;
  }
  return accepting(state);
}

Dfa none() {
  static const Dfa dfa = dfas::sink(false);
  return dfa;
}

Dfa everything() {
  static const Dfa dfa = dfas::sink(true);
  return dfa;
}

Dfa empty_text() {
  static const Dfa dfa = length(0, 0);
  return dfa;
}

Dfa one_of(const Set& set) { return length(1, 1, set); }

Dfa length(uint32_t min, uint32_t max, const Set& set, const Limits& limits) {
  if (min > max || (set.empty() && min > 0)) return none();
  const bool endless = max == patterns::unbounded;
  const uint32_t run = set.empty() ? 0 : endless ? min : max;  // states 0 ... run, then the one that nothing leads out of
  const bool all = set == all_codes();
  if (endless && all && min == 0) return everything();
  if (run >= limits.states - 1) too_many("states: a length", limits.states);
  const Set sets[] = {set};
  Partition classes = all ? Partition{dfas::plain_alphabet(), {{0}}} : partition(sets);
  TableWriter writer(classes.alphabet, limits);
  std::vector<Edge> edges;
  for (uint32_t state = 0; state <= run; ++state) {
    const uint32_t target = state < run ? state + 1 : endless && !set.empty() ? run : run + 1;
    if (set.empty()) {
      writer.add(state >= min, run + 1, edges);
      continue;
    }
    for (const uint32_t cls : classes.classes_of_set[0]) edges.push_back({cls, target});
    writer.add(state >= min, run + 1, edges);
  }
  if (!(endless && all)) writer.add_sink(false);
  writer.table().minimal = true;
  return Dfa(std::move(writer.table()));
}

Dfa complement(const Dfa& a) {
  Table table = a.table();
  for (uint8_t& accepting : table.accepting) accepting ^= 1;
  return Dfa(std::move(table));
}

}  // namespace bankml::regular
