// The scans and prepared breakers that a vocabulary keeps, behind one lock. breakers.h is the way in; this is its storage.
// Tested by tests/vocab/breakers_test.cpp
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace bankml {

// What a scan of the pieces for one list of strings found, before any text became tokens.
struct BreakerScan {
  static constexpr uint32_t no_tail = 0xFFFFFFFFu;

  struct Hit {
    int32_t head;
    uint32_t tail;  // index into tails, or no_tail
  };

  std::vector<Hit> hits;           // by head, ascending
  std::vector<std::string> tails;  // each once: by string, the longest first
};

class BreakerCache {
 public:
  static constexpr size_t max_lists = 64;
  static constexpr size_t max_forms = 4;  // different answers for one list

  struct Form {
    std::vector<std::vector<int32_t>> tail_tokens;  // of each tail of the scan
    std::shared_ptr<const void> form;
  };
  struct Entry {
    std::vector<std::string> strings;
    BreakerScan scan;
    std::vector<Form> forms;
  };

  std::mutex mutex;
  std::vector<std::unique_ptr<Entry>> entries;  // least recently used first
  std::atomic<uint64_t> scans{0};
};

}  // namespace bankml
