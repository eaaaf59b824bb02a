// How configurations are made. A closure has three parts:
//  1. the kernel: items behind what was just matched; where an alternative has ended, the items above it in its frame, and so on;
//  2. rules that the items call, highest rank first: by then all callers of a rule are known, so they become *one* frame;
//  3. rules that call each other in a ring share a rank; all such calls are last in their alternatives (rule_checks.h), so the
//  rules
//     of a ring hand their callers on until nothing changes.
// A nullable rule is passed at the call, so a frame made in a closure is never left in the same closure.
// Tested by tests/grammar/machine.cpp
#include "core/grammar/machine.h"

#include <algorithm>
#include <string>
#include <utility>

#include "core/base/status.h"

namespace bankml::grammar {

uint64_t ItemLists::hash(std::span<const Item> items, uint32_t tag) noexcept {
  uint64_t h = 0x9E3779B97F4A7C15u ^ tag;
  for (const Item& item : items) {
    h ^= static_cast<uint64_t>(item.frame) << 32 | item.state;
    h *= 0xFF51AFD7ED558CCDu;
    h ^= h >> 32;
  }
  return h ^ h >> 29;
}

uint32_t ItemLists::intern(std::span<const Item> items, uint32_t tag) {
  begin_.resize(tags_.size() + 1);  // what an allocation that failed may have left
  items_.resize(begin_.back());
  if ((tags_.size() + 1) * 2 > table_.size()) {
    std::vector<uint32_t> larger(table_.size() * 2, none);
    for (uint32_t id = 0; id < tags_.size(); ++id) {
      size_t at = hash((*this)[id], tags_[id]) & (larger.size() - 1);
      while (larger[at] != none) at = (at + 1) & (larger.size() - 1);
      larger[at] = id;
    }
    table_.swap(larger);
  }
  size_t at = hash(items, tag) & (table_.size() - 1);
  for (; table_[at] != none; at = (at + 1) & (table_.size() - 1)) {
    const std::span<const Item> known = (*this)[table_[at]];
    if (tags_[table_[at]] == tag && std::equal(known.begin(), known.end(), items.begin(), items.end())) return table_[at];
  }
  const auto id = static_cast<uint32_t>(tags_.size());
  items_.insert(items_.end(), items.begin(), items.end());
  begin_.push_back(static_cast<uint32_t>(items_.size()));
  tags_.push_back(tag);
  table_[at] = id;
  return id;
}

Machine::Machine(std::shared_ptr<const Program> program, size_t max_bytes, bool settling)
    : program_(std::move(program)),
      max_bytes_(max_bytes),
      settling_(settling && program_->has_long_repeats()),
      slot_(program_->rule_count(), unknown) {
  std::vector<Item> entries;
  keep_frame(entries);
  entries.assign(1, {program_->unknown_state(), 0});
  keep_frame(entries);
  entries.assign(1, {program_->accept_state(), 0});
  keep_frame(entries);
  keep_config(0);  // `dead`
  begin_closure();
  call(program_->root(), program_->accept_state(), 0);
  if (program_->nullable(program_->root())) leave(top_frame);
  start_ = end_closure();
}

size_t Machine::bytes() const noexcept {
  return sizeof *this + configs_.bytes() + frames_.bytes() +
         (rows_.capacity() + steps_.capacity() + heights_.capacity()) * sizeof(uint32_t) + scarce_.capacity() / 8 +
         short_frames_.size() * 32;
}

void Machine::begin_closure() {
  for (size_t i = 0; i < active_ && i < callers_.size(); ++i) slot_[callers_[i].rule] = unknown;  // after an exception
  active_ = 0;
  ready_.clear();
  flags_ = 0;
  kernel_.clear();
  in_kernel_.clear();
  found_.clear();
}

void Machine::add(Item item) {
  item.state = settled(item.state);
  constexpr size_t few = 32;  // up to here a look at each is cheaper than a table
  if (kernel_.size() < few) {
    if (std::find(kernel_.begin(), kernel_.end(), item) == kernel_.end()) kernel_.push_back(item);
    return;
  }
  const auto key = [](Item i) { return static_cast<uint64_t>(i.frame) << 32 | i.state; };
  if (kernel_.size() == few && in_kernel_.empty()) {
    for (const Item& known : kernel_) in_kernel_.insert(key(known));
  }
  if (in_kernel_.insert(key(item)).second) kernel_.push_back(item);
}

void Machine::leave(Frame frame) {
  for (const Item& above : frames_[frame]) {
    if (above.state == program_->accept_state()) {
      flags_ |= complete_bit;
    } else if (above.state == program_->unknown_state()) {
      flags_ |= lost_bit;
    } else {
      add(above);
    }
  }
}

void Machine::call(uint32_t rule, uint32_t next, Frame frame) {
  if (slot_[rule] == unknown) {
    if (active_ == callers_.size()) callers_.emplace_back();
    callers_[active_].rule = rule;
    callers_[active_].entries.clear();
    slot_[rule] = static_cast<uint32_t>(active_++);
    ready_.push_back(rule);
    std::push_heap(ready_.begin(), ready_.end(), [this](uint32_t a, uint32_t b) { return program_->rank(a) < program_->rank(b); });
  }
  std::vector<Item>& entries = callers_[slot_[rule]].entries;
  if (next < program_->accept_state() && program_->element(next).kind == Element::end) {
    const std::span<const Item> above = frames_[frame];  // a last call: its callers are ours
    entries.insert(entries.end(), above.begin(), above.end());
  } else {
    entries.push_back({settled(next), frame});
  }
}

// The first elements of a rule whose callers are `frame`. Calls inside of its ring were handled before.
void Machine::enter(uint32_t rule, Frame frame) {
  for (uint32_t state : program_->alternatives(rule)) {
    for (;; ++state) {
      const Element& element = program_->element(state);
      if (element.kind == Element::end) break;
      if (element.kind != Element::rule) {
        take(state, frame);
        break;
      }
      if (program_->rank(element.value) != program_->rank(rule)) call(element.value, state + 1, frame);
      if (!program_->nullable(element.value)) break;
    }
  }
}

Frame Machine::keep_frame(std::vector<Item>& entries) {
  std::sort(entries.begin(), entries.end());
  entries.erase(std::unique(entries.begin(), entries.end()), entries.end());
  const Frame frame = frames_.intern(entries, 0);
  if (frame >= heights_.size()) {
    uint32_t height = 0;
    bool scarce = false;
    for (const Item& entry : entries) {
      if (entry.state >= program_->accept_state()) continue;
      height = std::max(height, heights_[entry.frame] + 1);
      scarce = scarce || scarce_[entry.frame] || (program_->has_long_repeats() && program_->scarce(entry.state));
    }
    heights_.resize(frame + 1, height);
    scarce_.resize(frame + 1, scarce);
  }
  return frame;
}

// The rules of the highest rank that are called and not yet in ring_: mostly one.
void Machine::gather_ring() {
  const auto by_rank = [this](uint32_t a, uint32_t b) { return program_->rank(a) < program_->rank(b); };
  while (!ready_.empty() && (ring_.empty() || program_->rank(ready_.front()) == program_->rank(ring_[0]))) {
    std::pop_heap(ready_.begin(), ready_.end(), by_rank);
    ring_.push_back(ready_.back());
    ready_.pop_back();
  }
}

void Machine::hand_on(uint32_t rule, uint32_t callee) {
  if (slot_[callee] == unknown) {
    call(callee, program_->accept_state(), 0);  // for its slot
    callers_[slot_[callee]].entries.clear();
  }
  const std::vector<Item>& ours = callers_[slot_[rule]].entries;
  std::vector<Item>& theirs = callers_[slot_[callee]].entries;
  for (const Item& entry : ours) {
    if (std::find(theirs.begin(), theirs.end(), entry) == theirs.end()) theirs.push_back(entry);
  }
}

void Machine::spread_callers() {
  for (size_t before = SIZE_MAX, now = 0; before != now;) {
    before = now;
    now = 0;
    for (size_t i = 0; i < ring_.size(); ++i) {
      for (uint32_t state : program_->alternatives(ring_[i])) {
        for (; program_->element(state).kind == Element::rule; ++state) {
          const uint32_t callee = program_->element(state).value;
          if (program_->rank(callee) == program_->rank(ring_[i]) && callee != ring_[i]) hand_on(ring_[i], callee);
          if (!program_->nullable(callee)) break;
        }
      }
      gather_ring();
      now += 1 + callers_[slot_[ring_[i]]].entries.size();
    }
  }
}

Config Machine::end_closure() {
  for (size_t i = 0; i < kernel_.size(); ++i) {
    const Item item = kernel_[i];
    for (uint32_t state = item.state;; ++state) {
      const Element& element = program_->element(state);
      if (element.kind == Element::end) {
        leave(item.frame);
        break;
      }
      if (element.kind != Element::rule) {
        take(state, item.frame);
        break;
      }
      call(element.value, state + 1, item.frame);
      if (!program_->nullable(element.value)) break;
    }
  }
  while (!ready_.empty()) {
    ring_.clear();
    gather_ring();
    if (program_->in_ring(ring_[0])) spread_callers();
    for (const uint32_t rule : ring_) {
      const Frame frame = keep_frame(callers_[slot_[rule]].entries);
      slot_[rule] = unknown;
      enter(rule, frame);
    }
  }
  active_ = 0;
  return keep_config(flags_);
}

Config Machine::keep_config(uint32_t tag) {
  std::sort(found_.begin(), found_.end());
  found_.erase(std::unique(found_.begin(), found_.end()), found_.end());
  for (const Item& item : found_) {
    if (program_->element(item.state).kind != Element::chars) tag |= tokens_bit;
  }
  const uint32_t id = configs_.intern(found_, tag);
  if (id >= rows_.size()) {
    rows_.resize(id + 1, no_row);
    if (bytes() > max_bytes_) {
      throw Failure(Status::limit, "the grammar's states need more than max_bytes = " + std::to_string(max_bytes_));
    }
  }
  return id;
}

// Classes that the same items match lead to the same configuration, so a row has few steps to compute, and those that no item
// matches are known at once.
void Machine::make_row(Config config) {
  constexpr size_t most_items = 64;
  const uint32_t classes = program_->class_count();
  const std::span<const Item> items = configs_[config];
  const size_t row = steps_.size();
  steps_.resize(row + classes);
  uint32_t* steps = steps_.data() + row;
  if (items.size() > most_items) {
    for (uint32_t cls = 0; cls < classes; ++cls) steps[cls] = open_step | cls;
  } else {
    matching_.assign(classes, 0);
    for (size_t i = 0; i < items.size(); ++i) {
      const Element& element = program_->element(items[i].state);
      if (element.kind != Element::chars) continue;
      for (const Program::Interval& run : program_->intervals(element.value)) {
        for (uint32_t cls = run.lo; cls <= run.hi; ++cls) matching_[cls] |= uint64_t{1} << i;
      }
    }
    kinds_.clear();
    for (uint32_t cls = 0; cls < classes; ++cls) {
      if (matching_[cls] == 0) {
        steps[cls] = dead;
        continue;
      }
      const auto same = [&](const std::pair<uint64_t, uint32_t>& kind) { return kind.first == matching_[cls]; };
      auto kind = std::find_if(kinds_.begin(), kinds_.end(), same);
      if (kind == kinds_.end()) kind = kinds_.insert(kind, {matching_[cls], cls});
      steps[cls] = open_step | kind->second;
    }
  }
  rows_[config] = static_cast<uint32_t>(row);
}

Config Machine::make_step(Config config, uint32_t cls) {
  if (rows_[config] == no_row) make_row(config);
  const size_t row = rows_[config];
  if ((steps_[row + cls] & open_step) == 0) return steps_[row + cls];
  const uint32_t same = steps_[row + cls] & ~open_step;
  if ((steps_[row + same] & open_step) != 0) {
    begin_closure();
    for (const Item& item : configs_[config]) {
      const Element& element = program_->element(item.state);
      if (element.kind == Element::chars && program_->holds(element.value, cls)) add({item.state + 1, item.frame});
    }
    steps_[row + same] = kernel_.empty() ? dead : end_closure();
  }
  return steps_[row + cls] = steps_[row + same];
}

Config Machine::step_token(Config config, uint32_t token) {
  begin_closure();
  for (const Item& item : configs_[config]) {
    const Element& element = program_->element(item.state);
    const bool fits =
        element.kind == Element::token ? element.value == token : element.kind == Element::not_token && element.value != token;
    if (fits) add({item.state + 1, item.frame});
  }
  return kernel_.empty() ? dead : end_closure();
}

Config Machine::characters_only(Config config) {
  if (!complete(config) && !has_tokens(config)) return config;
  found_.clear();
  for (const Item& item : configs_[config]) {
    if (program_->element(item.state).kind == Element::chars) found_.push_back(item);
  }
  return keep_config(0);
}

Config Machine::part(Config config, const std::vector<Item>& items, bool complete_too) {
  found_.assign(items.begin(), items.end());
  if (found_.empty() && !complete_too) return dead;
  return keep_config(complete_too ? configs_.tag(config) & ~tokens_bit : 0);
}

Config Machine::join(Config a, Config b) {
  if (a == dead || a == b) return b;
  if (b == dead) return a;
  found_.assign(configs_[a].begin(), configs_[a].end());
  found_.insert(found_.end(), configs_[b].begin(), configs_[b].end());
  return keep_config((configs_.tag(a) | configs_.tag(b)) & ~tokens_bit);
}

// Frames are cut by their height above the bottom of the stack, so a frame that is met on two ways is the same in both, and a
// configuration that loops still loops when it is shortened.
Config Machine::shortened(const Machine& from, Config config, uint32_t depth) {
  uint32_t height = 0;
  for (const Item& item : from.configs_[config]) height = std::max(height, from.heights_[item.frame]);
  const uint32_t cut = height > depth ? height - depth : 0;
  std::vector<Item> items;
  for (const Item& item : from.configs_[config]) {
    items.push_back({settled(item.state), shortened_frame(from, item.frame, cut)});
  }
  found_ = std::move(items);
  return keep_config(from.configs_.tag(config) & ~tokens_bit);
}

// Frames below first, with a stack of its own: without a cut there may be as many as characters were read.
Frame Machine::shortened_frame(const Machine& from, Frame frame, uint32_t cut) {
  const auto known = [&](Frame f) {
    if (f == 0 || f == bottom_frame || f == top_frame) return f;
    if (from.heights_[f] <= cut) return bottom_frame;
    const auto found = short_frames_.find(static_cast<uint64_t>(f) << 32 | cut);
    return found == short_frames_.end() ? unknown : found->second;
  };
  std::vector<Frame>& open = open_frames_;
  std::vector<Item> copy;
  open.assign(1, frame);
  while (!open.empty()) {
    const Frame here = open.back();
    bool ready = known(here) == unknown;
    if (ready) {
      copy.assign(from.frames_[here].begin(), from.frames_[here].end());
      for (Item& entry : copy) {
        if (entry.state >= program_->accept_state()) continue;
        const Frame below = known(entry.frame);
        if (below == unknown) open.push_back(entry.frame);
        ready = ready && below != unknown;
        entry = {settled(entry.state), below};
      }
      if (!ready) continue;
      short_frames_[static_cast<uint64_t>(here) << 32 | cut] = keep_frame(copy);
    }
    open.pop_back();
  }
  return known(frame);
}

bool Machine::scarce(Config config) const noexcept {
  if (!program_->has_long_repeats()) return false;
  return std::any_of(configs_[config].begin(), configs_[config].end(),
                     [this](const Item& item) { return program_->scarce(item.state) || scarce_[item.frame]; });
}

Machine::Beginnings Machine::may_begin_all(Config config) const noexcept {
  bool none = true;
  for (const Item& item : configs_[config]) {
    const Element& element = program_->element(item.state);
    if (element.kind != Element::chars) continue;
    const CharSet& set = program_->set(element.value);
    const bool ascii = std::all_of(set.ranges.begin(), set.ranges.end(), [](CharRange r) { return r.hi < 0x80; });
    if (ascii && set.negated) return Beginnings::all;
    none = none && ascii;
  }
  return none ? Beginnings::none : Beginnings::some;
}

bool Machine::may_be_one_of(Config config, CharInterval all) const noexcept {
  for (const Item& item : configs_[config]) {
    const Element& element = program_->element(item.state);
    if (element.kind != Element::chars) continue;
    for (const Program::Interval& run : program_->intervals(element.value)) {
      if (program_->lowest(run.lo) <= all.highest && all.lowest < program_->behind(run.hi)) return true;
    }
  }
  return false;
}

bool Machine::may_begin(Config config, Unfinished rest) const noexcept {
  if (overlong_ascii(rest)) return false;
  uint64_t low = static_cast<uint64_t>(rest.value) << (6 * rest.need);
  const uint64_t high = low | ((uint64_t{1} << (6 * rest.need)) - 1);
  if (low == 0) low = rest.need == 2 ? 0x800 : rest.need == 3 ? 0x10000 : 0;
  for (const Item& item : configs_[config]) {
    const Element& element = program_->element(item.state);
    if (element.kind != Element::chars) continue;
    // A negated set is refused as soon as one of its members could follow, though others could too.
    const CharSet& set = program_->set(element.value);
    const bool meets = std::any_of(set.ranges.begin(), set.ranges.end(), [&](CharRange r) { return r.lo <= high && low <= r.hi; });
    if (meets != set.negated) return true;
  }
  return false;
}

}  // namespace bankml::grammar
