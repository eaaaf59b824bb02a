// Tested by tests/grammar/grammar.cpp
#include "core/grammar/token_text.h"

#include "core/base/status.h"

namespace bankml::grammar {

int64_t token_of_text(const Vocab& vocab, const std::map<std::string, int32_t, std::less<>>& answers, std::string_view text) {
  const auto given = answers.find(text);
  if (given != answers.end()) return given->second;
  bool has_special = false;  // inside of the text: then it is more than one token
  for (int32_t token = 0; token < static_cast<int32_t>(vocab.size()); ++token) {
    if ((vocab.flags(token) & (token_control | token_user_defined | token_unknown)) == 0) continue;
    const std::string_view piece = vocab.piece(token);
    if (piece == text) return token;
    if (!piece.empty() && text.find(piece) != std::string_view::npos) has_special = true;
  }
  if (has_special) return -1;
  if (!vocab.has_tokenizer()) {
    throw Failure(Status::open_text, "the grammar's token '" + std::string(text) +
                                         "' is no special piece: name its id in the options (token_text), or write <[id]>");
  }
  const auto tokens = vocab.tokenize(text);
  return tokens.size() == 1 ? tokens[0] : -1;
}

}  // namespace bankml::grammar
