// A regular language over code points as a complete deterministic automaton. A Dfa is a value: never changed once built, its tables
// shared between copies, so that copying costs a counter.
//
// A row is "everywhere to `fallback`, except for these classes": a trie of a thousand words, its complement and their products then
// cost what their words cost, not words times alphabet.
//
// Operations visit reachable states only and do not minimise by themselves (minimised() does; from_ast, concat and repeat end with
// it). Each takes Limits and throws Failure(Status::limit) with what was too large.
// Tested by tests/regular/dfa.cpp
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/patterns/ast.h"
#include "core/regular/alphabet.h"
#include "core/regular/limits.h"

namespace bankml::regular {

struct Edge {
  uint32_t cls;
  uint32_t target;
  bool operator==(const Edge&) const = default;
};

// What a builder fills; state i's exceptions are edges[row[i]] ... edges[row[i + 1] - 1], ascending by class, none of them to its
// own fallback.
struct Table {
  AlphabetPtr alphabet;
  std::vector<uint32_t> row;       // states + 1
  std::vector<uint32_t> fallback;  // the target of every class without an edge
  std::vector<uint8_t> accepting;
  std::vector<Edge> edges;
  uint32_t start = 0;
  bool minimal = false;
};

// Where a state leads on one set of code points.
struct Arc {
  uint32_t target;
  Set set;
};

class Dfa {
 public:
  Dfa();  // the empty language
  explicit Dfa(Table&& table);

  uint32_t states() const noexcept { return static_cast<uint32_t>(table_->accepting.size()); }
  uint32_t start() const noexcept { return table_->start; }
  bool accepting(uint32_t state) const noexcept { return table_->accepting[state] != 0; }
  const Alphabet& alphabet() const noexcept { return *table_->alphabet; }
  const AlphabetPtr& alphabet_ptr() const noexcept { return table_->alphabet; }
  const Table& table() const noexcept { return *table_; }
  bool minimal() const noexcept { return table_->minimal; }

  uint32_t fallback(uint32_t state) const noexcept { return table_->fallback[state]; }
  std::span<const Edge> edges(uint32_t state) const noexcept {
    return {table_->edges.data() + table_->row[state], table_->row[state + 1] - table_->row[state]};
  }
  uint32_t next(uint32_t state, uint32_t cls) const noexcept;  // by class
  uint32_t step(uint32_t state, uint32_t code) const noexcept { return next(state, alphabet().class_of(code)); }

  // The ways out of a state, one for each target, ascending by target; those into states that no accepting state can be reached
  // from are left out. `live` is live_states(*this).
  std::vector<Arc> arcs(uint32_t state, const std::vector<uint8_t>& live) const;

  // Is the text (UTF-8) a word? A text that is no UTF-8 is not.
  bool accepts(std::string_view text) const noexcept;

 private:
  std::shared_ptr<const Table> table_;
};

// ---- languages ----

Dfa none();                                          // no word
Dfa everything();                                    // every text
Dfa empty_text();                                    // the empty text alone
Dfa literal(std::string_view text);                  // one word; UTF-8, else Failure(arg)
Dfa literals(std::vector<std::string> words, const Limits& limits = {});  // minimal, straight from a trie
Dfa one_of(const Set& set);                          // one code point of the set
// min ... max code points of the set (max may be patterns::unbounded): minLength and maxLength, a run of states.
Dfa length(uint32_t min, uint32_t max, const Set& set = all_codes(), const Limits& limits = {});

// What an Ast describes: `whole` its whole texts, `search` the texts in which it is found somewhere. at_begin and at_end are the
// borders of the text, at_word_border is \b over [A-Za-z0-9_]. Captures, laziness and the order of alternatives mean nothing here.
enum class Reading : uint8_t { whole, search };
Dfa from_ast(const patterns::Ast& ast, Reading reading, const Limits& limits = {});

// ---- algebra ----

Dfa complement(const Dfa& a);
Dfa meet(const Dfa& a, const Dfa& b, const Limits& limits = {});   // intersection
Dfa join(const Dfa& a, const Dfa& b, const Limits& limits = {});   // union
Dfa minus(const Dfa& a, const Dfa& b, const Limits& limits = {});  // a without b
Dfa join_all(std::span<const Dfa> parts, const Limits& limits = {});
Dfa concat(const Dfa& a, const Dfa& b, const Limits& limits = {});
Dfa repeat(const Dfa& a, uint32_t min, uint32_t max, const Limits& limits = {});  // max may be patterns::unbounded
Dfa minimised(const Dfa& a);                                                      // states numbered breadth first from the start

// ---- questions ----

bool is_empty(const Dfa& a);
bool is_everything(const Dfa& a);
bool equal(const Dfa& a, const Dfa& b, const Limits& limits = {});     // the same language
bool includes(const Dfa& a, const Dfa& b, const Limits& limits = {});  // every word of b is a word of a
bool disjoint(const Dfa& a, const Dfa& b, const Limits& limits = {});
bool is_finite(const Dfa& a);
// The number of words; `at_most + 1` stands for "more than at_most" (infinitely many included).
uint64_t count(const Dfa& a, uint64_t at_most);
// All words by length, then by code points, if there are at most `at_most`; nothing otherwise.
std::optional<std::vector<std::string>> words(const Dfa& a, uint64_t at_most);
std::optional<std::string> shortest(const Dfa& a);  // the first of the shortest words; nothing if there is none
// For each state: can an accepting state be reached from it?
std::vector<uint8_t> live_states(const Dfa& a);
// Lengths of the words in code points: the least, and the greatest or patterns::unbounded. Nothing for the empty language.
struct Lengths {
  uint32_t least;
  uint32_t greatest;
};
std::optional<Lengths> lengths(const Dfa& a);

}  // namespace bankml::regular
