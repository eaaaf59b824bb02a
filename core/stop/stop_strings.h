// Stop strings as one automaton: a trie of all strings whose every node knows the longest proper end of its text that is a node
// too (Aho and Corasick, 1975). One step a byte, so a text is read once, whatever the number of strings; steps back along those
// ends are paid for by steps forward, so the whole is linear in the text.
//
// A node says two things of the text read so far: how many of its last bytes begin a stop string (they may not be shown yet), and
// the longest stop string that ends here. The longest is the one that begins first. Of equal strings, the one listed first
// counts. Immutable; shared by all filters made from it.
// Tested by tests/stop/stop_test.cpp
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace bankml {

class StopStrings {
 public:
  static constexpr size_t max_count = 65536;
  static constexpr size_t max_bytes = 1 << 20;  // of all strings together; a byte takes about 20 bytes of memory

  // String i is bytes[offsets[i] .. offsets[i + 1]), offsets n + 1 ascending values; n = 0 is allowed. Throws Failure(arg) for an
  // empty string (llama-server would end every generation at its first token, vLLM and OpenAI refuse it), Failure(limit).
  static std::shared_ptr<const StopStrings> make(const uint8_t* bytes, const size_t* offsets, size_t n);

  // The node behind one more byte; 0 is the empty text.
  uint32_t step(uint32_t node, uint8_t byte) const noexcept;

  size_t pending(uint32_t node) const noexcept { return nodes_[node].depth; }  // last bytes of the text that begin a stop string
  int32_t match(uint32_t node) const noexcept { return nodes_[node].match; }   // index of a string, -1 = none ends here
  size_t length(int32_t i) const noexcept { return lengths_[static_cast<size_t>(i)]; }
  size_t longest() const noexcept { return longest_; }

 private:
  struct Node {
    uint32_t first_child;  // children stand together, by byte
    uint32_t behind;       // the longest proper end of this node's text that is a node
    uint32_t depth;
    int32_t match;
    uint16_t n_children;
    uint8_t byte;
  };

  StopStrings() = default;
  uint32_t child(uint32_t node, uint8_t byte) const noexcept;  // 0 = none
  void link();

  std::vector<Node> nodes_;
  std::vector<size_t> lengths_;
  size_t longest_ = 0;
  uint32_t first_[256] = {};  // the root's children: most bytes of a text begin no stop string
};

}  // namespace bankml
