// Built from the end: each part is given the instruction that follows it. The size is computed before anything is written out.
#include "core/patterns/program.h"

#include <algorithm>
#include <string>

#include "core/base/status.h"
#include "core/patterns/parser.h"

namespace bankml::patterns {
namespace pattern_program {

constexpr uint64_t most = uint64_t{1} << 40;

// Instructions that each node becomes; nodes stand behind their children.
uint64_t size_of(const Ast& ast) {
  std::vector<uint64_t> sizes(ast.nodes.size());
  for (size_t i = 0; i < ast.nodes.size(); ++i) {
    const Node& node = ast.nodes[i];
    uint64_t inner = 0;
    for (uint32_t c = 0; c < node.count; ++c) inner += sizes[ast.children[node.first + c]];
    uint64_t size = inner;
    switch (node.kind) {
      case Node::empty:
      case Node::sequence:
        break;
      case Node::set:
      case Node::assertion:
        size = 1;
        break;
      case Node::alternation:
        size += node.count - 1;
        break;
      case Node::group:
        size += 2;
        break;
      case Node::repeat:
        if (node.looped) {
          size += 1;
        } else if (node.max == unbounded) {
          size = node.min * inner + inner + 1;
        } else {
          size = node.max * inner + (node.max - node.min);
        }
        break;
    }
    sizes[i] = std::min(size, most);
  }
  return sizes[ast.root] + 1;
}

}  // namespace pattern_program

Program::Program(std::string_view pattern) : Program(parse(pattern)) {}

Program::Program(const Ast& ast) : slots_(2 * (size_t{ast.groups} + 1)) {
  const uint64_t size = pattern_program::size_of(ast);
  if (size > max_instructions) {
    throw Failure(Status::limit,
                  "pattern: more than " + std::to_string(max_instructions) + " parts once its repetitions are written out");
  }
  if (size * slots_ > max_slots) {
    throw Failure(Status::limit, "pattern: more than " + std::to_string(max_slots / 2) + ", the product of its " +
                                     std::to_string(size) + " parts and " + std::to_string(ast.groups) + " groups");
  }
  code_.reserve(size);
  for (const Set& set : ast.sets) {
    ByteBits bits{};
    for (const Range& range : set) {
      for (uint32_t byte = range.lo; byte <= range.hi; ++byte) bits[byte / 64] |= uint64_t{1} << (byte % 64);
    }
    sets_.push_back(bits);
  }
  start_ = compile(ast, ast.root, emit({.kind = Instruction::accept}));
  find_first();
}

uint32_t Program::emit(const Instruction& instruction) {
  code_.push_back(instruction);
  return static_cast<uint32_t>(code_.size() - 1);
}

uint32_t Program::compile(const Ast& ast, uint32_t index, uint32_t next) {
  const Node& node = ast.nodes[index];
  const auto child = [&](uint32_t i) { return ast.children[node.first + i]; };
  switch (node.kind) {
    case Node::empty:
      return next;
    case Node::set:
      return emit({.kind = Instruction::set, .next = next, .value = node.value});
    case Node::assertion:
      return emit({.kind = Instruction::assertion, .next = next, .value = node.value});
    case Node::sequence:
      for (uint32_t i = node.count; i-- > 0;) next = compile(ast, child(i), next);
      return next;
    case Node::alternation: {
      uint32_t way = compile(ast, child(node.count - 1), next);
      for (uint32_t i = node.count - 1; i-- > 0;) {
        const uint32_t before = compile(ast, child(i), next);
        way = emit({.kind = Instruction::either, .next = before, .other = way});
      }
      return way;
    }
    case Node::group: {
      const uint32_t end = emit({.kind = Instruction::save, .next = next, .value = 2 * node.value + 1});
      return emit({.kind = Instruction::save, .next = compile(ast, child(0), end), .value = 2 * node.value});
    }
    case Node::repeat:
      return repeat(ast, node, next);
  }
  return next;
}

uint32_t Program::repeat(const Ast& ast, const Node& node, uint32_t next) {
  const uint32_t inner = ast.children[node.first];
  uint32_t at = next;
  if (node.max == unbounded) {
    at = emit({.kind = Instruction::loop, .lazy = node.lazy, .next = next});
    const uint32_t body = compile(ast, inner, at);
    code_[at].other = body;
    if (node.looped) return body;
  } else {
    for (uint32_t i = node.min; i < node.max; ++i) {
      const uint32_t body = compile(ast, inner, at);
      at = emit({.kind = Instruction::loop, .lazy = node.lazy, .next = next, .other = body});
    }
  }
  for (uint32_t i = 0; i < node.min; ++i) at = compile(ast, inner, at);
  return at;
}

void Program::find_first() {
  std::vector<bool> seen(code_.size());
  std::vector<uint32_t> open{start_};
  const auto go = [&](uint32_t to) {
    if (!seen[to]) open.push_back(to);
  };
  while (!open.empty()) {
    const uint32_t at = open.back();
    open.pop_back();
    if (seen[at]) continue;
    seen[at] = true;
    const Instruction& instruction = code_[at];
    switch (instruction.kind) {
      case Instruction::set:
        for (size_t byte = 0; byte < 256; ++byte) {
          if (holds(instruction.value, static_cast<uint8_t>(byte))) first_[byte] = true;
        }
        break;
      case Instruction::accept:
        may_be_empty_ = true;
        break;
      case Instruction::either:
      case Instruction::loop:
        go(instruction.other);
        go(instruction.next);
        break;
      default:
        go(instruction.next);
    }
  }
}

}  // namespace bankml::patterns
