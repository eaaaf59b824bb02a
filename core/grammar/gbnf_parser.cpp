// The parser. Groups are kept on a stack of its own, so nesting depth costs memory and never the thread's stack.
//
// Repetition is rewriting, exactly as the reference does it, because the numbers of rules and the limits depend on it: with S the
// item before the operator, m copies of S; without an upper bound a new rule R ::= S R | (empty); with one, n - m new rules
// R1 ::= S | , Rk ::= S R(k-1) | . Weight of an item: 1; of a group: the symbols that it created; each operator multiplies it.
//
// Where the reference would generate rules until memory ends ({5,3}), this refuses. Its own limit is the number of elements.
// Source: llama.cpp b11192, src/llama-grammar.cpp. Tested by tests/grammar/gbnf_parser.cpp
#include "core/grammar/gbnf_parser.h"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/base/status.h"
#include "core/grammar/gbnf_text.h"
#include "core/grammar/rule_checks.h"

namespace bankml::grammar {
namespace gbnf_parser {

constexpr uint64_t max_repetitions = 2000;
constexpr uint64_t unbounded = UINT64_MAX;

// A rule while it is being read: alternatives end with `end` elements.
struct Body {
  std::vector<Element> elements;
  std::vector<Repeat> repeats;  // `begin` counts from the body's first element
  bool defined = false;
};

// An open group, or a rule's body itself at the bottom.
struct Level {
  uint32_t rule;
  size_t symbols_before;  // symbols known when the group began
  Body body;
  size_t item = 0;      // where the last item begins
  uint64_t weight = 1;  // of the last item
};

class Parser {
 public:
  Parser(std::string_view text, const ParseSetup& setup) : text_(text), setup_(setup) {}

  Rules run() {
    text_.blanks(true);
    while (!text_.done()) rule();
    check_defined();
    if (bodies_.empty()) text_.fail("failed to parse grammar: it has no rules");
    const auto root = symbols_.find(setup_.root);
    if (root == symbols_.end()) text_.fail("grammar does not contain a '" + setup_.root + "' symbol");
    return flatten(root->second);
  }

 private:
  void rule() {
    const std::string name(text_.name());
    text_.blanks(false);
    const uint32_t id = symbol(name);
    if (text_.peek() != ':' || text_.peek(1) != ':' || text_.peek(2) != '=') text_.fail_at("expecting ::=");
    text_.skip(3);
    text_.blanks(true);
    base_name_ = name;
    body(id);
    if (text_.peek() == '\r') {
      text_.skip(text_.peek(1) == '\n' ? 2 : 1);
    } else if (text_.peek() == '\n') {
      text_.skip(1);
    } else if (!text_.done()) {
      text_.fail_at("expecting newline or end");
    }
    text_.blanks(true);
  }

  // One rule's alternatives, with all groups inside.
  void body(uint32_t id) {
    levels_.clear();
    levels_.push_back({id, 0, {}, 0, 1});
    for (;;) {
      if (item()) continue;
      Level& level = levels_.back();
      if (text_.peek() == '|') {
        push(level, {Element::end, 0});
        text_.skip(1);
        text_.blanks(true);
        level.item = level.body.elements.size();
        level.weight = 1;
        continue;
      }
      push(level, {Element::end, 0});
      const uint32_t done = level.rule;
      const size_t created = symbol_count() - level.symbols_before;
      define(done, std::move(level.body));
      levels_.pop_back();
      if (levels_.empty()) return;
      begin_item(std::max<uint64_t>(1, created));
      push(levels_.back(), {Element::rule, done});
      if (text_.peek() != ')') text_.fail_at("expecting ')'");
      text_.skip(1);
      text_.blanks(nested());
    }
  }

  bool nested() const noexcept { return levels_.size() > 1; }

  // One item or operator; false if neither begins here.
  bool item() {
    const char c = text_.peek();
    if (text_.done()) return false;
    if (c == '"') {
      literal();
    } else if (c == '[') {
      char_class();
    } else if (c == '<' || c == '!') {
      token_reference();
    } else if (text_.at_name()) {
      const uint32_t id = symbol(std::string(text_.name()));
      begin_item(1);
      push(levels_.back(), {Element::rule, id});
    } else if (c == '(') {
      text_.skip(1);
      text_.blanks(true);
      const size_t before = symbol_count();
      levels_.push_back({generated_symbol(), before, {}, 0, 1});
      return true;
    } else if (c == '.') {
      text_.skip(1);
      begin_item(1);
      push(levels_.back(), {Element::chars, set_id({true, {}})});
    } else if (c == '*' || c == '+' || c == '?') {
      text_.skip(1);
      text_.blanks(nested());
      repeat(c == '+' ? 1 : 0, c == '?' ? 1 : unbounded);
      return true;
    } else if (c == '{') {
      braces();
      return true;
    } else {
      return false;
    }
    text_.blanks(nested());
    return true;
  }

  void begin_item(uint64_t weight) {
    levels_.back().item = levels_.back().body.elements.size();
    levels_.back().weight = weight;
  }

  void literal() {
    text_.skip(1);
    begin_item(1);
    while (text_.peek() != '"' || text_.done()) {
      const uint32_t c = text_.code_point();  // refuses the end of the text
      push(levels_.back(), {Element::chars, set_id({false, {{c, c}}})});
    }
    text_.skip(1);
  }

  void char_class() {
    text_.skip(1);
    CharSet set;
    if (text_.peek() == '^') {
      set.negated = true;
      text_.skip(1);
    }
    begin_item(1);
    while (text_.peek() != ']' || text_.done()) {
      const uint32_t lo = text_.code_point();
      uint32_t hi = lo;
      if (text_.peek() == '-' && text_.peek(1) != ']') {
        text_.skip(1);
        hi = text_.code_point();
      }
      set.ranges.push_back({lo, hi});
    }
    text_.skip(1);
    // An empty class, [] or [^], is an item of no elements: it matches the empty text.
    if (!set.ranges.empty()) push(levels_.back(), {Element::chars, set_id(set)});
  }

  void token_reference() {
    Element::Kind kind = Element::token;
    if (text_.peek() == '!') {
      kind = Element::not_token;
      text_.skip(1);
    }
    const size_t begin = text_.at();
    if (text_.peek() != '<') text_.fail_at("expecting '<'");
    text_.skip(1);
    uint32_t id = 0;
    if (text_.peek() == '[') {
      text_.skip(1);
      const size_t digits = text_.at();
      const uint64_t value = text_.number("expecting integer", "stoul");
      if (value > UINT32_MAX) text_.fail_at("parsed token id is too big", digits);
      if (text_.peek() != ']') text_.fail_at("expecting ']'");
      text_.skip(1);
      if (text_.peek() != '>') text_.fail_at("expecting '>'");
      text_.skip(1);
      id = static_cast<uint32_t>(value);
    } else {
      if (!setup_.token_of_text) text_.fail_at("no vocab to parse token", begin);
      while (!text_.done() && text_.peek() != '>') text_.skip(1);
      if (text_.done()) text_.fail_at("expecting '>'");
      text_.skip(1);
      const std::string_view name = text_.since(begin);
      const int64_t token = setup_.token_of_text(name);
      if (token < 0) text_.fail("invalid token '" + std::string(name) + "'");
      id = static_cast<uint32_t>(token);
    }
    begin_item(1);
    push(levels_.back(), {kind, id});
  }

  void braces() {
    const size_t begin = text_.at();
    text_.skip(1);
    text_.blanks(nested());
    uint64_t low = text_.number("expecting an int", "stoull");
    uint64_t high = unbounded;
    text_.blanks(nested());
    if (text_.peek() == '}') {
      high = low;
    } else if (text_.peek() == ',') {
      text_.skip(1);
      text_.blanks(nested());
      if (text_.at_digit()) {
        high = text_.number("expecting an int", "stoull");
        text_.blanks(nested());
      }
      if (text_.peek() != '}') text_.fail_at("expecting '}'");
    } else {
      text_.fail_at("expecting ','");
    }
    text_.skip(1);
    const std::string_view written = text_.since(begin);
    text_.blanks(nested());
    if (low > max_repetitions) {
      text_.fail("number of repetitions exceeds sane defaults, please reduce the number of repetitions");
    }
    if (high > max_repetitions) high = unbounded;
    if (high < low) text_.fail("the repetition " + std::string(written) + " has a maximum below its minimum");
    repeat(low, high);
  }

  void repeat(uint64_t low, uint64_t high) {
    Level& level = levels_.back();
    std::vector<Element>& out = level.body.elements;
    if (level.item == out.size()) text_.fail_at("expecting preceding item to */+/?/{");
    const bool bounded = high != unbounded;
    const uint64_t times = bounded && high > 0 ? high : low > 0 ? low : 1;
    if (level.weight * times > max_repetitions) {
      text_.fail(
          "number of rules that are going to be repeated multiplied by the new repetition exceeds sane defaults, please reduce the "
          "number of repetitions or rule complexity");
    }
    const std::vector<Element> copy(out.begin() + static_cast<std::ptrdiff_t>(level.item), out.end());
    std::vector<Repeat>& repeats = level.body.repeats;
    while (!repeats.empty() && repeats.back().begin >= level.item) repeats.pop_back();  // now inside of larger copies
    if (low == 0) {
      elements_ -= copy.size();
      out.resize(level.item);
    } else if (low > 1) {
      room_for((low - 1) * copy.size());
      out.reserve(out.size() + static_cast<size_t>(low - 1) * copy.size());
      for (uint64_t i = 1; i < low; ++i) out.insert(out.end(), copy.begin(), copy.end());
      repeats.push_back({false, static_cast<uint32_t>(level.item), static_cast<uint32_t>(copy.size()), static_cast<uint32_t>(low)});
    }
    const uint64_t optional = bounded ? high - low : 1;
    uint32_t last = 0;
    for (uint64_t i = 0; i < optional; ++i) {
      const uint32_t made = generated_symbol();
      Body body;
      room_for(copy.size() + 3);
      body.elements.reserve(copy.size() + 3);
      body.elements = copy;
      if (i > 0 || !bounded) body.elements.push_back({Element::rule, bounded ? last : made});
      body.elements.push_back({Element::end, 0});
      body.elements.push_back({Element::end, 0});  // the empty alternative
      define(made, std::move(body));
      last = made;
    }
    if (optional > 2)
      repeats_of_rules_.push_back({true, static_cast<uint32_t>(last + 1 - optional), 0, static_cast<uint32_t>(optional)});
    if (optional > 0) push(level, {Element::rule, last});
    level.weight *= times;
  }

  // ---- symbols, sets, rules ----

  size_t symbol_count() const noexcept { return names_.size(); }

  uint32_t symbol(const std::string& name) {
    const auto [found, is_new] = symbols_.emplace(name, static_cast<uint32_t>(names_.size()));
    if (is_new) names_.push_back(name);
    return found->second;
  }

  uint32_t generated_symbol() {
    names_.push_back(base_name_ + "_" + std::to_string(names_.size()));  // user names have no '_'
    return static_cast<uint32_t>(names_.size() - 1);
  }

  uint32_t set_id(const CharSet& set) {
    std::string key(1, set.negated ? '^' : '+');
    for (const CharRange& range : set.ranges) {
      key.append(reinterpret_cast<const char*>(&range.lo), sizeof range.lo);
      key.append(reinterpret_cast<const char*>(&range.hi), sizeof range.hi);
    }
    const auto [found, is_new] = set_ids_.emplace(std::move(key), static_cast<uint32_t>(sets_.size()));
    if (is_new) sets_.push_back(set);
    return found->second;
  }

  void room_for(uint64_t more) {
    elements_ += more;
    if (elements_ > setup_.max_elements) {
      text_.over_limit("the grammar has more than max_states = " + std::to_string(setup_.max_elements) +
                       " elements once its repetitions are written out");
    }
  }

  void push(Level& level, Element element) {
    room_for(1);
    level.body.elements.push_back(element);
  }

  void define(uint32_t id, Body body) {
    if (bodies_.size() <= id) bodies_.resize(id + 1);
    elements_ -= bodies_[id].elements.size();  // a later definition replaces an earlier one
    bodies_[id] = std::move(body);
    bodies_[id].defined = true;
  }

  // In the reference's order: holes of the table and references, rule by rule.
  void check_defined() const {
    for (const Body& body : bodies_) {
      if (!body.defined) text_.fail("Undefined rule");
      for (const Element& element : body.elements) {
        if (element.kind != Element::rule) continue;
        if (element.value >= bodies_.size() || !bodies_[element.value].defined) {
          text_.fail("Undefined rule identifier '" + names_[element.value] + "'");
        }
      }
    }
  }

  Rules flatten(uint32_t root) {
    Rules rules;
    rules.root = root;
    rules.sets = std::move(sets_);
    names_.resize(bodies_.size());  // symbols behind the last definition are not referred to any more
    rules.names = std::move(names_);
    rules.elements.reserve(static_cast<size_t>(elements_));
    rules.repeats = std::move(repeats_of_rules_);
    for (Body& body : bodies_) {
      const auto begin = static_cast<uint32_t>(rules.elements.size());
      rules.first.push_back(static_cast<uint32_t>(rules.alternatives.size()));
      bool fresh = true;
      for (const Element& element : body.elements) {
        if (fresh) rules.alternatives.push_back(static_cast<uint32_t>(rules.elements.size()));
        fresh = element.kind == Element::end;
        rules.elements.push_back(element);
      }
      for (Repeat repeat : body.repeats) {
        repeat.begin += begin;
        if (repeat.count > 2) rules.repeats.push_back(repeat);
      }
      body = {};
    }
    rules.first.push_back(static_cast<uint32_t>(rules.alternatives.size()));
    return rules;
  }

  GbnfText text_;
  const ParseSetup& setup_;
  std::string base_name_;  // of the rule being read; generated names begin with it
  std::vector<Level> levels_;
  std::map<std::string, uint32_t> symbols_;
  std::vector<std::string> names_;
  std::unordered_map<std::string, uint32_t> set_ids_;
  std::vector<CharSet> sets_;
  std::vector<Body> bodies_;
  std::vector<Repeat> repeats_of_rules_;
  uint64_t elements_ = 0;
};

}  // namespace gbnf_parser

size_t Rules::bytes() const noexcept {
  size_t total = sizeof *this + elements.capacity() * sizeof(Element) + repeats.capacity() * sizeof(Repeat) +
                 (alternatives.capacity() + first.capacity()) * sizeof(uint32_t) + sets.capacity() * sizeof(CharSet) +
                 names.capacity() * sizeof(std::string);
  for (const CharSet& set : sets) total += set.ranges.capacity() * sizeof(CharRange);
  return total;
}

Rules parse_gbnf(std::string_view text, const ParseSetup& setup) {
  Rules rules = gbnf_parser::Parser(text, setup).run();
  refuse_left_recursion(rules);
  return rules;
}

}  // namespace bankml::grammar
