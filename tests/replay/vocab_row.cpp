// op `vocab`: the pieces of a vocabulary, as FNV-1a over each piece's length and then each of its bytes, all as 4-byte integers.
#include "tests/reference/fnv.h"
#include "tests/replay/row.h"

namespace bankml::replay {
namespace {

struct Contents {
  std::string pieces_hash;
  json end_tokens = json::array();
};

Contents read(Library& library, Library::Handle vocab, size_t size) {
  Contents contents;
  reference::Fnv64 hash;
  for (size_t token = 0; token < size; ++token) {
    const Library::Piece piece = library.piece(vocab, static_cast<int32_t>(token));
    hash.add(static_cast<uint32_t>(piece.bytes.size()));
    for (const char c : piece.bytes) hash.add(static_cast<uint32_t>(static_cast<uint8_t>(c)));
    if ((piece.flags & BANKML_TOKEN_EOG) != 0) contents.end_tokens.push_back(token);
  }
  contents.pieces_hash = hash.hex();
  return contents;
}

json value_of(const Library::VocabInfo& info, const Contents& contents, const std::string& name) {
  if (name.size() >= 3 && name.compare(name.size() - 3, 3, "fnv") == 0) return contents.pieces_hash;
  if (name == "n_vocab" || name == "n_tokens" || name == "n") return info.size;
  if (name == "eog") return contents.end_tokens;
  if (name == "eos") return info.eos;
  if (name == "eot") return info.eot;
  if (name == "bos") return info.bos;
  throw Mismatch("unknown expect '" + name + "'");
}

}  // namespace

void run_vocab(const json& row, RowContext& context) {
  require_known(row, "field", {"id", "op", "name", "cat", "vocab", "expect"});
  const Library::Handle vocab = context.vocab(row.at("vocab"));
  const Library::VocabInfo info = context.library.vocab_info(vocab);
  const Contents contents = read(context.library, vocab, info.size);
  for (const auto& [name, recorded] : row.at("expect").items()) {
    const json got = value_of(info, contents, name);
    if (got != recorded) throw Mismatch(name + " " + got.dump() + ", recorded " + recorded.dump());
  }
}

}  // namespace bankml::replay
