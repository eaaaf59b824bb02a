// The smallest automaton of a language: Hopcroft's refinement, in the form that splits states and transitions by each other
// (Valmari: Fast brief practical DFA minimization, 2012), n log n in the transitions. One sink, whichever more rows fall back to, is
// left out of the transitions: the others lead there. States that are that sink by meaning are put together with it before, which
// makes the omission exact.
//
// Classes that no row tells apart are joined at the end. Tested by tests/regular/algebra.cpp
#include <algorithm>
#include <utility>
#include <vector>

#include "core/regular/dfa.h"
#include "core/regular/table_writer.h"

namespace bankml::regular {
namespace minimising {

constexpr uint32_t nothing = 0xFFFFFFFFu;

// Numbers 0 ... n - 1 in blocks; marked ones of a block can be split off.
class Blocks {
 public:
  explicit Blocks(uint32_t count) : items_(count), place_(count), block_(count, 0) {
    for (uint32_t i = 0; i < count; ++i) items_[i] = place_[i] = i;
    if (count > 0) add(0, count);
  }
  uint32_t blocks() const { return static_cast<uint32_t>(begin_.size()); }
  uint32_t block_of(uint32_t item) const { return block_[item]; }
  std::span<const uint32_t> items(uint32_t block) const { return {items_.data() + begin_[block], end_[block] - begin_[block]}; }

  // Blocks by rising key; for transitions, by label.
  void sort_by(const std::vector<uint32_t>& key) {
    std::sort(items_.begin(), items_.end(), [&](uint32_t a, uint32_t b) { return key[a] < key[b]; });
    begin_.clear(), end_.clear(), marked_.clear();
    const uint32_t count = static_cast<uint32_t>(items_.size());
    for (uint32_t i = 0, from = 0; i < count; ++i) {
      place_[items_[i]] = i;
      block_[items_[i]] = static_cast<uint32_t>(begin_.size());
      if (i + 1 == count || key[items_[i + 1]] != key[items_[i]]) add(from, i + 1), from = i + 1;
    }
  }
  void mark(uint32_t item) {
    const uint32_t block = block_[item];
    const uint32_t at = place_[item];
    const uint32_t border = begin_[block] + marked_[block];
    if (at < border) return;
    const uint32_t there = items_[border];
    items_[at] = there, place_[there] = at;
    items_[border] = item, place_[item] = border;
    if (marked_[block]++ == 0) touched_.push_back(block);
  }
  // The smaller half of each touched block becomes a new one.
  void split() {
    for (const uint32_t block : touched_) {
      const uint32_t border = begin_[block] + marked_[block];
      marked_[block] = 0;
      if (border == end_[block]) continue;
      const bool first = border - begin_[block] <= end_[block] - border;
      const uint32_t from = first ? begin_[block] : border;
      const uint32_t to = first ? border : end_[block];
      (first ? begin_[block] : end_[block]) = border;
      for (uint32_t i = from; i < to; ++i) block_[items_[i]] = blocks();
      add(from, to);
    }
    touched_.clear();
  }

 private:
  void add(uint32_t from, uint32_t to) {
    begin_.push_back(from);
    end_.push_back(to);
    marked_.push_back(0);
  }
  std::vector<uint32_t> items_, place_, block_, begin_, end_, marked_, touched_;
};

// Lists of numbers by key.
struct Lists {
  Lists(const std::vector<uint32_t>& key, uint32_t keys) : begin(keys + 1, 0), list(key.size()) {
    for (const uint32_t k : key) ++begin[k + 1];
    for (uint32_t k = 0; k < keys; ++k) begin[k + 1] += begin[k];
    std::vector<uint32_t> at(begin.begin(), begin.end() - 1);
    for (uint32_t i = 0; i < key.size(); ++i) list[at[key[i]]++] = i;
  }
  std::span<const uint32_t> of(uint32_t key) const { return {list.data() + begin[key], begin[key + 1] - begin[key]}; }
  std::vector<uint32_t> begin, list;
};

// For each state: can a state with this answer be reached?
std::vector<uint8_t> reaching(const Dfa& dfa, bool accepting) {
  const uint32_t states = dfa.states();
  std::vector<uint32_t> from, to;
  from.reserve(states + dfa.table().edges.size()), to.reserve(states + dfa.table().edges.size());
  for (uint32_t state = 0; state < states; ++state) {
    from.push_back(state), to.push_back(dfa.fallback(state));
    for (const Edge& edge : dfa.edges(state)) from.push_back(state), to.push_back(edge.target);
  }
  const Lists into(to, states);
  std::vector<uint8_t> out(states, 0);
  std::vector<uint32_t> todo;
  for (uint32_t state = 0; state < states; ++state) {
    if (dfa.accepting(state) == accepting) out[state] = 1, todo.push_back(state);
  }
  while (!todo.empty()) {
    const uint32_t state = todo.back();
    todo.pop_back();
    for (const uint32_t way : into.of(state)) {
      if (!out[from[way]]) out[from[way]] = 1, todo.push_back(from[way]);
    }
  }
  return out;
}

// Classes that every row treats alike become one.
void join_classes(Table& table) {
  const uint32_t classes = table.alphabet->classes;
  std::vector<uint32_t> cls_of, state_of;
  for (uint32_t state = 0; state + 1 < table.row.size(); ++state) {
    for (uint32_t i = table.row[state]; i < table.row[state + 1]; ++i) cls_of.push_back(table.edges[i].cls), state_of.push_back(state);
  }
  const Lists of_class(cls_of, classes);
  std::vector<uint64_t> hash(classes, 0);
  for (uint32_t cls = 0; cls < classes; ++cls) {
    for (const uint32_t i : of_class.of(cls)) {
      hash[cls] = (hash[cls] ^ state_of[i]) * 0x9E3779B97F4A7C15u;
      hash[cls] = (hash[cls] ^ table.edges[i].target) * 0xC2B2AE3D27D4EB4Fu;
      hash[cls] ^= hash[cls] >> 31;
    }
  }
  const auto alike = [&](uint32_t a, uint32_t b) {
    const std::span<const uint32_t> x = of_class.of(a);
    const std::span<const uint32_t> y = of_class.of(b);
    return std::equal(x.begin(), x.end(), y.begin(), y.end(), [&](uint32_t i, uint32_t j) {
      return state_of[i] == state_of[j] && table.edges[i].target == table.edges[j].target;
    });
  };
  std::vector<uint32_t> order(classes), same(classes);
  for (uint32_t cls = 0; cls < classes; ++cls) order[cls] = same[cls] = cls;
  std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) { return hash[a] < hash[b]; });
  bool changed = false;
  for (uint32_t i = 0; i < classes; ++i) {
    if (same[order[i]] != order[i]) continue;
    for (uint32_t j = i + 1; j < classes && hash[order[j]] == hash[order[i]]; ++j) {
      if (same[order[j]] == order[j] && alike(order[i], order[j])) same[order[j]] = order[i], changed = true;
    }
  }
  if (!changed) return;
  auto alphabet = std::make_shared<Alphabet>(*table.alphabet);
  std::vector<uint32_t> number(classes, nothing);
  alphabet->classes = 0;
  for (uint32_t cls = 0; cls < classes; ++cls) {
    if (same[cls] == cls) number[cls] = alphabet->classes++;
  }
  for (uint32_t& owner : alphabet->owners) owner = number[same[owner]];
  alphabet->finish();
  size_t kept = 0;
  for (uint32_t state = 0, i = 0; state + 1 < table.row.size(); ++state) {
    const uint32_t end = table.row[state + 1];
    table.row[state] = static_cast<uint32_t>(kept);
    for (; i < end; ++i) {
      if (same[table.edges[i].cls] == table.edges[i].cls) table.edges[kept++] = {number[table.edges[i].cls], table.edges[i].target};
    }
  }
  table.edges.resize(kept);
  table.row.back() = static_cast<uint32_t>(kept);
  table.alphabet = std::move(alphabet);
}

class Minimiser {
 public:
  explicit Minimiser(const Dfa& dfa) : dfa_(dfa), states_(dfa.states()) {}

  Dfa run() {
    collect_sinks();
    list_transitions();
    Blocks blocks(states_);
    refine(blocks);
    return write(blocks);
  }

 private:
  void collect_sinks() {
    const std::vector<uint8_t> live = reaching(dfa_, true);
    const std::vector<uint8_t> failing = reaching(dfa_, false);
    uint32_t dead = nothing, full = nothing, into_dead = 0, into_full = 0;
    merged_.resize(states_);
    for (uint32_t state = 0; state < states_; ++state) {
      merged_[state] = state;
      if (!live[state]) merged_[state] = dead = dead == nothing ? state : dead;
      if (!failing[state]) merged_[state] = full = full == nothing ? state : full;
    }
    for (uint32_t state = 0; state < states_; ++state) {
      if (!live[dfa_.fallback(state)]) ++into_dead;
      if (!failing[dfa_.fallback(state)]) ++into_full;
    }
    omitted_ = into_full > into_dead ? full : dead;
  }

  void list_transitions() {
    const uint32_t classes = dfa_.alphabet().classes;
    const auto put = [&](uint32_t tail, uint32_t label, uint32_t head) {
      if (merged_[head] == omitted_) return;
      tails_.push_back(tail), labels_.push_back(label), heads_.push_back(merged_[head]);
    };
    for (uint32_t state = 0; state < states_; ++state) {
      if (merged_[state] != state) continue;
      const std::span<const Edge> edges = dfa_.edges(state);
      if (merged_[dfa_.fallback(state)] == omitted_) {
        for (const Edge& edge : edges) put(state, edge.cls, edge.target);
      } else {
        size_t i = 0;
        for (uint32_t cls = 0; cls < classes; ++cls) {
          const bool own = i < edges.size() && edges[i].cls == cls;
          put(state, cls, own ? edges[i++].target : dfa_.fallback(state));
        }
      }
    }
  }

  void refine(Blocks& blocks) {
    for (uint32_t state = 0; state < states_; ++state) {
      if (dfa_.accepting(state)) blocks.mark(state);
    }
    blocks.split();
    if (tails_.empty()) return;
    Blocks cords(static_cast<uint32_t>(tails_.size()));
    cords.sort_by(labels_);
    const Lists into(heads_, states_);
    for (uint32_t block = 1, cord = 0; cord < cords.blocks(); ++cord) {
      for (const uint32_t transition : cords.items(cord)) blocks.mark(tails_[transition]);
      blocks.split();
      for (; block < blocks.blocks(); ++block) {
        for (const uint32_t state : blocks.items(block)) {
          for (const uint32_t transition : into.of(state)) cords.mark(transition);
        }
        cords.split();
      }
    }
  }

  // States that were merged into a sink have no transitions and are in no block that matters; numbers go breadth first.
  Dfa write(const Blocks& blocks) {
    std::vector<uint32_t> number(blocks.blocks(), nothing);
    std::vector<uint32_t> queue;
    const auto number_of = [&](uint32_t state) {
      const uint32_t one = merged_[state];
      uint32_t& n = number[blocks.block_of(one)];
      if (n == nothing) n = static_cast<uint32_t>(queue.size()), queue.push_back(one);
      return n;
    };
    TableWriter writer(dfa_.alphabet_ptr(), Limits{.states = states_, .work = dfa_.table().edges.size()});
    number_of(dfa_.start());
    std::vector<Edge> edges;
    for (size_t i = 0; i < queue.size(); ++i) {
      const uint32_t state = queue[i];
      for (const Edge& edge : dfa_.edges(state)) edges.push_back({edge.cls, number_of(edge.target)});
      writer.add(dfa_.accepting(state), number_of(dfa_.fallback(state)), edges);
    }
    Table& table = writer.table();
    table.minimal = true;
    join_classes(table);
    return Dfa(std::move(table));
  }

  const Dfa& dfa_;
  uint32_t states_;
  uint32_t omitted_ = nothing;
  std::vector<uint32_t> merged_;  // the sink that a state is by meaning, else itself
  std::vector<uint32_t> tails_, labels_, heads_;
};

}  // namespace minimising

Dfa minimised(const Dfa& a) { return a.minimal() ? a : minimising::Minimiser(a).run(); }

std::vector<uint8_t> live_states(const Dfa& a) { return minimising::reaching(a, true); }

}  // namespace bankml::regular
