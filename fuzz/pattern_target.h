// Any bytes as a pattern and a text (split at the first NUL): refused cleanly, or found alike in one piece and byte by byte, with
// groups inside the text, and kept within the program's bounds.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "core/base/status.h"
#include "core/patterns/search.h"

namespace bankml::fuzz {

inline void pattern(const uint8_t* data, size_t size) {
  const std::string_view all(reinterpret_cast<const char*>(data), size);
  const size_t split = std::min(all.find('\0'), all.size());
  const std::string_view text = all.substr(std::min(split + 1, all.size())).substr(0, 200);
  try {
    const patterns::Program program(all.substr(0, split));
    if (program.size() > 2000) return;  // sound, but slow to run
    patterns::Scratch scratch;
    for (const auto where : {patterns::Search::anywhere, patterns::Search::whole}) {
      patterns::Search at_once(program, where), in_bytes(program, where);
      at_once.feed(text, scratch);
      patterns::Slots a, b;
      for (const char& c : text) {
        in_bytes.feed({&c, 1}, scratch);
        if (in_bytes.match(scratch, b) && (b.size() != program.slots() || b[0] > b[1])) std::abort();
      }
      const bool found = at_once.match(scratch, a);
      if (in_bytes.match(scratch, b) != found || (found && a != b)) std::abort();
      for (size_t i = 0; found && i < a.size(); i += 2) {
        if (a[i + 1] != patterns::unset && (a[i] > a[i + 1] || a[i + 1] > text.size())) std::abort();
      }
      if (found && where == patterns::Search::whole && (a[0] != 0 || a[1] != text.size())) std::abort();
    }
  } catch (const Failure& failure) {
    const bool clean = failure.status() == Status::parse || failure.status() == Status::limit;
    if (!clean || failure.text().empty()) std::abort();
  }
}

}  // namespace bankml::fuzz
