// Any bytes as GBNF text, and what was read walked at random; any bytes as a walk over given grammars, lazy ones among them.
//
// Promises: a text is refused with its place or works; `test` and the mask agree; a refused token changes nothing; going back, a
// clone, saved bytes and a fresh handle fed the same tokens all stand at the same place.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/status.h"
#include "core/grammar/grammar.h"

namespace bankml::fuzz {

// Bytes, some longer pieces, broken and unfinished ones, an end token, a control token, an empty piece.
inline const std::shared_ptr<const Vocab>& fuzz_vocab() {
  static const std::shared_ptr<const Vocab> made = [] {
    std::vector<std::string> pieces;
    for (int i = 0; i < 256; ++i) pieces.emplace_back(1, static_cast<char>(i));
    for (const char* text : {"ab", "abc", "aa", "(a", " a", "\n\n", "\xC3\xA9", "\xE2\x82", "\xC3\x41", "a\xE2", "12", "tool:"}) {
      pieces.emplace_back(text);
    }
    const auto eos = static_cast<int32_t>(pieces.size());
    pieces.insert(pieces.end(), {"</s>", "<s>", ""});
    std::string bytes;
    std::vector<size_t> offsets{0};
    std::vector<uint32_t> flags(pieces.size());
    for (const std::string& piece : pieces) {
      bytes += piece;
      offsets.push_back(bytes.size());
    }
    flags[static_cast<size_t>(eos) + 1] = token_control;
    return Vocab::from_pieces(reinterpret_cast<const uint8_t*>(bytes.data()), offsets.data(), flags.data(), pieces.size(), eos, -1);
  }();
  return made;
}

inline bool has(const std::vector<uint32_t>& words, int32_t token) {
  return (words[static_cast<size_t>(token) / 32] >> (token % 32) & 1) != 0;
}

inline void expect(bool promise) {
  if (!promise) std::abort();
}

inline void same_place(grammar::Grammar& a, grammar::Grammar& b) {
  expect(a.waits() == b.waits() && a.is_complete() == b.is_complete() && a.mask() == b.mask() && a.forced(64) == b.forced(64));
}

// Each byte of `moves` is a step: back, a clone, a reset, saved bytes, or a token.
inline void walk(grammar::Grammar& grammar, const grammar::Grammar& fresh, std::string_view moves) {
  const auto size = static_cast<int32_t>(grammar.vocab().size());
  ErrorText error;
  for (size_t i = 0; i < moves.size(); ++i) {
    const auto move = static_cast<uint8_t>(moves[i]);
    const uint8_t value = i + 1 < moves.size() ? static_cast<uint8_t>(moves[++i]) : uint8_t{0};
    if (move < 16) {
      const size_t n = value % 8;
      const bool possible = n <= grammar.tokens().size();
      expect((grammar.rollback(n, error) == Status::ok) == possible);
    } else if (move < 24) {
      const auto copy = grammar.clone();
      same_place(*copy, grammar);
      copy->reset();
      expect(copy->tokens().empty());
    } else if (move < 32) {
      const auto loaded = fresh.clone();
      loaded->load(grammar.save());
      same_place(*loaded, grammar);
    } else {
      const std::vector<uint32_t> words = grammar.mask();
      auto token = static_cast<int32_t>((move * 256 + value) % size);
      if (move < 160) {  // mostly one that is allowed
        for (int32_t tries = 0; tries < size && !has(words, token); ++tries) token = (token + 1) % size;
      }
      expect(grammar.test(token) == has(words, token));
      const size_t before = grammar.tokens().size();
      const Status status = grammar.accept(&token, 1, error);
      expect(status == Status::ok || status == Status::reject || status == Status::limit);
      expect(grammar.tokens().size() == before + (status == Status::ok ? 1 : 0));
      if (status != Status::ok) expect(grammar.mask() == words);
    }
  }
  const auto again = fresh.clone();
  expect(again->accept(grammar.tokens().data(), grammar.tokens().size(), error) == Status::ok);
  same_place(*again, grammar);
}

inline grammar::Options fuzz_options() {
  grammar::Options options;
  options.max_states = 50000;
  options.max_bytes = size_t{4} << 20;
  return options;
}

// The text, then behind a byte FF the walk.
inline void gbnf(const uint8_t* data, size_t size) {
  const std::string_view all(reinterpret_cast<const char*>(data), size);
  const size_t split = std::min(all.find('\xFF'), all.size());
  try {
    const auto made = grammar::Grammar::from_gbnf(fuzz_vocab(), all.substr(0, split), fuzz_options());
    const auto fresh = made->clone();
    walk(*made, *fresh, all.substr(std::min(split + 1, all.size())).substr(0, 60));
  } catch (const Failure& failure) {
    const Status s = failure.status();
    expect(!failure.text().empty());
    expect(s == Status::parse || s == Status::limit || s == Status::open_text || s == Status::arg);
  }
}

// The first byte chooses the grammar, the rest is the walk.
inline void grammar_walk(const uint8_t* data, size_t size) {
  using grammar::Trigger;
  static const char* const texts[] = {
      "root ::= \"x\" root \"y\" | \"x\" root \"z\" | \"w\"",
      "root ::= v\nv ::= \"[\" (v (\",\" v)*)? \"]\" | [0-9]+ | \"\\\"\" [^\"\\n]* \"\\\"\"",
      "root ::= [^a-z\\u00e9]* \"a\" .{2,5}",
      "root ::= (<[256]> | !<[97]> \"b\")* \"c\"",
      "root ::= \"\\u20ac\"{1,40} (\"a\"? \"b\"?){0,30}",
      "root ::= \"tool:\" [0-9]+",
  };
  if (size == 0) return;
  grammar::Options options = fuzz_options();
  options.lazy = data[0] % 2 == 1;
  options.triggers = {{Trigger::pattern, "(a|b)*(c)$"}, {Trigger::word, "tool:"}, {Trigger::token, "", 'x'}};
  const char* text = texts[data[0] / 2 % (sizeof texts / sizeof *texts)];
  const auto made = grammar::Grammar::from_gbnf(fuzz_vocab(), text, options);
  const auto fresh = made->clone();
  try {
    walk(*made, *fresh, std::string_view(reinterpret_cast<const char*>(data + 1), size - 1).substr(0, 2000));
  } catch (const Failure& failure) {
    expect(failure.status() == Status::limit);  // of masks
  }
}

}  // namespace bankml::fuzz
