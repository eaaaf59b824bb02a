// op `texts`: the tokens that a vocabulary's own tokenizer gives for texts (bytes in hex), no special tokens.
#include "tests/replay/hex.h"
#include "tests/replay/row.h"

namespace bankml::replay {

void run_texts(const json& row, RowContext& context) {
  require_known(row, "field", {"id", "op", "name", "cat", "vocab", "texts"});
  const Library::Handle vocab = context.vocab(row.at("vocab"));
  for (const json& text : row.at("texts")) {
    const auto hex = text.at(0).get<std::string>();
    const Library::Tokens tokens = context.library.tokenize(vocab, from_hex(hex));
    if (json(tokens) != text.at(1))
      throw Mismatch("text " + hex + ": got " + json(tokens).dump() + ", recorded " + text.at(1).dump());
  }
}

}  // namespace bankml::replay
