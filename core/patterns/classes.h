// The named sets of bytes of the "C" locale. Bytes from 80 up belong to none. Tested by tests/patterns/parser.cpp
#pragma once

#include <bitset>
#include <optional>
#include <string_view>

namespace bankml::patterns {

using ByteSet = std::bitset<256>;

// `name` as in [:name:], in any case; "d", "w" and "s" are names too (libstdc++'s regex_traits).
std::optional<ByteSet> class_of_name(std::string_view name);

ByteSet word_bytes();

}  // namespace bankml::patterns
