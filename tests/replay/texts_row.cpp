// op `texts`: the tokens that a vocabulary's own tokenizer gives for texts (bytes in hex), no special tokens.
#include "tests/replay/params_json.h"
#include "tests/replay/row.h"

namespace bankml::replay {

void run_texts(const json& row, RowContext& context) {
  require_known(row, "field", {"id", "op", "name", "cat", "vocab", "texts"});
  const bankml_vocab* vocab = context.vocabs.find(row.at("vocab"), context.folder);
  std::vector<int32_t> tokens;
  for (const json& text : row.at("texts")) {
    const auto hex = text.at(0).get<std::string>();
    if (!tokenize(vocab, hex, tokens)) throw Mismatch("the vocabulary has no tokenizer of its own");
    if (json(tokens) != text.at(1))
      throw Mismatch("text " + hex + ": got " + json(tokens).dump() + ", recorded " + text.at(1).dump());
  }
}

}  // namespace bankml::replay
