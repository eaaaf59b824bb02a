// op `vocab`: the pieces of a vocabulary, as FNV-1a over each piece's length and then each of its bytes, all as 4-byte integers.
#include "tests/reference/fnv.h"
#include "tests/replay/row.h"

namespace bankml::replay {
namespace {

std::string pieces_hash(const bankml_vocab* vocab) {
  reference::Fnv64 hash;
  for (size_t token = 0; token < bankml_vocab_size(vocab); ++token) {
    const uint8_t* bytes = nullptr;
    size_t length = 0;
    const bankml_status status = bankml_vocab_piece(vocab, static_cast<int32_t>(token), &bytes, &length);
    if (status != BANKML_OK) throw Mismatch("piece of token " + std::to_string(token) + ": " + bankml_status_string(status));
    hash.add(static_cast<uint32_t>(length));
    for (size_t i = 0; i < length; ++i) hash.add(static_cast<uint32_t>(bytes[i]));
  }
  return hash.hex();
}

json end_tokens(const bankml_vocab* vocab) {
  json list = json::array();
  for (size_t token = 0; token < bankml_vocab_size(vocab); ++token) {
    uint32_t flags = 0;
    if (bankml_vocab_flags(vocab, static_cast<int32_t>(token), &flags) != BANKML_OK)
      throw Mismatch("flags of " + std::to_string(token));
    if ((flags & BANKML_TOKEN_EOG) != 0) list.push_back(token);
  }
  return list;
}

json value_of(const bankml_vocab* vocab, const std::string& name) {
  if (name.size() >= 3 && name.compare(name.size() - 3, 3, "fnv") == 0) return pieces_hash(vocab);
  if (name == "n_vocab" || name == "n_tokens" || name == "n") return bankml_vocab_size(vocab);
  if (name == "eog") return end_tokens(vocab);
  if (name == "eos") return bankml_vocab_eos(vocab);
  if (name == "eot") return bankml_vocab_eot(vocab);
  if (name == "bos") return bankml_vocab_bos(vocab);
  throw Mismatch("unknown expect '" + name + "'");
}

}  // namespace

void run_vocab(const json& row, RowContext& context) {
  require_known(row, "field", {"id", "op", "name", "cat", "vocab", "expect"});
  const bankml_vocab* vocab = context.vocabs.find(row.at("vocab"), context.folder);
  for (const auto& [name, recorded] : row.at("expect").items()) {
    const json got = value_of(vocab, name);
    if (got != recorded) throw Mismatch(name + " " + got.dump() + ", recorded " + recorded.dump());
  }
}

}  // namespace bankml::replay
