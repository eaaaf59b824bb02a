// Builds and walks the automaton: see stop_strings.h.
// Tested by tests/stop/stop_test.cpp
#include "core/stop/stop_strings.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <string_view>

#include "core/base/status.h"

namespace bankml {

namespace stop_strings_detail {

// Strings [begin, end) of the sorted list share the text of one node.
struct Range {
  uint32_t begin, end;
};

void check(const uint8_t* bytes, const size_t* offsets, size_t n) {
  if (n > 0 && offsets == nullptr) throw Failure(Status::arg, "offsets is NULL");
  if (n > StopStrings::max_count) {
    throw Failure(Status::limit,
                  std::to_string(n) + " stop strings, more than max_count = " + std::to_string(StopStrings::max_count));
  }
  for (size_t i = 0; i < n; ++i) {
    if (offsets[i + 1] < offsets[i]) throw Failure(Status::arg, "offsets[" + std::to_string(i + 1) + "] is below the one before");
    if (offsets[i + 1] == offsets[i]) throw Failure(Status::arg, "stop string " + std::to_string(i) + " is empty");
  }
  if (n > 0 && bytes == nullptr) throw Failure(Status::arg, "bytes is NULL");
  if (n > 0 && offsets[n] - offsets[0] > StopStrings::max_bytes) {
    throw Failure(Status::limit, "the stop strings have " + std::to_string(offsets[n] - offsets[0]) +
                                     " bytes, more than max_bytes = " + std::to_string(StopStrings::max_bytes));
  }
}

}  // namespace stop_strings_detail

std::shared_ptr<const StopStrings> StopStrings::make(const uint8_t* bytes, const size_t* offsets, size_t n) {
  using namespace stop_strings_detail;
  check(bytes, offsets, n);
  const auto text = [&](size_t i) {
    return std::string_view(reinterpret_cast<const char*>(bytes) + offsets[i], offsets[i + 1] - offsets[i]);
  };
  std::vector<uint32_t> sorted(n);
  std::iota(sorted.begin(), sorted.end(), 0u);
  std::sort(sorted.begin(), sorted.end(), [&](uint32_t a, uint32_t b) {
    const int order = text(a).compare(text(b));
    return order != 0 ? order < 0 : a < b;
  });

  const std::shared_ptr<StopStrings> made(new StopStrings);
  for (size_t i = 0; i < n; ++i) {
    made->lengths_.push_back(text(i).size());
    made->longest_ = std::max(made->longest_, text(i).size());
  }
  // Nodes in order of depth, so that a node's children stand together and every shorter text is there before a longer one.
  std::vector<Node>& nodes = made->nodes_;
  std::vector<Range> ranges;
  nodes.push_back({0, 0, 0, -1, 0, 0});
  ranges.push_back({0, static_cast<uint32_t>(n)});
  for (size_t at = 0; at < nodes.size(); ++at) {
    Range range = ranges[at];
    const size_t depth = nodes[at].depth;
    // A string that ends at its own node sorts before those that go on.
    while (range.begin < range.end && text(sorted[range.begin]).size() == depth) {
      if (nodes[at].match < 0) nodes[at].match = static_cast<int32_t>(sorted[range.begin]);
      ++range.begin;
    }
    nodes[at].first_child = static_cast<uint32_t>(nodes.size());
    while (range.begin < range.end) {
      const char byte = text(sorted[range.begin])[depth];
      uint32_t end = range.begin;
      while (end < range.end && text(sorted[end])[depth] == byte) ++end;
      nodes.push_back({0, 0, static_cast<uint32_t>(depth + 1), -1, 0, static_cast<uint8_t>(byte)});
      ranges.push_back({range.begin, end});
      ++nodes[at].n_children;
      range.begin = end;
    }
  }
  made->link();
  return made;
}

void StopStrings::link() {
  const Node& root = nodes_[0];
  for (uint32_t i = 0; i < root.n_children; ++i) first_[nodes_[root.first_child + i].byte] = root.first_child + i;
  for (uint32_t at = 1; at < nodes_.size(); ++at) {
    if (nodes_[at].match < 0) nodes_[at].match = nodes_[nodes_[at].behind].match;
    for (uint32_t i = 0; i < nodes_[at].n_children; ++i) {
      Node& child = nodes_[nodes_[at].first_child + i];
      child.behind = step(nodes_[at].behind, child.byte);
    }
  }
}

uint32_t StopStrings::child(uint32_t node, uint8_t byte) const noexcept {
  if (node == 0) return first_[byte];
  const Node* const begin = nodes_.data() + nodes_[node].first_child;
  const Node* const end = begin + nodes_[node].n_children;
  const Node* const found = std::lower_bound(begin, end, byte, [](const Node& a, uint8_t b) { return a.byte < b; });
  return found != end && found->byte == byte ? static_cast<uint32_t>(found - nodes_.data()) : 0;
}

uint32_t StopStrings::step(uint32_t node, uint8_t byte) const noexcept {
  for (;;) {
    const uint32_t next = child(node, byte);
    if (next != 0 || node == 0) return next;
    node = nodes_[node].behind;
  }
}

}  // namespace bankml
