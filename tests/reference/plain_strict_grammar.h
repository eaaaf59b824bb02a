// Matching in the strict byte layer as it is defined and nothing clever: stacks of elements, bytes that wait for the rest of their
// character, and stacks that cannot be finished left out. Slow; tests compare every mask of dialect strict with it. Shares the
// rules that the parser made, before dead ends are left out, and nothing of the machine.
//
// Tested by tests/grammar/strict.cpp
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "core/base/utf8.h"
#include "tests/reference/plain_grammar.h"

namespace bankml::reference {

class PlainStrictGrammar : public PlainStacks {
 public:
  PlainStrictGrammar(const grammar::Rules& rules, const Vocab& vocab) : PlainStacks(rules, vocab), lives_(rules.size(), false) {
    for (bool more = true; more;) {
      more = false;
      for (uint32_t rule = 0; rule < rules_.size(); ++rule) {
        for (uint32_t a = rules_.first[rule]; a < rules_.first[rule + 1] && !lives_[rule]; ++a) {
          lives_[rule] = finishes(rules_.alternatives[a]);
          more = more || lives_[rule];
        }
      }
    }
    drop_unfinished(stacks_);
  }

  bool complete() const { return begun_.empty() && stacks_.count({}) != 0; }
  bool dead() const { return stacks_.empty(); }

  bool allows(int32_t token) const {
    if (vocab_.is_eog(token)) return complete();
    std::string rest;
    return !referenced(token).empty() || !by_text(token, rest).empty();
  }

  bool accept(int32_t token) {
    if (vocab_.is_eog(token)) return complete();
    std::string rest;
    const Stacks named = referenced(token);
    Stacks spelt = by_text(token, rest);
    if (named.empty() && spelt.empty()) return false;
    if (!named.empty() && !rest.empty()) spelt.clear();  // one place has one unfinished character
    begun_ = spelt.empty() ? "" : rest;
    stacks_ = std::move(spelt);
    stacks_.insert(named.begin(), named.end());
    return true;
  }

 private:
  static bool scalar(uint64_t c) { return c <= 0x10FFFF && (c < 0xD800 || c > 0xDFFF); }
  static std::string bytes_of(uint32_t c) {
    std::string bytes;
    utf8_append(bytes, c);
    return bytes;
  }

  // Characters near which a set can begin or end.
  std::vector<uint32_t> marks(uint32_t set) const {
    std::vector<uint32_t> all{0, 0x7F, 0x80, 0x7FF, 0x800, 0xD7FF, 0xE000, 0xFFFF, 0x10000, 0x10FFFF};
    for (const grammar::CharRange& range : rules_.sets[set].ranges) {
      for (const int64_t c : {int64_t{range.lo} - 1, int64_t{range.lo}, int64_t{range.hi}, int64_t{range.hi} + 1}) {
        if (c >= 0) all.push_back(static_cast<uint32_t>(c));
      }
    }
    return all;
  }
  bool set_holds(uint32_t set, uint32_t c) const {
    bool found = false;
    for (const grammar::CharRange& range : rules_.sets[set].ranges) found = found || (range.lo <= c && c <= range.hi);
    return found != rules_.sets[set].negated;
  }

  // Whether some text goes through the elements from `at` to the end of their alternative.
  bool finishes(uint32_t at) const {
    for (; rules_.elements[at].kind != grammar::Element::end; ++at) {
      const grammar::Element& element = rules_.elements[at];
      bool some = false;
      if (element.kind == grammar::Element::rule) {
        some = lives_[element.value];
      } else if (element.kind == grammar::Element::chars) {
        for (const uint32_t c : marks(element.value)) some = some || (scalar(c) && set_holds(element.value, c));
      } else {
        for (int32_t token = 0; token < static_cast<int32_t>(vocab_.size()) && !some; ++token) {
          some = !vocab_.is_eog(token) && fits(element, token);
        }
      }
      if (!some) return false;
    }
    return true;
  }
  void drop_unfinished(Stacks& stacks) const {
    std::erase_if(stacks, [&](const Stack& stack) {
      return !std::all_of(stack.begin(), stack.end(), [&](uint32_t at) { return finishes(at); });
    });
  }
  Stacks behind(const Stack& stack) const {
    Stacks out;
    std::set<Stack> seen;
    expand(after(stack), out, seen);
    drop_unfinished(out);
    return out;
  }

  Stacks referenced(int32_t token) const {
    Stacks out;
    if (!begun_.empty()) return out;
    for (const Stack& stack : stacks_) {
      if (stack.empty() || rules_.elements[stack.back()].kind == grammar::Element::chars) continue;
      if (fits(rules_.elements[stack.back()], token)) out.merge(behind(stack));
    }
    return out;
  }

  Stacks by_text(int32_t token, std::string& rest) const {
    rest.clear();
    if ((vocab_.flags(token) & (token_control | token_unused)) != 0 || vocab_.piece(token).empty()) return {};
    std::string text = begun_ + std::string(vocab_.piece(token));
    Stacks now;
    for (const Stack& stack : stacks_) {
      if (!stack.empty() && rules_.elements[stack.back()].kind == grammar::Element::chars) now.insert(stack);
    }
    while (!text.empty() && !now.empty()) {
      const size_t length = whole_character(text);
      if (length == 0) break;
      const uint32_t c = character(text.substr(0, length));
      text.erase(0, length);
      Stacks next;
      for (const Stack& stack : now) {
        if (!stack.empty() && rules_.elements[stack.back()].kind == grammar::Element::chars && holds(stack, c))
          next.merge(behind(stack));
      }
      now = std::move(next);
    }
    rest = text;
    if (!text.empty()) std::erase_if(now, [&](const Stack& stack) { return !goes_on(stack, text); });
    return now;
  }

  // 0 = what the text begins with is no whole character (part of one, or damaged).
  static size_t whole_character(const std::string& text) {
    for (size_t length = 1; length <= std::min<size_t>(4, text.size()); ++length) {
      const std::string one = text.substr(0, length);
      const uint32_t c = character(one);
      if (scalar(c) && bytes_of(c) == one) return length;
    }
    return 0;
  }
  static uint32_t character(const std::string& bytes) {
    const auto lead = static_cast<uint8_t>(bytes[0]);
    uint32_t c = bytes.size() == 1 ? lead : lead & (0x7Fu >> bytes.size());
    for (size_t i = 1; i < bytes.size(); ++i) c = c << 6 | (static_cast<uint8_t>(bytes[i]) & 0x3Fu);
    return c;
  }
  // Whether a character that begins with these bytes can come next.
  bool goes_on(const Stack& stack, const std::string& begun) const {
    if (stack.empty() || rules_.elements[stack.back()].kind != grammar::Element::chars || behind(stack).empty()) return false;
    const uint32_t set = rules_.elements[stack.back()].value;
    std::vector<uint32_t> tries = marks(set);
    // The ends of all that begins so: the missing bytes lowest and highest, and at the borders of surrogates.
    for (size_t length = begun.size() + 1; length <= 4; ++length) {
      for (const char filler : {'\x80', '\xBF', '\x90', '\x8F', '\x9F', '\xA0'}) {
        std::string one = begun + filler;
        for (const char last : {'\x80', '\xBF'}) tries.push_back(character((one + std::string(4, last)).substr(0, length)));
      }
    }
    return std::any_of(tries.begin(), tries.end(), [&](uint32_t c) {
      const std::string bytes = bytes_of(c);
      return scalar(c) && set_holds(set, c) && bytes.size() > begun.size() && bytes.compare(0, begun.size(), begun) == 0;
    });
  }

  std::vector<bool> lives_;
  std::string begun_;
};

}  // namespace bankml::reference
