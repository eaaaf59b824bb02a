// What wakes a lazy grammar: until a trigger token comes, or a pattern is found in the text so far, everything is allowed; then the
// grammar is given the text from the trigger on (llama.cpp b11192, src/llama-grammar.cpp and common/sampling.cpp).
//
// The reference searches the whole text again after every token; these searches go on where they stood, with the same answers
// (core/patterns). Tested by tests/grammar/lazy.cpp
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/patterns/search.h"
#include "core/vocab/vocab.h"

namespace bankml::grammar {

struct Trigger {
  enum Kind : int32_t {
    token = 0,         // this token
    word = 1,          // these bytes, anywhere
    pattern = 2,       // a match, anywhere
    pattern_full = 3,  // a match of all of the text
  };
  Kind kind;
  std::string text;  // of words and patterns
  int32_t id = -1;   // of tokens
};

// Prepared, shared by clones, never changed.
class Triggers {
 public:
  Triggers() = default;
  // Failure: arg (there are none), token (outside the vocabulary), parse or limit (a pattern, named by its number).
  Triggers(const std::vector<Trigger>& triggers, const Vocab& vocab);

  bool has_token(int32_t token) const noexcept;
  const std::vector<patterns::Program>& programs() const noexcept { return programs_; }
  // `^...$`: a match of all of the text goes first.
  bool whole_first(size_t i) const noexcept { return whole_first_[i]; }
  size_t bytes() const noexcept;

 private:
  std::vector<int32_t> tokens_;
  std::vector<patterns::Program> programs_;
  std::vector<bool> whole_first_;
};

// The searches of one sequence that waits.
class Waiting {
 public:
  explicit Waiting(const Triggers& triggers);  // which must outlive it

  // The text goes on with `piece`. If a pattern is found: where the grammar's part of the text begins, counted from the start. The
  // first pattern in the list decides; its part begins where its first group that is not empty does, or else its match.
  std::optional<size_t> feed(std::string_view piece, patterns::Scratch& scratch);

 private:
  const Triggers* triggers_;
  std::vector<patterns::Search> searches_;  // of each pattern, the one over all of the text (if it has one) first
};

}  // namespace bankml::grammar
