// Words and full patterns become patterns as the reference rewrites them.
#include "core/grammar/triggers.h"

#include <algorithm>

#include "core/base/status.h"

namespace bankml::grammar {
namespace grammar_triggers {

std::string escaped(std::string_view word) {
  std::string out;
  for (const char c : word) {
    if (std::string_view(".^$|()*+?[]{}\\").find(c) != std::string_view::npos) out.push_back('\\');
    out.push_back(c);
  }
  return out;
}

// Kept: `a|b` becomes `^a|b$`, and a last `\$` counts as the anchor.
std::string anchored(const std::string& pattern) {
  if (pattern.empty()) return "^$";
  return (pattern.front() == '^' ? "" : "^") + pattern + (pattern.back() == '$' ? "" : "$");
}

std::string pattern_of(const Trigger& trigger) {
  switch (trigger.kind) {
    case Trigger::word:
      return escaped(trigger.text);
    case Trigger::pattern_full:
      return anchored(trigger.text);
    default:
      return trigger.text;
  }
}

size_t begin_of(const patterns::Slots& slots) {
  for (size_t group = 2; group + 1 < slots.size(); group += 2) {
    if (slots[group + 1] != patterns::unset && slots[group + 1] > slots[group]) return slots[group];
  }
  return slots[0];
}

}  // namespace grammar_triggers

Triggers::Triggers(const std::vector<Trigger>& triggers, const Vocab& vocab) {
  if (triggers.empty()) throw Failure(Status::arg, "Error: no triggers set for lazy grammar!");
  for (size_t i = 0; i < triggers.size(); ++i) {
    const Trigger& trigger = triggers[i];
    const std::string name = "trigger " + std::to_string(i) + ": ";
    if (trigger.kind == Trigger::token) {
      if (!vocab.contains(trigger.id)) {
        throw Failure(Status::token, name + "token " + std::to_string(trigger.id) + " is outside the vocabulary of " +
                                         std::to_string(vocab.size()));
      }
      tokens_.push_back(trigger.id);
      continue;
    }
    const std::string pattern = grammar_triggers::pattern_of(trigger);
    try {
      programs_.emplace_back(pattern);
    } catch (const Failure& failure) {
      throw Failure(failure.status(), name + failure.text());
    }
    whole_first_.push_back(!pattern.empty() && pattern.front() == '^' && pattern.back() == '$');
  }
}

bool Triggers::has_token(int32_t token) const noexcept { return std::find(tokens_.begin(), tokens_.end(), token) != tokens_.end(); }

size_t Triggers::bytes() const noexcept {
  size_t bytes = tokens_.capacity() * sizeof(int32_t) + programs_.capacity() * sizeof(patterns::Program);
  for (const patterns::Program& program : programs_) bytes += program.bytes();
  return bytes;
}

Waiting::Waiting(const Triggers& triggers) : triggers_(&triggers) {
  for (size_t i = 0; i < triggers.programs().size(); ++i) {
    if (triggers.whole_first(i)) searches_.emplace_back(triggers.programs()[i], patterns::Search::whole);
    searches_.emplace_back(triggers.programs()[i], patterns::Search::anywhere);
  }
}

std::optional<size_t> Waiting::feed(std::string_view piece, patterns::Scratch& scratch) {
  patterns::Slots slots;
  std::optional<size_t> begin;
  for (patterns::Search& search : searches_) {
    search.feed(piece, scratch);
    if (!begin && search.match(scratch, slots)) begin = grammar_triggers::begin_of(slots);
  }
  return begin;
}

}  // namespace bankml::grammar
