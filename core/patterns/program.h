// A tree over bytes as instructions, repetitions written out, as libstdc++ lays out its automaton: which parts are copies of one
// another decides what empty passes of nested loops leave in groups. Tested by tests/patterns/program.cpp
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/patterns/ast.h"

namespace bankml::patterns {

struct Instruction {
  enum Kind : uint8_t {
    set,        // a byte of sets[value], then next
    either,     // next, or else other
    loop,       // other once more, or else next; the other way about if lazy
    save,       // the place goes into slot `value`
    assertion,  // if the Assertion `value` holds
    accept,
  };
  Kind kind;
  bool lazy = false;
  uint32_t next = 0;
  uint32_t other = 0;
  uint32_t value = 0;
};

class Program {
 public:
  static constexpr size_t max_instructions = 20000;
  static constexpr size_t max_slots = size_t{1} << 21;  // places that all threads of a search hold together

  explicit Program(const Ast& ast);  // Failure(limit)
  explicit Program(std::string_view pattern);

  size_t size() const noexcept { return code_.size(); }
  const Instruction& operator[](uint32_t at) const noexcept { return code_[at]; }
  uint32_t start() const noexcept { return start_; }
  size_t slots() const noexcept { return slots_; }  // begin and end of the match, then of each group
  bool holds(uint32_t set, uint8_t byte) const noexcept { return (sets_[set][byte / 64] >> (byte % 64) & 1) != 0; }
  // Whether a match may be empty, or may begin with this byte or be empty, conditions left aside.
  bool may_be_empty() const noexcept { return may_be_empty_; }
  bool may_begin(uint8_t byte) const noexcept { return may_be_empty_ || first_[byte]; }
  size_t bytes() const noexcept { return code_.capacity() * sizeof(Instruction) + sets_.capacity() * sizeof(ByteBits); }

 private:
  using ByteBits = std::array<uint64_t, 4>;
  uint32_t emit(const Instruction& instruction);
  uint32_t compile(const Ast& ast, uint32_t node, uint32_t next);
  uint32_t repeat(const Ast& ast, const Node& node, uint32_t next);
  void find_first();

  std::vector<Instruction> code_;
  std::vector<ByteBits> sets_;
  std::array<bool, 256> first_{};
  bool may_be_empty_ = false;
  uint32_t start_ = 0;
  size_t slots_ = 2;
};

}  // namespace bankml::patterns
