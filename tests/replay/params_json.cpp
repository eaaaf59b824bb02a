#include "tests/replay/params_json.h"

#include <string>

#include "tests/replay/hex.h"
#include "tests/replay/row.h"

namespace bankml::replay {
namespace {

// The files write -inf as null, the setter takes false.
json with_false_for_null(json biases) {
  for (json& entry : biases)
    if (entry.is_array() && entry.size() == 2 && entry[1].is_null()) entry[1] = false;
  return biases;
}

void check_own_tokenizer(Library& library, Library::Handle vocab, const json& texts) {
  for (const auto& [hex, expected] : texts.items()) {
    try {
      const Library::Tokens tokens = library.tokenize(vocab, from_hex(hex));
      if (json(tokens) != expected)
        throw Mismatch("tokenize " + hex + ": got " + json(tokens).dump() + ", recorded " + expected.dump());
    } catch (const Refused& refused) {
      if (refused.status == BANKML_ARG) return;  // the vocabulary has no tokenizer
      throw;
    }
  }
}

}  // namespace

Library::Handle params_from_json(Library& library, const json& values, Library::Handle vocab) {
  const Library::Handle params = library.params();
  // String breakers need pieces. Where a case has no vocabulary, or gives its breakers as tokens, the default strings do not apply.
  if (vocab == 0 || values.contains("dry_breaker_tokens")) library.set(params, "dry_sequence_breakers", "[]");
  for (const auto& [name, value] : values.items())
    library.set(params, name, (name == "logit_bias" ? with_false_for_null(value) : value).dump());
  return params;
}

void answer_texts(Library& library, Library::Handle params, Library::Handle vocab, const json& texts) {
  if (vocab != 0) check_own_tokenizer(library, vocab, texts);
  const std::vector<Library::OpenText> open = library.texts(params, vocab);
  for (size_t i = 0; i < open.size(); ++i) {
    const std::string hex = to_hex(open[i].bytes);
    if (!texts.contains(hex)) throw Mismatch("open text " + hex + " (" + open[i].purpose + ") has no recorded tokens");
    library.answer(params, i, texts[hex].get<Library::Tokens>());
  }
}

}  // namespace bankml::replay
