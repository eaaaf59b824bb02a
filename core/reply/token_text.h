// The bytes of a token as the string that a reply shows, where they need not be whole characters. Each system has a way of its own;
// the bytes themselves stand in the reply beside the string.
// Tested by tests/reply/token_text_test.cpp
#pragma once

#include <string>
#include <string_view>

namespace bankml::reply {

// llama-server: a character that the end of the text cuts is left out, all else that is no UTF-8 becomes U+FFFD when the JSON is
// written, one for each longest beginning of a character. Quirk kept: what is cut is decided by counting the last four bytes alone,
// so a lead byte with too few bytes behind it takes these with it, whatever they are.
std::string replaced_text(std::string_view bytes);

// OpenAI chat: bytes that are no UTF-8 are written out, \xf0\x9f.
std::string escaped_text(std::string_view bytes);

// OpenAI completions: the same, and a text with such bytes begins with "bytes:".
std::string marked_text(std::string_view bytes);

// Characters that begin in these bytes: what text_offset counts.
size_t characters(std::string_view bytes) noexcept;

}  // namespace bankml::reply
