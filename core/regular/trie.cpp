// A finite set of words as its minimal automaton, in one pass over the sorted words: what lies behind the last common prefix with the
// next word is finished, and states with equal rows are one (Daciuk, Mihov, Watson, Watson: Incremental construction of minimal acyclic
// finite-state automata, 2000). No subset construction and no minimisation, as enumerations have thousands of words.
// Tested by tests/regular/dfa.cpp
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "core/base/status.h"
#include "core/base/utf8.h"
#include "core/regular/dfa.h"
#include "core/regular/interner.h"
#include "core/regular/table_writer.h"

namespace bankml::regular {
namespace tries {

struct Words {
  std::vector<uint32_t> codes;
  std::vector<size_t> ends;
};

Words decode(const std::vector<std::string>& words, const Limits& limits) {
  Words out;
  for (const std::string& word : words) {
    for (size_t at = 0; at < word.size();) {
      const Utf8Char c = utf8_decode(word, at);
      if (c.length == 0) throw Failure(Status::arg, "automaton: a word is no UTF-8");
      out.codes.push_back(c.code);
      at += c.length;
    }
    if (out.codes.size() > limits.work) too_many("characters in words", limits.work);
    out.ends.push_back(out.codes.size());
  }
  return out;
}

// Each code point that occurs is a class of its own, in their order; the last class is all others.
AlphabetPtr alphabet_of(const std::vector<uint32_t>& codes, std::vector<uint32_t>& distinct) {
  uint8_t low[256] = {};
  for (const uint32_t code : codes) code < 256 ? void(low[code] = 1) : distinct.push_back(code);
  std::sort(distinct.begin(), distinct.end());
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  std::vector<uint32_t> below;
  for (uint32_t code = 0; code < 256; ++code) {
    if (low[code]) below.push_back(code);
  }
  distinct.insert(distinct.begin(), below.begin(), below.end());

  auto alphabet = std::make_shared<Alphabet>();
  const uint32_t others = static_cast<uint32_t>(distinct.size());
  const auto put = [&](uint32_t code, uint32_t cls) {
    if (code > last_code) return;
    if (!alphabet->starts.empty() && alphabet->starts.back() == code) {
      alphabet->owners.back() = cls;
    } else {
      alphabet->starts.push_back(code);
      alphabet->owners.push_back(cls);
    }
  };
  put(0, others);
  for (uint32_t cls = 0; cls < others; ++cls) {
    put(distinct[cls], cls);
    put(distinct[cls] == first_surrogate - 1 ? last_surrogate + 1 : distinct[cls] + 1, others);
  }
  alphabet->classes = others + 1;
  alphabet->finish();
  return alphabet;
}

}  // namespace tries

Dfa literal(std::string_view text) { return literals({std::string(text)}); }

Dfa literals(std::vector<std::string> words, const Limits& limits) {
  if (words.empty()) return none();
  std::sort(words.begin(), words.end());
  words.erase(std::unique(words.begin(), words.end()), words.end());
  const tries::Words text = tries::decode(words, limits);
  std::vector<uint32_t> distinct;
  TableWriter writer(tries::alphabet_of(text.codes, distinct), limits);
  const uint32_t dead = writer.add_sink(false);

  struct Open {
    bool accepting = false;
    std::vector<Edge> edges;
  };
  std::vector<Open> path(1);  // the states of the word read last that may still grow
  Interner rows;              // row number n is state n + 1
  std::vector<uint32_t> row;
  const auto close = [&](Open& open) {
    row.assign(1, open.accepting ? 1 : 0);
    for (const Edge& edge : open.edges) {
      row.push_back(edge.cls);
      row.push_back(edge.target);
    }
    const auto [number, fresh] = rows.number(row);
    if (fresh) writer.add(open.accepting, dead, open.edges);
    open.edges.clear();
    open.accepting = false;
    return number + 1;
  };
  size_t depth = 0;  // of the word read last
  const auto close_down_to = [&](size_t to) {
    for (; depth > to; --depth) path[depth - 1].edges.back().target = close(path[depth]);
  };
  const auto class_of = [&](uint32_t code) {
    return code < 128 ? writer.table().alphabet->ascii[code]
                      : static_cast<uint32_t>(std::lower_bound(distinct.begin(), distinct.end(), code) - distinct.begin());
  };
  size_t begin = 0;
  size_t before = 0;  // begin of the word before
  for (const size_t end : text.ends) {
    size_t same = 0;
    while (same < depth && same < end - begin && text.codes[before + same] == text.codes[begin + same]) ++same;
    close_down_to(same);
    for (size_t at = begin + same; at < end; ++at) {
      path[depth].edges.push_back({class_of(text.codes[at]), 0});
      if (path.size() == ++depth) path.emplace_back();
    }
    path[depth].accepting = true;
    before = begin;
    begin = end;
  }
  close_down_to(0);
  writer.table().start = close(path[0]);
  writer.table().minimal = true;
  return Dfa(std::move(writer.table()));
}

}  // namespace bankml::regular
