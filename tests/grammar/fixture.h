// Small vocabularies and grammars for the tests of this room.
#pragma once

#include <cstdlib>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "core/base/error_text.h"
#include "core/grammar/gbnf_parser.h"
#include "core/grammar/gbnf_text.h"
#include "core/grammar/grammar.h"
#include "core/grammar/program.h"
#include "core/vocab/vocab.h"

namespace bankml::grammar {

inline std::shared_ptr<const Vocab> vocab_of(const std::vector<std::string>& pieces, int32_t eos, int32_t control = -1) {
  std::string bytes;
  std::vector<size_t> offsets{0};
  std::vector<uint32_t> flags(pieces.size());
  for (const std::string& piece : pieces) {
    bytes += piece;
    offsets.push_back(bytes.size());
  }
  if (control >= 0) flags[static_cast<size_t>(control)] = token_control;
  return Vocab::from_pieces(reinterpret_cast<const uint8_t*>(bytes.data()), offsets.data(), flags.data(), pieces.size(), eos, -1);
}

// 256 byte tokens, then texts, then "</s>" (ends), "<s>" (control), an empty piece.
inline std::shared_ptr<const Vocab> bytes_and(std::vector<std::string> texts) {
  std::vector<std::string> pieces;
  for (int i = 0; i < 256; ++i) pieces.emplace_back(1, static_cast<char>(i));
  pieces.insert(pieces.end(), texts.begin(), texts.end());
  const auto eos = static_cast<int32_t>(pieces.size());
  pieces.insert(pieces.end(), {"</s>", "<s>", ""});
  return vocab_of(pieces, eos, eos + 1);
}

// A tenth of the random places where every instruction is dear: BANKML_TEST_SHORT=1, under sanitizers and emulators.
inline size_t affordable(size_t places) {
  const char* shorter = std::getenv("BANKML_TEST_SHORT");
  return shorter != nullptr && shorter[0] == '1' ? (places + 9) / 10 : places;
}

inline std::vector<int32_t> allowed(const std::vector<uint32_t>& words) {
  std::vector<int32_t> ids;
  for (size_t i = 0; i < words.size() * 32; ++i) {
    if ((words[i / 32] >> (i % 32) & 1) != 0) ids.push_back(static_cast<int32_t>(i));
  }
  return ids;
}

// "ok", or the message of the refusal without its position.
inline std::string parse_message(const std::string& text, const ParseSetup& setup = {}) {
  try {
    const Rules rules = parse_gbnf(text, setup);
    const Program program(rules, 8);
    return "ok";
  } catch (const Failure& failure) {
    const std::string& said = failure.text();
    const size_t colon = said.rfind("grammar, line ", 0) == 0 ? said.find(": ") + 2 : 0;
    return said.substr(colon);
  }
}

// Whether the text is a complete match, byte by byte over a vocabulary of bytes.
inline bool matches(const std::string& grammar, const std::string& text) {
  static const auto vocab = bytes_and({});
  const auto made = Grammar::from_gbnf(vocab, grammar, {});
  ErrorText error;
  for (const char c : text) {
    const auto token = static_cast<int32_t>(static_cast<uint8_t>(c));
    if (!made->test(token) || made->accept(&token, 1, error) != Status::ok) return false;
  }
  return made->is_complete();
}

}  // namespace bankml::grammar
