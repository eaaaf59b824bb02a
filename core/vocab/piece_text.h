// From the text of a token in a GGUF file to the bytes it stands for.
//
// The alphabet of byte-level BPE is GPT-2's (Radford et al. 2019): printable bytes stand for themselves, the 68 others for U+0100
// and up, in the order of their values. Tested by tests/vocab/piece_text_test.cpp
#pragma once

#include <string>
#include <string_view>

namespace bankml {

// SentencePiece: U+2581 becomes a space.
std::string spm_piece(std::string_view text);

// Byte-level BPE: each character becomes its byte. A character outside the alphabet becomes, as in the reference,
// "[UNK_BYTE_0x" + its bytes in hexadecimal + the whole text + "]" (invalid UTF-8 counts as U+FFFD, byte by byte).
std::string byte_level_piece(std::string_view text);

// The byte of a "<0xNN>" token; -1 if the text has another form.
int byte_token_value(std::string_view text) noexcept;

// The reference's clean-up of tokenisation spaces, for one token's text: drops the space before ? ! . , and before 's 'm 're 've,
// and both spaces around a lone apostrophe.
std::string clean_up_spaces(std::string_view text);

// Whether a byte-level vocabulary with this tokenizer.ggml.pre cleans up spaces, and whether its pieces mark spaces by U+2581
// instead of using the alphabet.
bool pre_tokenizer_cleans_spaces(std::string_view pre) noexcept;
bool pre_tokenizer_marks_spaces(std::string_view pre) noexcept;

}  // namespace bankml
