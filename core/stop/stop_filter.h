// The text of one generation on its way out: what may be shown now, what is held back, and where a stop string ends it.
//
// Held back are the last bytes of the text that may still become a stop string, and those of a character that is not whole. Bytes
// that are no UTF-8 go through as they are, as soon as they cannot become a character any more. What comes out depends on the
// text alone, not on how it is cut into tokens: the first stop string that is complete ends the text where it begins, and of
// those that end at the same byte the longest counts, which is the one that begins first.
//
// That is llama-server's result for tokens of one byte. llama-server looks at whole tokens: of the stop strings that are complete
// behind a token it takes the one that begins first, of equal beginnings the one listed first. The two differ only where a token
// completes two stop strings that overlap. `by_token` gives llama-server's choice, each feed being one token. In both, a stop
// string followed by an unfinished character in the same token is found, which llama-server misses.
//
// Feeding does not allocate: the memory for what is held back is made at construction.
// Tested by tests/stop/stop_test.cpp
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/stop/stop_strings.h"

namespace bankml {

struct StopOptions {
  bool include = false;   // the stop string is part of the output (include_stop_str_in_output)
  bool by_token = false;  // each feed is one token, looked at as a whole
};

class StopFilter {
 public:
  StopFilter(std::shared_ptr<const StopStrings> strings, StopOptions options);

  // n more bytes of the text. Writes what may be shown now to `out`, which has room for held() + n bytes and does not overlap
  // `bytes`; returns how many. Once a stop string has matched, nothing more comes out.
  size_t feed(const uint8_t* bytes, size_t n, uint8_t* out) noexcept;
  // The text has ended: writes the held() bytes, if no stop string matched, and begins anew.
  size_t flush(uint8_t* out) noexcept;
  void reset() noexcept;

  size_t held() const noexcept { return held_; }
  int32_t matched() const noexcept { return matched_; }  // index of the stop string that ended the text, or -1

 private:
  std::shared_ptr<const StopStrings> strings_;
  StopOptions options_;
  std::vector<uint8_t> text_;  // the bytes held back
  size_t held_ = 0;
  uint32_t node_ = 0;
  int32_t matched_ = -1;
};

}  // namespace bankml
