// A pattern's tree as a program, repetitions written out, then its automaton. What can be left out of a repetition is nested, x{0,3} as
// (x(x(x)?)?)?, so that the ways out of it lead to one place.
// Tested by tests/regular/ecma.cpp
#include <algorithm>
#include <utility>

#include "core/base/status.h"
#include "core/regular/dfa.h"
#include "core/regular/nfa.h"
#include "core/regular/table_writer.h"

namespace bankml::regular {
namespace from_tree {

using patterns::Ast;
using patterns::Node;

constexpr uint32_t max_depth = 2000;  // nodes inside one another

// Written from the end: each part is told where to go on.
class Compiler {
 public:
  Compiler(const Ast& ast, Nfa& nfa, const Limits& limits) : ast_(ast), nfa_(nfa), limits_(limits) {}

  uint32_t add(Nfa::Step step) {
    if (nfa_.steps.size() >= limits_.parts) {
      throw Failure(Status::limit, "pattern: more than " + std::to_string(limits_.parts) + " parts, repetitions written out");
    }
    nfa_.steps.push_back(step);
    return static_cast<uint32_t>(nfa_.steps.size() - 1);
  }

  uint32_t part(uint32_t index, uint32_t next, uint32_t depth) {
    if (depth > max_depth) throw Failure(Status::limit, "pattern: more than " + std::to_string(max_depth) + " parts inside one another");
    const Node& node = ast_.nodes[index];
    const uint32_t* child = ast_.children.data() + node.first;
    switch (node.kind) {
      case Node::empty:
        return next;
      case Node::set:
        return add({Nfa::Step::read, next, 0, node.value});
      case Node::assertion:
        return add({Nfa::Step::check, next, 0, node.value});
      case Node::group:
        return part(child[0], next, depth + 1);
      case Node::sequence:
        for (uint32_t i = node.count; i-- > 0;) next = part(child[i], next, depth + 1);
        return next;
      case Node::alternation: {
        uint32_t entry = part(child[node.count - 1], next, depth + 1);
        for (uint32_t i = node.count - 1; i-- > 0;) {
          const uint32_t way = part(child[i], next, depth + 1);
          entry = add({Nfa::Step::split, way, entry});
        }
        return entry;
      }
      case Node::repeat:
        return repeat(node, child[0], next, depth + 1);
    }
    return next;
  }

 private:
  uint32_t repeat(const Node& node, uint32_t child, uint32_t next, uint32_t depth) {
    uint32_t entry = next;
    if (node.max == patterns::unbounded) {
      const uint32_t loop = add({Nfa::Step::split, next, next});
      nfa_.steps[loop].next = part(child, loop, depth);
      entry = loop;
    } else {
      for (uint32_t i = node.min; i < node.max; ++i) {
        const uint32_t way = part(child, entry, depth);
        if (way == entry) break;  // nothing was written: the child is empty, and so are all its copies
        entry = add({Nfa::Step::split, way, next});
      }
    }
    for (uint32_t i = 0; i < node.min; ++i) {
      const uint32_t way = part(child, entry, depth);
      if (way == entry) break;
      entry = way;
    }
    return entry;
  }

  const Ast& ast_;
  Nfa& nfa_;
  const Limits& limits_;
};

}  // namespace from_tree

Dfa from_ast(const patterns::Ast& ast, Reading reading, const Limits& limits) {
  Nfa nfa;
  std::vector<Set> sets = ast.sets;
  for (Set& set : sets) set = normal(std::move(set));
  const uint32_t everything = static_cast<uint32_t>(sets.size());
  sets.push_back(all_codes());
  const bool words = std::any_of(ast.nodes.begin(), ast.nodes.end(), [](const patterns::Node& node) {
    return node.kind == patterns::Node::assertion && node.value != patterns::at_begin && node.value != patterns::at_end;
  });
  if (words) sets.push_back({{'0', '9'}, {'A', 'Z'}, {'_', '_'}, {'a', 'z'}});
  Partition classes = partition(sets);
  nfa.alphabet = classes.alphabet;
  nfa.sets = std::move(classes.classes_of_set);
  if (words) nfa.word = nfa.sets.back();

  from_tree::Compiler compiler(ast, nfa, limits);
  const uint32_t match = compiler.add({Nfa::Step::match});
  nfa.start = compiler.part(ast.root, match, 0);
  if (reading == Reading::search) {
    const uint32_t loop = compiler.add({Nfa::Step::split, nfa.start, 0});
    const uint32_t any = compiler.add({Nfa::Step::read, loop, 0, everything});
    nfa.steps[loop].other = any;
    nfa.start = loop;
  }
  return minimised(determinise(nfa, reading, limits));
}

}  // namespace bankml::regular
