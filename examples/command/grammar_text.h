// A grammar's text from a file, its errors with the place under a caret, and texts cut into tokens.
#pragma once

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

#include "examples/command/common.h"

namespace command {

// An error with a place in a text: below the line of the error, the text's line and a caret.
class ErrorAt : public Error {
 public:
  // `at`: a byte of `text`, or its length.
  ErrorAt(const std::string& message, const std::string& text, size_t at);
  const std::string& excerpt() const noexcept { return excerpt_; }

 private:
  std::string excerpt_;
};

using Grammar = std::unique_ptr<bankml_grammar, Freer<bankml_grammar_free>>;

// 256 tokens of one byte each and an end token: a text can be followed byte by byte without a model.
Vocab vocab_of_bytes();

// What wakes a lazy grammar; the grammar is lazy if there is one.
struct Triggers {
  std::vector<int32_t> tokens;
  std::vector<std::string> words;
  std::vector<std::string> patterns;
  std::vector<std::string> full_patterns;
};
void add_triggers(CLI::App* sub, Triggers& triggers);

// Throws ErrorAt with "FILE:LINE:COLUMN: ..." for a malformed text.
Grammar grammar_from_file(const bankml_vocab* vocab, const std::string& path, const std::string& root, const Triggers& triggers,
                          const std::string& dialect = "llama");
void check(const bankml_grammar* grammar, bankml_status status);

// Cut from the front, each time the longest piece that fits; no control tokens. Throws Error where none fits.
std::vector<int32_t> longest_pieces(const bankml_vocab* vocab, const std::string& text);

std::string forced_bytes(bankml_grammar* grammar);
std::vector<int32_t> allowed_tokens(bankml_grammar* grammar, const bankml_vocab* vocab);
bool may_end(bankml_grammar* grammar);

}  // namespace command
