// Matching as the reference describes it and nothing clever: a set of stacks of elements, one test per token and stack. Slow; tests
// compare every mask with it. Shares the rules that the parser made, and nothing of the machine.
//
// Source: llama.cpp b11192, src/llama-grammar.cpp. Tested by tests/grammar/masks.cpp
#pragma once

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/grammar/rules.h"
#include "core/vocab/vocab.h"

namespace bankml::reference {

// Stacks of elements and their expansion, whatever pieces mean.
class PlainStacks {
 public:
  PlainStacks(const grammar::Rules& rules, const Vocab& vocab) : rules_(rules), vocab_(vocab) {
    std::set<Stack> seen;
    for (uint32_t a = rules_.first[rules_.root]; a < rules_.first[rules_.root + 1]; ++a) {
      Stack stack;
      if (rules_.elements[rules_.alternatives[a]].kind != grammar::Element::end) stack.push_back(rules_.alternatives[a]);
      expand(stack, stacks_, seen);
    }
  }
  size_t stack_count() const { return stacks_.size(); }

 protected:
  using Stack = std::vector<uint32_t>;  // the top last
  using Stacks = std::set<Stack>;

  static bool fits(const grammar::Element& element, int32_t token) {
    return (static_cast<uint32_t>(token) == element.value) == (element.kind == grammar::Element::token);
  }
  bool holds(const Stack& stack, uint32_t c) const {
    const grammar::CharSet& set = rules_.sets[rules_.elements[stack.back()].value];
    bool found = false;
    for (const grammar::CharRange& range : set.ranges) found = found || (range.lo <= c && c <= range.hi);
    return found != set.negated;
  }
  Stack after(Stack stack) const {
    const uint32_t next = stack.back() + 1;
    stack.pop_back();
    if (rules_.elements[next].kind != grammar::Element::end) stack.push_back(next);
    return stack;
  }
  void expand(const Stack& stack, Stacks& out, std::set<Stack>& seen) const {
    if (!seen.insert(stack).second) return;
    if (stack.empty() || rules_.elements[stack.back()].kind != grammar::Element::rule) {
      out.insert(stack);
      return;
    }
    const uint32_t rule = rules_.elements[stack.back()].value;
    const Stack rest = after(stack);
    for (uint32_t a = rules_.first[rule]; a < rules_.first[rule + 1]; ++a) {
      Stack next = rest;
      if (rules_.elements[rules_.alternatives[a]].kind != grammar::Element::end) next.push_back(rules_.alternatives[a]);
      expand(next, out, seen);
    }
  }

  const grammar::Rules& rules_;
  const Vocab& vocab_;
  Stacks stacks_;
};

class PlainGrammar : public PlainStacks {
 public:
  using PlainStacks::PlainStacks;

  bool complete() const { return stacks_.count({}) != 0; }

  bool allows(int32_t token) const {
    if (vocab_.is_eog(token)) return complete();
    const std::string piece(vocab_.piece(token));
    if (piece.empty() || piece[0] == '\0') return false;
    const Decoded decoded = decode(piece);
    for (const Stack& stack : stacks_) {
      if (accepts(stack, decoded, 0, token)) return true;
    }
    return false;
  }

  // False = the reference raises or aborts; the state is as before.
  bool accept(int32_t token) {
    if (vocab_.is_eog(token)) return complete();
    const Decoded decoded = decode(std::string(vocab_.piece(token)));
    Stacks now;
    for (const Stack& stack : stacks_) {
      if (stack.empty()) continue;
      const grammar::Element& top = rules_.elements[stack.back()];
      if (top.kind != grammar::Element::chars) {
        if (fits(top, token)) {
          std::set<Stack> seen;
          expand(after(stack), now, seen);
        }
        continue;
      }
      Stacks current{stack};
      for (const uint32_t c : decoded.chars) {
        Stacks next;
        for (const Stack& s : current) {
          if (s.empty() || rules_.elements[s.back()].kind != grammar::Element::chars || !holds(s, c)) continue;
          std::set<Stack> seen;
          expand(after(s), next, seen);
        }
        current = next;
      }
      now.insert(current.begin(), current.end());
    }
    if (now.empty()) return false;
    stacks_ = now;
    value_ = decoded.value;
    need_ = decoded.need;
    return true;
  }

 private:
  struct Decoded {
    std::vector<uint32_t> chars;
    uint32_t value = 0;
    int need = 0;
  };

  Decoded decode(std::string piece) const {
    static constexpr int lengths[16] = {1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 2, 2, 3, 4};
    piece = piece.substr(0, piece.find('\0'));
    Decoded out;
    out.value = value_;
    out.need = need_;
    size_t at = 0;
    for (; at < piece.size() && out.need > 0; ++at, --out.need) {
      const auto byte = static_cast<uint8_t>(piece[at]);
      if ((byte & 0xC0) != 0x80) return {{}, 0, -1};
      out.value = (out.value << 6) + (byte & 0x3F);
    }
    if (need_ > 0 && out.need == 0) out.chars.push_back(out.value);
    while (at < piece.size()) {
      const auto lead = static_cast<uint8_t>(piece[at++]);
      out.need = lengths[lead >> 4] - 1;
      if (out.need < 0) return {{}, 0, -1};
      out.value = lead & ((1u << (7 - out.need)) - 1);
      for (; at < piece.size() && out.need > 0; ++at, --out.need) {
        out.value = (out.value << 6) + (static_cast<uint8_t>(piece[at]) & 0x3Fu);
      }
      if (out.need == 0) out.chars.push_back(out.value);
    }
    return out;
  }

  bool may_begin(const Stack& stack, uint32_t value, int need) const {
    if (need < 0 || (need == 1 && value < 2)) return false;
    uint32_t low = value << (need * 6);
    const uint32_t high = low | ((1u << (need * 6)) - 1);
    if (low == 0) low = need == 2 ? 1u << 11 : need == 3 ? 1u << 16 : 0;
    const grammar::CharSet& set = rules_.sets[rules_.elements[stack.back()].value];
    for (const grammar::CharRange& range : set.ranges) {
      if (range.lo <= high && low <= range.hi) return !set.negated;
    }
    return set.negated;
  }
  bool accepts(const Stack& stack, const Decoded& decoded, size_t at, int32_t token) const {
    const bool left = at < decoded.chars.size() && decoded.chars[at] != 0;
    if (stack.empty()) return !left && decoded.need == 0;
    const grammar::Element& top = rules_.elements[stack.back()];
    if (top.kind != grammar::Element::chars) return left ? fits(top, token) : decoded.need == 0;
    if (!left) return decoded.need == 0 || may_begin(stack, decoded.value, decoded.need);
    if (!holds(stack, decoded.chars[at])) return false;
    Stacks next;
    std::set<Stack> seen;
    expand(after(stack), next, seen);
    return std::any_of(next.begin(), next.end(), [&](const Stack& s) { return accepts(s, decoded, at + 1, token); });
  }

  uint32_t value_ = 0;
  int need_ = 0;
};

}  // namespace bankml::reference
