// Tested by tests/schema/llama_schema.cpp
#include "core/schema/key_trie.h"

#include <algorithm>
#include <string_view>

namespace bankml::schema {
namespace key_trie {

size_t character_size(std::string_view text, size_t at) {
  const auto lead = static_cast<unsigned char>(text[at]);
  const size_t size = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  return std::min(size, text.size() - at);
}

// names[begin, end) are sorted and share their first `depth` bytes. UTF-8 sorts as its code points do.
std::string below(const std::vector<std::string>& names, size_t begin, size_t end, size_t depth) {
  std::string out, all;
  while (begin < end && names[begin].size() == depth) ++begin;
  while (begin < end) {
    const std::string character = names[begin].substr(depth, character_size(names[begin], depth));
    size_t last = begin;
    while (last < end && names[last].compare(depth, character.size(), character) == 0) ++last;
    out += (out.empty() ? "[" : " | [") + character + "]";
    const bool goes_on = names[last - 1].size() > depth + character.size();
    out += goes_on ? " (" + below(names, begin, last, depth + character.size()) + ")" : " char+";
    all += character;
    begin = last;
  }
  return all.empty() ? out : out + " | [^\"" + all + "] char*";
}

}  // namespace key_trie

std::string other_keys(const std::vector<std::string>& names) {
  std::vector<std::string> sorted = names;
  std::sort(sorted.begin(), sorted.end());
  const std::string trie = key_trie::below(sorted, 0, sorted.size(), 0);
  const bool empty_is_taken = sorted.front().empty();
  if (trie.empty()) return "[\"] [\"]";
  return "[\"] (" + trie + ")" + (empty_is_taken ? "" : "?") + " [\"]";
}

}  // namespace bankml::schema
