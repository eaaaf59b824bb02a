// Writes the rows of a Table so that they keep to its form: no exception leads where the fallback leads, and the fallback is the way
// of at least one class.
// Tested by tests/regular/dfa.cpp
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/base/status.h"
#include "core/regular/dfa.h"

namespace bankml::regular {

[[noreturn]] inline void too_many(const char* what, uint64_t limit) {
  throw Failure(Status::limit, "automaton: more than " + std::to_string(limit) + " " + what);
}

class TableWriter {
 public:
  TableWriter(AlphabetPtr alphabet, const Limits& limits) : limits_(limits) {
    table_.alphabet = std::move(alphabet);
    table_.row.push_back(0);
  }
  uint32_t states() const { return static_cast<uint32_t>(table_.accepting.size()); }
  Table& table() { return table_; }

  // The next state. `edges`: ascending by class; they may lead where the fallback leads. The list is used up.
  uint32_t add(bool accepting, uint32_t fallback, std::vector<Edge>& edges) {
    if (states() >= limits_.states) too_many("states", limits_.states);
    if (edges.size() == table_.alphabet->classes) fallback = most_frequent(edges);
    for (const Edge& edge : edges) {
      if (edge.target != fallback) table_.edges.push_back(edge);
    }
    if (table_.edges.size() > limits_.work) too_many("edges", limits_.work);
    table_.row.push_back(static_cast<uint32_t>(table_.edges.size()));
    table_.fallback.push_back(fallback);
    table_.accepting.push_back(accepting ? 1 : 0);
    edges.clear();
    return states() - 1;
  }
  uint32_t add_sink(bool accepting) {
    std::vector<Edge> no_edges;
    return add(accepting, states(), no_edges);
  }

 private:
  // Boyer and Moore's vote: the majority where there is one, else one of the targets, which is as correct.
  static uint32_t most_frequent(const std::vector<Edge>& edges) {
    uint32_t best = edges.front().target;
    size_t votes = 0;
    for (const Edge& edge : edges) {
      if (votes == 0) best = edge.target;
      edge.target == best ? ++votes : --votes;
    }
    return best;
  }

  Table table_;
  Limits limits_;
};

}  // namespace bankml::regular
