// ISO C 7.4.1 for the "C" locale, written as ranges of ASCII.
#include "core/patterns/classes.h"

#include <string>

namespace bankml::patterns {
namespace byte_classes {

ByteSet between(unsigned lo, unsigned hi) {
  ByteSet set;
  for (unsigned byte = lo; byte <= hi; ++byte) set.set(byte);
  return set;
}

}  // namespace byte_classes

ByteSet word_bytes() {
  using byte_classes::between;
  return between('a', 'z') | between('A', 'Z') | between('0', '9') | between('_', '_');
}

std::optional<ByteSet> class_of_name(std::string_view name) {
  using byte_classes::between;
  std::string low(name);
  for (char& c : low) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  const ByteSet lower = between('a', 'z'), upper = between('A', 'Z'), digit = between('0', '9');
  const ByteSet alnum = lower | upper | digit, space = between('\t', '\r') | between(' ', ' ');
  if (low == "d" || low == "digit") return digit;
  if (low == "w") return word_bytes();
  if (low == "s" || low == "space") return space;
  if (low == "alnum") return alnum;
  if (low == "alpha") return lower | upper;
  if (low == "blank") return between('\t', '\t') | between(' ', ' ');
  if (low == "cntrl") return between(0, 31) | between(127, 127);
  if (low == "graph") return between('!', '~');
  if (low == "lower") return lower;
  if (low == "print") return between(' ', '~');
  if (low == "punct") return between('!', '~') & ~alnum;
  if (low == "upper") return upper;
  if (low == "xdigit") return digit | between('a', 'f') | between('A', 'F');
  return std::nullopt;
}

}  // namespace bankml::patterns
