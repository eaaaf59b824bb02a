// Token texts to bytes. The passes of clean_up_spaces run one after the other over the whole text because the reference's do: what
// one pass removes, the next no longer sees. Tested by tests/vocab/piece_text_test.cpp
#include "core/vocab/piece_text.h"

#include <cstddef>
#include <cstdint>
#include <iterator>

#include "core/base/utf8.h"

namespace bankml {

namespace piece_text_detail {

// True for the bytes that byte-level BPE writes as the character of the same number.
constexpr bool is_printable(uint32_t byte) noexcept {
  return (byte >= 0x21 && byte <= 0x7E) || (byte >= 0xA1 && byte <= 0xAC) || (byte >= 0xAE && byte <= 0xFF);
}

struct Alphabet {
  int16_t byte_of[0x144] = {};  // by code point; -1: not in the alphabet

  constexpr Alphabet() {
    for (int16_t& byte : byte_of) byte = -1;
    uint32_t next = 0x100;
    for (uint32_t byte = 0; byte < 256; ++byte) byte_of[is_printable(byte) ? byte : next++] = static_cast<int16_t>(byte);
  }
};

constexpr Alphabet alphabet;

void append_hex(std::string& out, unsigned char byte) {
  constexpr char hex[] = "0123456789abcdef";
  out.push_back(hex[byte >> 4]);
  out.push_back(hex[byte & 15]);
}

int hex_digit(char c) noexcept {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

bool is_one_of(std::string_view wanted, const std::string_view* names, size_t count) noexcept {
  for (size_t i = 0; i < count; ++i) {
    if (names[i] == wanted) return true;
  }
  return false;
}

bool is_one_of(char c, std::string_view set) noexcept { return set.find(c) != std::string_view::npos; }

// Pre-tokenizers for which the reference turns the clean-up off; it is on for all other byte-level vocabularies.
constexpr std::string_view keeps_spaces[] = {
    "afmoe",        "bailingmoe",       "bailingmoe2",   "chameleon", "cohere2moe", "command-r",       "deepseek-coder",
    "deepseek-llm", "deepseek-r1-qwen", "deepseek-v3",   "f2llmv2",   "gpt-4o",     "granite-docling", "granite-embed-multi-97m",
    "grok-2",       "hunyuan",          "hunyuan-dense", "hy_v4",     "joyai-llm",  "kanana2",         "kimi-k2",
    "kormo",        "laguna",           "llada-moe",     "llama4",    "minimax-m2", "poro-chat",       "qwen2",
    "qwen35",       "sarvam-moe",       "seed-coder",    "smollm",    "solar-open", "spark2_5",        "superbpe",
    "talkie",       "tekken",           "tiny_aya",      "trillion",  "ufakzeka",   "viking",          "youtu",
};

constexpr std::string_view marks_spaces[] = {"gemma4", "granite-embed-multi-311m", "sarvam-moe"};

std::string drop_space_before_punctuation(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    if (i > 0 && text[i - 1] == ' ' && is_one_of(text[i], "?!.,")) out.pop_back();
    out.push_back(text[i]);
  }
  return out;
}

std::string drop_spaces_around_apostrophe(std::string text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\'' && i > 0 && i + 1 < text.size() && text[i - 1] == ' ' && text[i + 1] == ' ') {
      out.pop_back();
      text[++i] = '\0';  // the space behind is gone: an apostrophe after it has no space in front
    }
    out.push_back(c);
  }
  return out;
}

std::string drop_space_before_contraction(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    if (i > 0 && text[i - 1] == ' ' && text[i] == '\'') {
      const std::string_view rest = text.substr(i + 1);
      const bool contraction =
          rest.substr(0, 1) == "s" || rest.substr(0, 1) == "m" || rest.substr(0, 2) == "re" || rest.substr(0, 2) == "ve";
      if (contraction) out.pop_back();
    }
    out.push_back(text[i]);
  }
  return out;
}

}  // namespace piece_text_detail

std::string spm_piece(std::string_view text) {
  constexpr std::string_view mark = "\xE2\x96\x81";
  std::string out;
  for (size_t at = 0; at < text.size();) {
    if (text.substr(at, mark.size()) == mark) {
      out.push_back(' ');
      at += mark.size();
    } else {
      out.push_back(text[at++]);
    }
  }
  return out;
}

std::string byte_level_piece(std::string_view text) {
  std::string out;
  for (size_t at = 0; at < text.size();) {
    const Utf8Char c = utf8_decode(text, at);
    const uint32_t code = c.length == 0 ? 0xFFFD : c.code;
    at += c.length == 0 ? 1 : c.length;
    const int byte = code < 0x144 ? piece_text_detail::alphabet.byte_of[code] : -1;
    if (byte >= 0) {
      out.push_back(static_cast<char>(byte));
      continue;
    }
    std::string character;
    utf8_append(character, code);
    out += "[UNK_BYTE_0x";
    for (const char b : character) piece_text_detail::append_hex(out, static_cast<unsigned char>(b));
    out += text;
    out.push_back(']');
  }
  return out;
}

int byte_token_value(std::string_view text) noexcept {
  if (text.size() != 6 || text.substr(0, 3) != "<0x" || text[5] != '>') return -1;
  const int high = piece_text_detail::hex_digit(text[3]);
  const int low = piece_text_detail::hex_digit(text[4]);
  return high < 0 || low < 0 ? -1 : high * 16 + low;
}

std::string clean_up_spaces(std::string_view text) {
  const std::string first = piece_text_detail::drop_space_before_punctuation(text);
  const std::string second = piece_text_detail::drop_spaces_around_apostrophe(first);
  return piece_text_detail::drop_space_before_contraction(second);
}

bool pre_tokenizer_cleans_spaces(std::string_view pre) noexcept {
  return !piece_text_detail::is_one_of(pre, piece_text_detail::keeps_spaces, std::size(piece_text_detail::keeps_spaces));
}

bool pre_tokenizer_marks_spaces(std::string_view pre) noexcept {
  return piece_text_detail::is_one_of(pre, piece_text_detail::marks_spaces, std::size(piece_text_detail::marks_spaces));
}

}  // namespace bankml
