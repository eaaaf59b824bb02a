#include "examples/command/grammar_text.h"

#include <algorithm>
#include <cstdio>
#include <unordered_map>

#include "examples/command/print.h"

namespace command {

namespace {

// The line that holds byte `at`, and a caret below that byte; at the end of a text the end of its last line. Tabs stay tabs, so
// that the caret stands below on any terminal; bytes that continue a character take no place.
std::string caret_below(const std::string& text, size_t at) {
  at = std::min(at, text.size());
  if (at == text.size()) {
    while (at > 0 && (text[at - 1] == '\n' || text[at - 1] == '\r')) --at;
  }
  const size_t before = at == 0 ? std::string::npos : text.rfind('\n', at - 1);
  const size_t begin = before == std::string::npos ? 0 : before + 1;
  const std::string line = text.substr(begin, std::min(text.find('\n', begin), text.size()) - begin);
  std::string blanks;
  for (size_t i = 0; i < at - begin && i < line.size(); ++i) {
    if ((static_cast<unsigned char>(line[i]) & 0xC0) != 0x80) blanks += line[i] == '\t' ? '\t' : ' ';
  }
  return "  " + line + "\n  " + blanks + "^\n";
}

// Where line and column of the library, both from 1 and in bytes, lie in the text.
size_t offset_of(const std::string& text, size_t line, size_t column) {
  size_t at = 0;
  for (; line > 1 && at < text.size(); ++at) {
    if (text[at] == '\n' || (text[at] == '\r' && (at + 1 == text.size() || text[at + 1] != '\n'))) --line;
  }
  return std::min(at + column - 1, text.size());
}

[[noreturn]] void fail_in_text(const std::string& path, const std::string& text, const std::string& failure) {
  size_t line = 0, column = 0;
  int length = 0;
  if (std::sscanf(failure.c_str(), "grammar, line %zu, column %zu: %n", &line, &column, &length) != 2 || length == 0)
    throw Error(failure);
  const size_t at = offset_of(text, line, column);
  std::string message = failure.substr(static_cast<size_t>(length));
  // llama.cpp's texts end with all that follows in the grammar; the caret shows it better.
  const size_t tail = message.find(" at ");
  if (tail != std::string::npos && text.compare(at, message.size() - tail - 4, message, tail + 4, std::string::npos) == 0)
    message.erase(tail);
  throw ErrorAt(path + ":" + std::to_string(line) + ":" + std::to_string(column) + ": " + message, text, at);
}

}  // namespace

ErrorAt::ErrorAt(const std::string& message, const std::string& text, size_t at)
    : Error(message), excerpt_(caret_below(text, at)) {}

Vocab vocab_of_bytes() {
  constexpr int32_t end = 256;
  uint8_t bytes[260];
  size_t offsets[end + 2];
  uint32_t flags[end + 1] = {};
  for (size_t i = 0; i <= 256; ++i) offsets[i] = i;
  for (size_t i = 0; i < 256; ++i) bytes[i] = static_cast<uint8_t>(i);
  std::copy_n("</s>", 4, bytes + 256);
  offsets[end + 1] = 260;
  flags[end] = BANKML_TOKEN_CONTROL | BANKML_TOKEN_EOG;
  char text[error_size] = "";
  Vocab vocab(bankml_vocab_new(bytes, offsets, flags, end + 1, end, -1, text, sizeof text));
  if (!vocab) throw Error(text);
  return vocab;
}

void add_triggers(CLI::App* sub, Triggers& triggers) {
  sub->add_option("--trigger-token", triggers.tokens,
                  "Makes the grammar lazy: everything is allowed until this token; the grammar's text begins with it (repeatable)")
      ->allow_extra_args(false)
      ->type_name("ID");
  sub->add_option("--trigger-word", triggers.words, "Likewise, with these bytes anywhere in the text")
      ->allow_extra_args(false)
      ->type_name("TEXT");
  sub->add_option("--trigger-pattern", triggers.patterns,
                  "Likewise, with a match of this regular expression (ECMAScript), or its first group that is not empty")
      ->allow_extra_args(false)
      ->type_name("REGEX");
  sub->add_option("--trigger-pattern-full", triggers.full_patterns, "Likewise, where the whole text matches")
      ->allow_extra_args(false)
      ->type_name("REGEX");
}

Grammar grammar_from_file(const bankml_vocab* vocab, const std::string& path, const std::string& root, const Triggers& triggers,
                          const std::string& dialect) {
  const std::string text = read_file(path);
  char failure[4096] = "";
  const std::unique_ptr<bankml_grammar_options, Freer<bankml_grammar_options_free>> options(
      bankml_grammar_options_new(failure, sizeof failure));
  if (!options) throw Error(failure);
  const auto require = [&](bankml_status status) {
    if (status != BANKML_OK) throw Error(bankml_grammar_options_error(options.get()));
  };
  require(bankml_grammar_options_set_string(options.get(), "root", root.c_str()));
  require(bankml_grammar_options_set_string(options.get(), "dialect", dialect.c_str()));
  const auto add = [&](int32_t kind, const std::string& bytes, int32_t token) {
    require(bankml_grammar_options_set_number(options.get(), "lazy", 1));
    const auto* const first = reinterpret_cast<const uint8_t*>(bytes.data());
    require(bankml_grammar_options_trigger(options.get(), kind, first, bytes.size(), token));
  };
  for (const int32_t token : triggers.tokens) add(BANKML_TRIGGER_TOKEN, "", token);
  for (const std::string& word : triggers.words) add(BANKML_TRIGGER_WORD, word, -1);
  for (const std::string& pattern : triggers.patterns) add(BANKML_TRIGGER_PATTERN, pattern, -1);
  for (const std::string& pattern : triggers.full_patterns) add(BANKML_TRIGGER_PATTERN_FULL, pattern, -1);
  Grammar grammar(bankml_grammar_from_gbnf(vocab, text.data(), text.size(), options.get(), failure, sizeof failure));
  if (!grammar) fail_in_text(path == "-" ? "stdin" : path, text, failure);
  return grammar;
}

void check(const bankml_grammar* grammar, bankml_status status) {
  if (status == BANKML_OK) return;
  const std::string text = bankml_grammar_error(grammar);
  throw Error(text.empty() ? bankml_status_string(status) : text);
}

std::vector<int32_t> longest_pieces(const bankml_vocab* vocab, const std::string& text) {
  std::unordered_map<std::string, int32_t> ids;
  size_t longest = 0;
  for (size_t i = bankml_vocab_size(vocab); i-- > 0;) {  // of equal pieces the first one
    const auto token = static_cast<int32_t>(i);
    uint32_t flags = 0;
    if (bankml_vocab_flags(vocab, token, &flags) != BANKML_OK || (flags & (BANKML_TOKEN_CONTROL | BANKML_TOKEN_EOG)) != 0) continue;
    const std::string piece = piece_bytes(vocab, token);
    longest = std::max(longest, piece.size());
    ids[piece] = token;
  }
  std::vector<int32_t> tokens;
  for (size_t at = 0; at < text.size();) {
    size_t size = std::min(longest, text.size() - at);
    while (size > 0 && !ids.contains(text.substr(at, size))) --size;
    if (size == 0) throw ErrorAt("the vocabulary has no token for byte " + std::to_string(at) + " of the text", text, at);
    tokens.push_back(ids[text.substr(at, size)]);
    at += size;
  }
  return tokens;
}

std::string forced_bytes(bankml_grammar* grammar) {
  uint8_t bytes[4096];
  size_t size = 0;
  check(grammar, bankml_grammar_forced(grammar, bytes, sizeof bytes, &size));
  return std::string(reinterpret_cast<const char*>(bytes), size);
}

std::vector<int32_t> allowed_tokens(bankml_grammar* grammar, const bankml_vocab* vocab) {
  std::vector<uint32_t> words((bankml_vocab_size(vocab) + 31) / 32);
  check(grammar, bankml_grammar_mask(grammar, words.data(), words.size()));
  std::vector<int32_t> tokens;
  for (size_t i = 0; i < bankml_vocab_size(vocab); ++i) {
    if ((words[i / 32] >> (i % 32) & 1) != 0) tokens.push_back(static_cast<int32_t>(i));
  }
  return tokens;
}

bool may_end(bankml_grammar* grammar) {
  int32_t complete = 0;
  check(grammar, bankml_grammar_is_complete(grammar, &complete));
  return complete != 0;
}

}  // namespace command
