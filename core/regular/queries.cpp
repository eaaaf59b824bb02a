// Questions about one automaton: is it empty, how many words, which. All by walks without recursion; what must be known of every word
// goes over the live states in the order that a depth-first walk leaves them.
// Tested by tests/regular/algebra.cpp
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "core/base/utf8.h"
#include "core/regular/dfa.h"

namespace bankml::regular {
namespace queries {

// States reached from the start by at least one class, breadth first.
std::vector<uint32_t> reached(const Dfa& a) {
  std::vector<uint8_t> seen(a.states(), 0);
  std::vector<uint32_t> out{a.start()};
  seen[a.start()] = 1;
  const auto meet = [&](uint32_t state) {
    if (!seen[state]) seen[state] = 1, out.push_back(state);
  };
  for (size_t i = 0; i < out.size(); ++i) {
    const uint32_t state = out[i];
    meet(a.fallback(state));
    for (const Edge& edge : a.edges(state)) meet(edge.target);
  }
  return out;
}

// The live states reached from the start, each before those that lead to it; nothing if they form a loop.
std::optional<std::vector<uint32_t>> last_first(const Dfa& a, const std::vector<uint8_t>& live) {
  std::vector<uint32_t> out;
  if (!live[a.start()]) return out;
  enum : uint8_t { unseen, open, done };
  std::vector<uint8_t> colour(a.states(), unseen);
  struct Place {
    uint32_t state;
    size_t edge;  // of those, 0 is the fallback
  };
  std::vector<Place> path{{a.start(), 0}};
  colour[a.start()] = open;
  while (!path.empty()) {
    Place& place = path.back();
    const std::span<const Edge> edges = a.edges(place.state);
    if (place.edge > edges.size()) {
      colour[place.state] = done;
      out.push_back(place.state);
      path.pop_back();
      continue;
    }
    const uint32_t target = place.edge == 0 ? a.fallback(place.state) : edges[place.edge - 1].target;
    ++place.edge;
    if (!live[target] || colour[target] == done) continue;
    if (colour[target] == open) return std::nullopt;
    colour[target] = open;
    path.push_back({target, 0});
  }
  return out;
}

// The number of code points of each class.
std::vector<uint64_t> class_sizes(const Alphabet& alphabet) {
  std::vector<uint64_t> out(alphabet.classes, 0);
  for (size_t i = 0; i < alphabet.starts.size(); ++i) {
    const uint32_t lo = alphabet.starts[i];
    const uint32_t hi = i + 1 < alphabet.starts.size() ? alphabet.starts[i + 1] - 1 : last_code;
    const bool holds_surrogates = lo <= first_surrogate && hi >= last_surrogate;
    out[alphabet.owners[i]] += hi - lo + 1 - (holds_surrogates ? last_surrogate - first_surrogate + 1 : 0);
  }
  return out;
}

}  // namespace queries

bool is_empty(const Dfa& a) {
  const std::vector<uint32_t> states = queries::reached(a);
  return std::none_of(states.begin(), states.end(), [&](uint32_t state) { return a.accepting(state); });
}

bool is_everything(const Dfa& a) {
  const std::vector<uint32_t> states = queries::reached(a);
  return std::all_of(states.begin(), states.end(), [&](uint32_t state) { return a.accepting(state); });
}

bool is_finite(const Dfa& a) { return queries::last_first(a, live_states(a)).has_value(); }

uint64_t count(const Dfa& a, uint64_t at_most) {
  const std::vector<uint8_t> live = live_states(a);
  const auto order = queries::last_first(a, live);
  if (!order) return at_most + 1;
  const std::vector<uint64_t> sizes = queries::class_sizes(a.alphabet());
  uint64_t all = 0;
  for (const uint64_t size : sizes) all += size;
  const uint64_t full = at_most + 1;
  std::vector<uint64_t> words(a.states(), 0);
  for (const uint32_t state : *order) {
    uint64_t sum = a.accepting(state) ? 1 : 0;
    const auto add = [&](uint64_t ways, uint32_t target) {
      if (words[target] == 0 || ways == 0) return;
      sum = words[target] > full / ways ? full : std::min(full, sum + words[target] * ways);
    };
    uint64_t rest = all;
    for (const Edge& edge : a.edges(state)) {
      add(sizes[edge.cls], edge.target);
      rest -= sizes[edge.cls];
    }
    add(rest, a.fallback(state));
    words[state] = sum;
  }
  return words[a.start()];
}

std::optional<std::vector<std::string>> words(const Dfa& a, uint64_t at_most) {
  if (count(a, at_most) > at_most) return std::nullopt;
  const std::vector<uint8_t> live = live_states(a);
  std::vector<std::string> out;
  if (!live[a.start()]) return out;
  // Length by length, and each length in the order of its prefixes, so the words come out ordered.
  struct Prefix {
    uint32_t state;
    std::string text;
  };
  std::vector<std::vector<Arc>> ways(a.states());
  std::vector<uint8_t> known(a.states(), 0);
  std::vector<Prefix> now{{a.start(), ""}};
  while (!now.empty()) {
    std::vector<Prefix> next;
    for (Prefix& prefix : now) {
      if (a.accepting(prefix.state)) out.push_back(prefix.text);
      if (!known[prefix.state]) {
        known[prefix.state] = 1;
        // Single ranges by code point; a live target has a word behind it, so there are no more of them than words.
        for (Arc& arc : a.arcs(prefix.state, live)) {
          for (const Range& range : arc.set) ways[prefix.state].push_back({arc.target, {range}});
        }
        std::sort(ways[prefix.state].begin(), ways[prefix.state].end(),
                  [](const Arc& x, const Arc& y) { return x.set[0].lo < y.set[0].lo; });
      }
      for (const Arc& arc : ways[prefix.state]) {
        for (uint32_t code = arc.set[0].lo; code <= arc.set[0].hi; ++code) {
          std::string text = prefix.text;
          utf8_append(text, code);
          next.push_back({arc.target, std::move(text)});
        }
      }
    }
    now = std::move(next);
  }
  return out;
}

std::optional<std::string> shortest(const Dfa& a) {
  constexpr uint32_t nothing = 0xFFFFFFFFu;
  struct From {
    uint32_t state;
    uint32_t code;
  };
  std::vector<From> from(a.states(), From{nothing, nothing});
  std::vector<uint32_t> queue{a.start()};
  from[a.start()].code = 0;
  for (size_t i = 0; i < queue.size(); ++i) {
    const uint32_t state = queue[i];
    if (a.accepting(state)) {
      std::vector<uint32_t> codes;
      for (uint32_t at = state; from[at].state != nothing; at = from[at].state) codes.push_back(from[at].code);
      std::string out;
      for (size_t j = codes.size(); j-- > 0;) utf8_append(out, codes[j]);
      return out;
    }
    // Intervals ascending, so that the smallest code point reaches a state first.
    for (size_t j = 0; j < a.alphabet().starts.size(); ++j) {
      const uint32_t target = a.next(state, a.alphabet().owners[j]);
      if (from[target].code != nothing) continue;
      from[target] = {state, a.alphabet().starts[j]};
      queue.push_back(target);
    }
  }
  return std::nullopt;
}

std::optional<Lengths> lengths(const Dfa& a) {
  const std::vector<uint8_t> live = live_states(a);
  if (!live[a.start()]) return std::nullopt;
  Lengths out{0, patterns::unbounded};
  // Least: rounds of a breadth-first walk.
  std::vector<uint8_t> seen(a.states(), 0);
  std::vector<uint32_t> round{a.start()};
  seen[a.start()] = 1;
  while (std::none_of(round.begin(), round.end(), [&](uint32_t state) { return a.accepting(state); })) {
    std::vector<uint32_t> next;
    const auto meet = [&](uint32_t state) {
      if (!seen[state]) seen[state] = 1, next.push_back(state);
    };
    for (const uint32_t state : round) {
      meet(a.fallback(state));
      for (const Edge& edge : a.edges(state)) meet(edge.target);
    }
    round = std::move(next);
    ++out.least;
  }
  if (const auto order = queries::last_first(a, live)) {
    std::vector<uint32_t> longest(a.states(), 0);
    for (const uint32_t state : *order) {
      const auto meet = [&](uint32_t target) {
        if (live[target]) longest[state] = std::max(longest[state], longest[target] + 1);
      };
      meet(a.fallback(state));
      for (const Edge& edge : a.edges(state)) meet(edge.target);
    }
    out.greatest = longest[a.start()];
  }
  return out;
}

}  // namespace bankml::regular
