// The automaton of one grammar: configurations, interned, and the steps between them, computed when first taken.
//
// A configuration is the set of places where the text may stand: items (element to match next, frame). A frame is an interned *set*
// of (element to go on with, frame below), so stacks that differ only further down are one graph: `s ::= "x" s "y" | "x" s "z" |
// "w"` has one frame for each x, where lists of stacks would double. Calls at the end of an alternative push nothing. Equal sets
// have equal numbers; copying or going back costs a number.
//
// Masks are computed in a second machine, a *settling* one: `shortened` brings a configuration over. There, frames below `depth`
// are "unknown", and steps tell when they depend on the unknown part (`lost`); the mask is then computed again with more of the
// stack. So "in a string" has one mask however deep the string stands. And every state is settled (program.h): long repetitions
// are loops there, so pieces of more than `level() - 2` characters need a look of their own where `scarce` says so.
//
// The set is the reference's set of stacks, in another form; order never mattered there either.
// Bounded: more than `max_bytes` throws Failure(limit) and the machine must be replaced (grammar.cpp does).
// Tested by tests/grammar/machine.cpp
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "core/grammar/program.h"
#include "core/vocab/piece_chars.h"
#include "core/vocab/strict_chars.h"

namespace bankml::grammar {

using Config = uint32_t;
using Frame = uint32_t;

struct Item {
  uint32_t state;
  Frame frame;
  auto operator<=>(const Item&) const = default;
};

// Interned lists of items: equal lists have equal numbers.
class ItemLists {
 public:
  ItemLists() : begin_{0}, table_(64, none) {}
  uint32_t intern(std::span<const Item> items, uint32_t tag);
  std::span<const Item> operator[](uint32_t id) const noexcept { return {items_.data() + begin_[id], begin_[id + 1] - begin_[id]}; }
  uint32_t tag(uint32_t id) const noexcept { return tags_[id]; }
  size_t size() const noexcept { return tags_.size(); }
  size_t bytes() const noexcept {
    return items_.capacity() * sizeof(Item) + (begin_.capacity() + tags_.capacity() + table_.capacity()) * sizeof(uint32_t);
  }

 private:
  static constexpr uint32_t none = 0xFFFFFFFFu;
  static uint64_t hash(std::span<const Item> items, uint32_t tag) noexcept;
  std::vector<Item> items_;
  std::vector<uint32_t> begin_;
  std::vector<uint32_t> tags_;
  std::vector<uint32_t> table_;  // open addressing, a power of two
};

class Machine {
 public:
  Machine(std::shared_ptr<const Program> program, size_t max_bytes, bool settling = false);

  static constexpr Config dead = 0;  // no item, nothing complete
  Config start() const noexcept { return start_; }

  // Behind one code point; `cls` is its class (Program::class_of).
  Config step(Config config, uint32_t cls) {
    const uint32_t row = rows_[config];
    const uint32_t known = row == no_row ? open_step : steps_[row + cls];
    return (known & open_step) == 0 ? known : make_step(config, cls);
  }
  // Behind a token that a token element names: those items go on, the others vanish.
  Config step_token(Config config, uint32_t token);
  // The items that match characters, without "complete": what is left when a piece brings no code point.
  Config characters_only(Config config);
  Config join(Config a, Config b);

  // A configuration of some items of this one, which need not be sorted. What it allows is the union of what its items allow.
  Config part(Config config, const std::vector<Item>& items, bool complete_too);

  // A configuration of the machine `from` (always the same one) in this one, with `depth` frames of its stack.
  Config shortened(const Machine& from, Config config, uint32_t depth);
  // Whether a long repetition that it stands in may end within the longest piece, though it is settled in the other machine.
  bool scarce(Config config) const noexcept;

  std::span<const Item> items(Config config) const noexcept { return configs_[config]; }
  bool complete(Config config) const noexcept { return (configs_.tag(config) & complete_bit) != 0; }
  bool lost(Config config) const noexcept { return (configs_.tag(config) & lost_bit) != 0; }
  bool has_tokens(Config config) const noexcept { return (configs_.tag(config) & tokens_bit) != 0; }
  // Whether a piece may end inside the character `rest`, as the reference tests it.
  bool may_begin(Config config, Unfinished rest) const noexcept;
  // Whether one of the characters `all` can come next.
  bool may_be_one_of(Config config, CharInterval all) const noexcept;
  // The same for all `rest` but overlong_ascii ones, if the sets of the configuration speak of ASCII alone.
  enum class Beginnings { none, some, all };
  Beginnings may_begin_all(Config config) const noexcept;

  const Program& program() const noexcept { return *program_; }
  size_t bytes() const noexcept;

 private:
  static constexpr uint32_t complete_bit = 1, lost_bit = 2, tokens_bit = 4;
  static constexpr uint32_t no_row = 0xFFFFFFFFu, unknown = 0xFFFFFFFFu, open_step = 0x80000000u;
  // Frame 0 is the empty list; then the cut end of a shortened stack, and what the root rule returns to.
  static constexpr Frame bottom_frame = 1, top_frame = 2;

  Config make_step(Config config, uint32_t cls);
  void make_row(Config config);
  void begin_closure();
  void add(Item item);      // to the kernel, once
  void leave(Frame frame);  // an alternative ended
  void call(uint32_t rule, uint32_t next, Frame frame);
  void hand_on(uint32_t rule, uint32_t callee);  // the callers of one rule of a ring to another
  void gather_ring();
  void spread_callers();
  void enter(uint32_t rule, Frame frame);
  void take(uint32_t state, Frame frame) { found_.push_back({settled(state), frame}); }
  Config end_closure();
  Config keep_config(uint32_t tag);  // interns found_
  Frame shortened_frame(const Machine& from, Frame frame, uint32_t cut);
  uint32_t settled(uint32_t state) const noexcept { return settling_ ? program_->settled(state) : state; }
  Frame keep_frame(std::vector<Item>& entries);

  std::shared_ptr<const Program> program_;
  size_t max_bytes_;
  bool settling_;
  ItemLists configs_;
  ItemLists frames_;
  std::vector<uint32_t> heights_;  // of each frame: the most frames below it
  std::vector<bool> scarce_;       // of each frame: it or one below it is
  std::vector<uint32_t> rows_;     // of each configuration: where its steps stand, or no_row
  std::vector<uint32_t> steps_;    // rows of one entry per class; open_step | another class: not known yet, but the same as there
  Config start_ = dead;
  std::unordered_map<uint64_t, Frame> short_frames_;
  std::vector<Frame> open_frames_;  // scratch

  // Scratch of one closure.
  struct Callers {
    uint32_t rule;
    std::vector<Item> entries;
  };
  uint32_t flags_ = 0;
  std::vector<Item> kernel_;
  std::unordered_set<uint64_t> in_kernel_;  // once the kernel is large
  std::vector<Item> found_;
  std::vector<uint64_t> matching_;                    // of each class: which items match it
  std::vector<std::pair<uint64_t, uint32_t>> kinds_;  // those that differ, with their first class
  std::vector<Callers> callers_;                      // first `active_` are in use
  size_t active_ = 0;
  std::vector<uint32_t> slot_;   // of each rule: index in callers_, or none
  std::vector<uint32_t> ready_;  // heap of rules, highest rank first
  std::vector<uint32_t> ring_;   // rules of one rank, to be entered now
};

}  // namespace bankml::grammar
