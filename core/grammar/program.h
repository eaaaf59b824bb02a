// Rules prepared for running: classes of code points that no set tells apart, which rules may match nothing, ranks of rules.
// Immutable; shared by all clones of a grammar. Tested by tests/grammar/machine.cpp
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/grammar/rules.h"
#include "core/vocab/piece_chars.h"

namespace bankml::grammar {

class Program {
 public:
  // `longest`: code points of the longest piece, at least 1; `level`: see `settled`. Throws Failure(parse) for hidden left
  // recursion.
  Program(Rules rules, uint32_t longest, uint32_t level = 24);

  // Two special states behind the elements: reaching `accept` completes the text; `unknown` is the cut end of a shortened stack.
  uint32_t accept_state() const noexcept { return static_cast<uint32_t>(rules_.elements.size()); }
  uint32_t unknown_state() const noexcept { return accept_state() + 1; }

  const Element& element(uint32_t state) const noexcept { return rules_.elements[state]; }
  std::span<const uint32_t> alternatives(uint32_t rule) const noexcept {
    return {rules_.alternatives.data() + rules_.first[rule], rules_.first[rule + 1] - rules_.first[rule]};
  }
  uint32_t root() const noexcept { return rules_.root; }
  size_t rule_count() const noexcept { return rules_.size(); }
  bool nullable(uint32_t rule) const noexcept { return nullable_[rule]; }
  uint32_t rank(uint32_t rule) const noexcept { return rank_[rule]; }
  bool in_ring(uint32_t rule) const noexcept { return in_ring_[rule]; }  // shares its rank
  uint32_t longest() const noexcept { return longest_; }

  uint32_t class_count() const noexcept { return static_cast<uint32_t>(lowest_.size()); }
  uint32_t class_of(uint32_t code_point) const noexcept {
    if (code_point < ascii_.size()) return ascii_[code_point];
    return static_cast<uint32_t>(std::upper_bound(lowest_.begin(), lowest_.end(), code_point) - lowest_.begin()) - 1;
  }
  // The code points of a class: from lowest(c) to before lowest(c + 1).
  uint32_t lowest(uint32_t cls) const noexcept { return lowest_[cls]; }
  uint64_t behind(uint32_t cls) const noexcept { return cls + 1 < lowest_.size() ? lowest_[cls + 1] : uint64_t{1} << 32; }
  struct Interval {
    uint32_t lo, hi;  // classes
  };
  std::span<const Interval> intervals(uint32_t set) const noexcept {
    return {intervals_.data() + first_interval_[set], first_interval_[set + 1] - first_interval_[set]};
  }
  bool holds(uint32_t set, uint32_t cls) const noexcept;
  const CharSet& set(uint32_t set) const noexcept { return rules_.sets[set]; }

  // Repetitions with more copies than any piece takes are *long*. In one, states with level() - 1 copies left or more behave alike
  // for every piece of up to level() - 2 characters; `settled` is the state with level() left that stands for all of them. Stepping
  // and settling, a long repetition becomes a loop.
  uint32_t level() const noexcept { return level_; }
  bool has_long_repeats() const noexcept { return !runs_.empty(); }
  uint32_t settled(uint32_t state) const noexcept;
  // Settled, but not far enough from the end for the longest pieces.
  bool scarce(uint32_t state) const noexcept;

  size_t bytes() const noexcept;

 private:
  void make_classes();
  void make_repeats();

  struct Run {  // states [begin, end) in `count` copies of `length`
    uint32_t begin, end, length, count;
    bool falling;  // the copies left fall with the state (copies in a row); otherwise they rise (rules R1, R2, ...)
  };
  struct Copy {  // where a state stands; run = null outside of long repetitions
    const Run* run;
    uint32_t left;
  };
  Copy copy_of(uint32_t state) const noexcept;

  Rules rules_;
  uint32_t longest_;
  uint32_t level_;
  std::vector<bool> nullable_;
  std::vector<uint32_t> rank_;
  std::vector<bool> in_ring_;
  std::vector<uint32_t> lowest_;  // first code point of each class, ascending, from 0
  std::array<uint32_t, 128> ascii_{};
  std::vector<Interval> intervals_;
  std::vector<uint32_t> first_interval_;  // of each set; one more at the end
  std::vector<Run> runs_;
};

}  // namespace bankml::grammar
