// op `grammar`: along recorded tokens, the number of allowed tokens and their fingerprint (ids, ascending); or a text that must be
// refused (`parse_error`). With `triggers` the grammar is lazy;
// with `schema` instead of `grammar` it is made of a JSON schema, dialect llama.
#include "tests/reference/fnv.h"
#include "tests/replay/row.h"

namespace bankml::replay {

void run_grammar(const json& row, RowContext& context) {
  require_known(row, "field", {"id", "op", "name", "cat", "vocab", "grammar", "schema", "triggers", "walk_seed", "steps", "expect"});
  const json& expect = row.at("expect");
  require_known(expect, "expect", {"allowed", "allowed_fnv", "tokens", "parse_error"});
  Library& library = context.library;
  const Library::Handle vocab = context.vocab(row.at("vocab"));
  const bool by_schema = row.contains("schema");
  const auto text = row.at(by_schema ? "schema" : "grammar").get<std::string>();
  std::vector<Library::Trigger> triggers;
  for (const json& trigger : row.value("triggers", json::array())) {
    const auto kind = trigger.at("kind").get<std::string>();
    triggers.push_back({kind, kind == "token" ? "" : trigger.at("text").get<std::string>(), trigger.value("token", -1)});
  }
  if (expect.contains("parse_error")) {
    try {
      const OwnedGrammar grammar(library, library.grammar(vocab, text, triggers));
    } catch (const Refused&) {
      return;
    }
    throw Mismatch("the grammar must be refused");
  }
  const OwnedGrammar grammar(library, by_schema ? library.schema(vocab, text) : library.grammar(vocab, text, triggers));
  const json& tokens = expect.at("tokens");
  for (size_t step = 0; step < expect.at("allowed").size(); ++step) {
    const std::string at = "step " + std::to_string(step) + ": ";
    const std::vector<uint32_t> words = library.mask(grammar.get());
    reference::Fnv64 hash;
    size_t count = 0;
    for (size_t id = 0; id < words.size() * 32; ++id) {
      if ((words[id / 32] >> (id % 32) & 1) == 0) continue;
      hash.add(static_cast<int32_t>(id));
      ++count;
    }
    if (count != expect["allowed"][step].get<size_t>())
      throw Mismatch(at + std::to_string(count) + " tokens allowed, recorded " + expect["allowed"][step].dump());
    if (hash.hex() != expect.at("allowed_fnv").at(step).get<std::string>())
      throw Mismatch(at + "other tokens are allowed than recorded");
    if (step < tokens.size()) library.advance(grammar.get(), tokens[step].get<int32_t>());
  }
}

}  // namespace bankml::replay
