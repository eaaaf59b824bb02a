// All ways through the program at once (Thompson 1968; with groups: Pike, see R. Cox, "Regular Expression Matching: the Virtual
// Machine Approach", 2009): threads in the order in which a backtracking matcher would try them. A thread's future depends on its
// instruction and the text ahead only, so of two threads at one instruction the first decides, and the other is dropped.
//
// Between two bytes this needs care, since libstdc++ lets a loop pass twice without reading anything, which shows in groups:
// `(a*)*` over "aa" leaves the group empty. A way is there an instruction *and* how often each loop was entered at this place. But
// once an instruction is done with, coming to it again cannot reach a new byte or the end: what the first visit could not enter
// again, it was inside of already, and that pass, being ended, has reached all that lies in the loop. So a second visit is dropped
// unless the first is still under way, and each instruction is visited at most twice per loop around it. Tested by
// tests/patterns/search.cpp
#include "core/patterns/search.h"

#include <algorithm>

namespace bankml::patterns {
namespace pattern_search {

bool is_word(uint8_t byte) noexcept {
  return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || (byte >= '0' && byte <= '9') || byte == '_';
}

}  // namespace pattern_search

bool Search::holds(uint32_t assertion, int byte) const noexcept {
  const bool border = word_before_ != (byte != at_text_end && pattern_search::is_word(static_cast<uint8_t>(byte)));
  switch (assertion) {
    case at_begin:
      return at_ == 0;
    case at_end:
      return byte == at_text_end;
    case at_word_border:
      return border;
    default:
      return !border;
  }
}

// Tries the ways from one instruction on, in order. Threads that the byte takes go to scratch.threads. True = a match is complete
// here, and what comes later is worse.
bool Search::follow(uint32_t from, int byte, Scratch& scratch, Slots& found) const {
  using Task = Scratch::Task;
  auto& tasks = scratch.tasks;
  tasks.push_back({Task::visit, from, 0});
  while (!tasks.empty()) {
    const Task task = tasks.back();
    tasks.pop_back();
    const uint32_t at = task.at;
    if (task.kind == Task::finish) {
      scratch.done[at] = scratch.pass;
      continue;
    }
    if (task.kind == Task::restore) {
      scratch.slots[at] = task.old;
      continue;
    }
    if (task.kind == Task::leave) {
      --scratch.entered[at];
      continue;
    }
    const Instruction& instruction = (*program_)[at];
    const auto enter = [&] {
      if (scratch.entered[at] == 2) return;
      ++scratch.entered[at];
      tasks.push_back({Task::leave, at, 0});
      tasks.push_back({Task::visit, instruction.other, 0});
    };
    if (task.kind == Task::enter_lazy) {
      enter();
      continue;
    }
    if (scratch.done[at] == scratch.pass) continue;
    switch (instruction.kind) {
      case Instruction::set:
        scratch.done[at] = scratch.pass;
        if (byte != at_text_end && program_->holds(instruction.value, static_cast<uint8_t>(byte))) {
          scratch.threads.push_back(instruction.next);
          scratch.thread_slots.insert(scratch.thread_slots.end(), scratch.slots.begin(), scratch.slots.end());
        }
        break;
      case Instruction::accept:
        scratch.done[at] = scratch.pass;
        if (where_ == whole && byte != at_text_end) break;
        found = scratch.slots;
        found[1] = at_;
        for (; !tasks.empty(); tasks.pop_back()) {
          if (tasks.back().kind == Task::leave) --scratch.entered[tasks.back().at];
        }
        return true;
      case Instruction::save:
        tasks.push_back({Task::finish, at, 0});
        tasks.push_back({Task::restore, instruction.value, scratch.slots[instruction.value]});
        tasks.push_back({Task::visit, instruction.next, 0});
        scratch.slots[instruction.value] = at_;
        break;
      case Instruction::either:
        tasks.push_back({Task::finish, at, 0});
        tasks.push_back({Task::visit, instruction.other, 0});
        tasks.push_back({Task::visit, instruction.next, 0});
        break;
      case Instruction::loop:
        tasks.push_back({Task::finish, at, 0});
        if (instruction.lazy) {
          tasks.push_back({Task::enter_lazy, at, 0});
          tasks.push_back({Task::visit, instruction.next, 0});
        } else {
          tasks.push_back({Task::visit, instruction.next, 0});
          enter();
        }
        break;
      case Instruction::assertion:
        if (holds(instruction.value, byte)) {
          tasks.push_back({Task::finish, at, 0});
          tasks.push_back({Task::visit, instruction.next, 0});
        } else {
          scratch.done[at] = scratch.pass;
        }
        break;
    }
  }
  return false;
}

// All threads over one byte, or over the end of the text.
void Search::pass(int byte, Scratch& scratch, Slots& found) const {
  if (scratch.done.size() < program_->size()) {
    scratch.done.resize(program_->size(), 0);
    scratch.entered.resize(program_->size(), 0);
  }
  if (!scratch.clean) std::fill(scratch.entered.begin(), scratch.entered.end(), uint8_t{0});
  scratch.clean = false;
  ++scratch.pass;
  scratch.tasks.clear();
  scratch.threads.clear();
  scratch.thread_slots.clear();
  const size_t width = program_->slots();
  bool complete = false;
  for (size_t i = 0; i < threads_.size() && !complete; ++i) {
    const auto own = slots_.begin() + static_cast<std::ptrdiff_t>(i * width);
    scratch.slots.assign(own, own + static_cast<std::ptrdiff_t>(width));
    complete = follow(threads_[i], byte, scratch, found);
  }
  if (!complete && may_start()) {
    scratch.slots.assign(width, unset);
    scratch.slots[0] = at_;
    follow(program_->start(), byte, scratch, found);
  }
  scratch.clean = true;
}

void Search::feed(std::string_view bytes, Scratch& scratch) {
  for (const char c : bytes) {
    const auto byte = static_cast<uint8_t>(c);
    if (threads_.empty() && (!may_start() || !program_->may_begin(byte))) {
      // Nothing is under way and nothing begins here.
    } else {
      pass(byte, scratch, found_);
      threads_.swap(scratch.threads);
      slots_.swap(scratch.thread_slots);
    }
    word_before_ = pattern_search::is_word(byte);
    ++at_;
  }
}

bool Search::match(Scratch& scratch, Slots& out) const {
  out = found_;
  if (threads_.empty() && !program_->may_be_empty()) return !out.empty();
  pass(at_text_end, scratch, out);
  return !out.empty();
}

}  // namespace bankml::patterns
