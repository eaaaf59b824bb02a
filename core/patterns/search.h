// A search that goes on as bytes come: after each of them it can say what a search of all bytes so far finds, and it never reads a
// byte twice. Time and memory per byte are bounded by the program, whatever the text.
//
// Found is what libstdc++'s backtracking std::regex_search (anywhere) or std::regex_match (whole) finds: the leftmost match, among
// those the one of its order of trying, with its groups. How this can be: search.cpp. Tested by tests/patterns/search.cpp
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/patterns/program.h"

namespace bankml::patterns {

constexpr size_t unset = SIZE_MAX;
// Begin and end of the match, then of each group; `unset` where a group took no part.
using Slots = std::vector<size_t>;

// What a step needs beside the state of its search; one serves any number of searches, one after another.
class Scratch {
 private:
  friend class Search;
  struct Task {
    enum Kind : uint8_t { visit, finish, restore, leave, enter_lazy } kind;
    uint32_t at;
    size_t old;
  };
  std::vector<Task> tasks;
  std::vector<uint64_t> done;    // of each instruction: the last pass that is through with it
  std::vector<uint8_t> entered;  // of each loop: how often the way that is being tried entered it at this place
  uint64_t pass = 0;
  bool clean = true;  // false: memory ended in the middle of a pass, `entered` is not all zero
  Slots slots;
  std::vector<uint32_t> threads;
  std::vector<size_t> thread_slots;
};

class Search {
 public:
  enum Where : uint8_t { anywhere, whole };
  Search(const Program& program, Where where) : program_(&program), where_(where) {}  // the program must outlive the search

  void feed(std::string_view bytes, Scratch& scratch);
  // Whether the bytes fed so far, taken as the whole text, hold a match; `out` = where.
  bool match(Scratch& scratch, Slots& out) const;

  size_t bytes() const noexcept {
    return sizeof *this + threads_.capacity() * sizeof(uint32_t) + (slots_.capacity() + found_.capacity()) * sizeof(size_t);
  }

 private:
  static constexpr int at_text_end = -1;
  bool may_start() const noexcept { return found_.empty() && (where_ == anywhere || at_ == 0); }
  bool holds(uint32_t assertion, int byte) const noexcept;
  void pass(int byte, Scratch& scratch, Slots& found) const;
  bool follow(uint32_t from, int byte, Scratch& scratch, Slots& found) const;

  const Program* program_;
  Where where_;
  bool word_before_ = false;
  size_t at_ = 0;
  std::vector<uint32_t> threads_;  // instructions behind the last byte, best first
  std::vector<size_t> slots_;      // of each thread
  Slots found_;                    // the best match that is complete; threads that are left are better. Empty = none
};

}  // namespace bankml::patterns
