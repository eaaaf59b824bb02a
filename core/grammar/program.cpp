// Classes: every bound of every set begins one, so a set is a short list of runs of classes.
// Tested by tests/grammar/machine.cpp
#include "core/grammar/program.h"

#include <utility>

#include "core/grammar/rule_checks.h"

namespace bankml::grammar {

Program::Program(Rules rules, uint32_t longest, uint32_t level)
    : rules_(std::move(rules)),
      longest_(longest),
      level_(std::min(level, longest + 2)),
      nullable_(nullable_rules(rules_)),
      rank_(order_of_calls(rules_, nullable_)) {
  std::vector<uint32_t> members(rules_.size() + 1);
  for (const uint32_t rank : rank_) ++members[rank];
  for (const uint32_t rank : rank_) in_ring_.push_back(members[rank] > 1);
  make_classes();
  make_repeats();
}

void Program::make_classes() {
  lowest_.push_back(0);
  for (const CharSet& set : rules_.sets) {
    for (const CharRange& range : set.ranges) {
      if (range.lo > range.hi) continue;
      lowest_.push_back(range.lo);
      if (range.hi != UINT32_MAX) lowest_.push_back(range.hi + 1);
    }
  }
  std::sort(lowest_.begin(), lowest_.end());
  lowest_.erase(std::unique(lowest_.begin(), lowest_.end()), lowest_.end());
  lowest_.shrink_to_fit();
  for (uint32_t c = 0; c < ascii_.size(); ++c) {
    ascii_[c] = static_cast<uint32_t>(std::upper_bound(lowest_.begin(), lowest_.end(), c) - lowest_.begin()) - 1;
  }
  const uint32_t last = class_count() - 1;
  std::vector<Interval> runs;
  for (const CharSet& set : rules_.sets) {
    runs.clear();
    for (const CharRange& range : set.ranges) {
      if (range.lo <= range.hi) runs.push_back({class_of(range.lo), class_of(range.hi)});
    }
    std::sort(runs.begin(), runs.end(), [](Interval a, Interval b) { return a.lo != b.lo ? a.lo < b.lo : a.hi < b.hi; });
    first_interval_.push_back(static_cast<uint32_t>(intervals_.size()));
    uint32_t next = 0;  // the first class behind what was read
    for (const Interval& run : runs) {
      if (set.negated) {
        if (run.lo > next) intervals_.push_back({next, run.lo - 1});
      } else if (run.hi + 1 > next) {
        intervals_.push_back({std::max(run.lo, next), run.hi});
      }
      next = std::max(next, run.hi + 1);
    }
    if (set.negated && next <= last) intervals_.push_back({next, last});
  }
  first_interval_.push_back(static_cast<uint32_t>(intervals_.size()));
}

bool Program::holds(uint32_t set, uint32_t cls) const noexcept {
  const Interval* at = intervals_.data() + first_interval_[set];
  const Interval* end = intervals_.data() + first_interval_[set + 1];
  if (end - at > 8) {
    at = std::upper_bound(at, end, cls, [](uint32_t c, const Interval& run) { return c < run.lo; });
    return at != intervals_.data() + first_interval_[set] && cls <= at[-1].hi;
  }
  for (; at != end; ++at) {
    if (cls <= at->hi) return cls >= at->lo;
  }
  return false;
}

void Program::make_repeats() {
  for (const Repeat& repeat : rules_.repeats) {
    Run run{repeat.begin, 0, repeat.length, repeat.count, true};
    if (repeat.rules) {
      // R1 is shorter than the others (it calls nothing); R2 and up are equally long and stand one after another.
      const auto begin_of = [&](uint32_t rule) { return rules_.alternatives[rules_.first[rule]]; };
      const uint32_t second = repeat.begin + 1;
      run.falling = false;
      run.begin = begin_of(second);
      run.length = begin_of(second + 1) - run.begin;
      run.count = repeat.count - 1;
    }
    run.end = run.begin + run.length * run.count;
    if (run.count > longest_ + 3) runs_.push_back(run);
  }
  std::sort(runs_.begin(), runs_.end(), [](const Run& a, const Run& b) { return a.begin < b.begin; });
  runs_.shrink_to_fit();
}

Program::Copy Program::copy_of(uint32_t state) const noexcept {
  const auto behind = std::upper_bound(runs_.begin(), runs_.end(), state, [](uint32_t s, const Run& run) { return s < run.begin; });
  if (behind == runs_.begin() || state >= behind[-1].end) return {nullptr, 0};
  const Run& run = behind[-1];
  const uint32_t copy = (state - run.begin) / run.length;
  return {&run, run.falling ? run.count - 1 - copy : copy};
}

uint32_t Program::settled(uint32_t state) const noexcept {
  const Copy copy = copy_of(state);
  if (copy.run == nullptr || copy.left + 1 < level_) return state;
  const uint32_t up = (copy.left - level_) * copy.run->length;  // modulo 2^32
  return copy.run->falling ? state + up : state - up;
}

bool Program::scarce(uint32_t state) const noexcept {
  const Copy copy = copy_of(state);
  return copy.run != nullptr && copy.left + 1 >= level_ && copy.left < longest_ + 2;
}

size_t Program::bytes() const noexcept {
  return sizeof *this + rules_.bytes() + nullable_.capacity() / 8 + runs_.capacity() * sizeof(Run) +
         intervals_.capacity() * sizeof(Interval) +
         (rank_.capacity() + lowest_.capacity() + first_interval_.capacity()) * sizeof(uint32_t);
}

}  // namespace bankml::grammar
