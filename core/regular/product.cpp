// Two automata side by side: intersection, union, difference, and the comparisons that need no table. Only pairs of states that are
// reached are made, and a pair whose answer one side has already decided is one of two sinks.
// Tested by tests/regular/algebra.cpp
#include <algorithm>
#include <unordered_set>
#include <utility>
#include <vector>

#include "core/regular/dfa.h"
#include "core/regular/table_writer.h"

namespace bankml::regular {
namespace products {

// Bit 2 * (a accepts) + (b accepts).
constexpr uint32_t both = 0b1000;
constexpr uint32_t either = 0b1110;
constexpr uint32_t first_only = 0b0100;
constexpr uint32_t exactly_one = 0b0110;

bool answer(uint32_t table, bool a, bool b) { return (table >> (2 * a + b) & 1) != 0; }

// Open table from pairs of states to numbers.
class Pairs {
 public:
  Pairs() : slots_(256, Slot{0, 0}) {}
  std::pair<uint32_t, bool> number(uint64_t pair) {
    if ((list_.size() + 1) * 2 > slots_.size()) grow();
    const size_t at = place(pair);
    if (slots_[at].number != 0) return {slots_[at].number - 1, false};
    list_.push_back(pair);
    slots_[at] = {pair, static_cast<uint32_t>(list_.size())};
    return {static_cast<uint32_t>(list_.size() - 1), true};
  }
  uint64_t operator[](size_t number) const { return list_[number]; }
  size_t size() const { return list_.size(); }

 private:
  struct Slot {
    uint64_t pair;
    uint32_t number;  // + 1
  };
  size_t place(uint64_t pair) const {
    const size_t mask = slots_.size() - 1;
    size_t i = static_cast<size_t>((pair * 0x9E3779B97F4A7C15u) >> 32) & mask;
    while (slots_[i].number != 0 && slots_[i].pair != pair) i = (i + 1) & mask;
    return i;
  }
  void grow() {
    slots_.assign(slots_.size() * 2, Slot{0, 0});
    for (size_t n = 0; n < list_.size(); ++n) slots_[place(list_[n])] = {list_[n], static_cast<uint32_t>(n + 1)};
  }
  std::vector<uint64_t> list_;
  std::vector<Slot> slots_;
};

// The rows of pairs, one after another.
class Walk {
 public:
  Walk(const Dfa& a, const Dfa& b, uint32_t table, const Limits& limits)
      : a_(a), b_(b), table_(table), limits_(limits), classes_(refine(a.alphabet_ptr(), b.alphabet_ptr())) {
    same_ = classes_.alphabet == a.alphabet_ptr() && classes_.alphabet == b.alphabet_ptr();
    if (!same_) {
      invert(classes_.first, a.alphabet().classes, finer_a_);
      invert(classes_.second, b.alphabet().classes, finer_b_);
    }
    start_ = number(a.start(), b.start());
  }
  uint32_t start() const { return start_; }
  size_t pairs() const { return pairs_.size(); }
  const AlphabetPtr& alphabet() const { return classes_.alphabet; }
  bool accepting(size_t n) const {
    if (pairs_[n] >= decided) return pairs_[n] == decided + 1;
    return answer(table_, a_.accepting(static_cast<uint32_t>(pairs_[n] >> 32)), b_.accepting(static_cast<uint32_t>(pairs_[n])));
  }
  // The row of pair n: exceptions by class, and where the other classes lead (if there are any).
  uint32_t row(size_t n, std::vector<Edge>& edges) {
    edges.clear();
    if (pairs_[n] >= decided) return static_cast<uint32_t>(n);
    const uint32_t p = static_cast<uint32_t>(pairs_[n] >> 32);
    const uint32_t q = static_cast<uint32_t>(pairs_[n]);
    const std::vector<Edge>& x = finer(a_.edges(p), finer_a_, list_a_);
    const std::vector<Edge>& y = finer(b_.edges(q), finer_b_, list_b_);
    const uint32_t other_p = a_.fallback(p);
    const uint32_t other_q = b_.fallback(q);
    for (size_t i = 0, j = 0; i < x.size() || j < y.size();) {
      const uint32_t cls = j == y.size() || (i < x.size() && x[i].cls <= y[j].cls) ? x[i].cls : y[j].cls;
      const uint32_t to_p = i < x.size() && x[i].cls == cls ? x[i++].target : other_p;
      const uint32_t to_q = j < y.size() && y[j].cls == cls ? y[j++].target : other_q;
      edges.push_back({cls, number(to_p, to_q)});
    }
    work_ += edges.size() + 1;
    if (work_ > limits_.work) too_many("edges", limits_.work);
    return edges.size() == classes_.alphabet->classes ? 0 : number(other_p, other_q);
  }

 private:
  static constexpr uint64_t decided = uint64_t{0xFFFFFFFFu} << 32;  // + 0: never, + 1: always

  struct Classes {
    std::vector<uint32_t> begin;
    std::vector<uint32_t> list;
  };
  static void invert(const std::vector<uint32_t>& coarse, uint32_t count, Classes& out) {
    out.begin.assign(count + 1, 0);
    for (const uint32_t cls : coarse) ++out.begin[cls + 1];
    for (uint32_t cls = 0; cls < count; ++cls) out.begin[cls + 1] += out.begin[cls];
    out.list.resize(coarse.size());
    std::vector<uint32_t> at(out.begin.begin(), out.begin.end() - 1);
    for (uint32_t fine = 0; fine < coarse.size(); ++fine) out.list[at[coarse[fine]]++] = fine;
  }
  const std::vector<Edge>& finer(std::span<const Edge> edges, const Classes& classes, std::vector<Edge>& list) const {
    list.clear();
    if (same_) {
      list.assign(edges.begin(), edges.end());
      return list;
    }
    for (const Edge& edge : edges) {
      for (uint32_t i = classes.begin[edge.cls]; i < classes.begin[edge.cls + 1]; ++i) list.push_back({classes.list[i], edge.target});
    }
    std::sort(list.begin(), list.end(), [](const Edge& x, const Edge& y) { return x.cls < y.cls; });
    return list;
  }

  static bool is_sink(const Dfa& dfa, uint32_t state) { return dfa.edges(state).empty() && dfa.fallback(state) == state; }
  uint32_t number(uint32_t p, uint32_t q) {
    uint64_t pair = uint64_t{p} << 32 | q;
    const bool p_stays = is_sink(a_, p);
    const bool q_stays = is_sink(b_, q);
    if (p_stays || q_stays) {
      const bool x = a_.accepting(p);
      const bool y = b_.accepting(q);
      if (p_stays && q_stays) pair = decided + answer(table_, x, y);
      if (p_stays && answer(table_, x, false) == answer(table_, x, true)) pair = decided + answer(table_, x, false);
      if (q_stays && answer(table_, false, y) == answer(table_, true, y)) pair = decided + answer(table_, false, y);
    }
    const auto [number, fresh] = pairs_.number(pair);
    if (fresh && pairs_.size() > limits_.states) too_many("states", limits_.states);
    return number;
  }

  const Dfa& a_;
  const Dfa& b_;
  uint32_t table_;
  Limits limits_;
  Refinement classes_;
  bool same_ = false;
  Classes finer_a_;
  Classes finer_b_;
  Pairs pairs_;
  std::vector<Edge> list_a_;
  std::vector<Edge> list_b_;
  uint64_t work_ = 0;
  uint32_t start_ = 0;
};

Dfa combine(const Dfa& a, const Dfa& b, uint32_t table, const Limits& limits) {
  Walk walk(a, b, table, limits);
  TableWriter writer(walk.alphabet(), limits);
  writer.table().start = walk.start();
  std::vector<Edge> edges;
  for (size_t n = 0; n < walk.pairs(); ++n) {
    const uint32_t fallback = walk.row(n, edges);
    writer.add(walk.accepting(n), fallback, edges);
  }
  return Dfa(std::move(writer.table()));
}

// Is there a text on which the answer is yes?
bool finds(const Dfa& a, const Dfa& b, uint32_t table, const Limits& limits) {
  Walk walk(a, b, table, limits);
  std::vector<Edge> edges;
  for (size_t n = 0; n < walk.pairs(); ++n) {
    if (walk.accepting(n)) return true;
    walk.row(n, edges);
  }
  return false;
}

bool trivial(const Dfa& a, bool accepting) { return a.states() == 1 && a.accepting(0) == accepting; }

}  // namespace products

Dfa meet(const Dfa& a, const Dfa& b, const Limits& limits) {
  if (products::trivial(a, true) || products::trivial(b, false)) return b;
  if (products::trivial(b, true) || products::trivial(a, false)) return a;
  return products::combine(a, b, products::both, limits);
}

Dfa join(const Dfa& a, const Dfa& b, const Limits& limits) {
  if (products::trivial(a, false) || products::trivial(b, true)) return b;
  if (products::trivial(b, false) || products::trivial(a, true)) return a;
  return products::combine(a, b, products::either, limits);
}

Dfa minus(const Dfa& a, const Dfa& b, const Limits& limits) {
  if (products::trivial(b, false) || products::trivial(a, false)) return a;
  return products::combine(a, b, products::first_only, limits);
}

Dfa join_all(std::span<const Dfa> parts, const Limits& limits) {
  if (parts.empty()) return none();
  // By halves, so that no part is walked over more often than the logarithm says.
  std::vector<Dfa> round(parts.begin(), parts.end());
  while (round.size() > 1) {
    std::vector<Dfa> next;
    for (size_t i = 0; i + 1 < round.size(); i += 2) next.push_back(join(round[i], round[i + 1], limits));
    if (round.size() % 2 == 1) next.push_back(round.back());
    round = std::move(next);
  }
  return round.front();
}

bool equal(const Dfa& a, const Dfa& b, const Limits& limits) { return !products::finds(a, b, products::exactly_one, limits); }
bool includes(const Dfa& a, const Dfa& b, const Limits& limits) { return !products::finds(b, a, products::first_only, limits); }
bool disjoint(const Dfa& a, const Dfa& b, const Limits& limits) { return !products::finds(a, b, products::both, limits); }

}  // namespace bankml::regular
