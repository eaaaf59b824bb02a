#include "tests/replay/row.h"

#include <algorithm>
#include <filesystem>

namespace bankml::replay {

Library::Handle RowContext::vocab(const std::string& name) {
  namespace fs = std::filesystem;
  const fs::path base = fs::path(name).filename();
  fs::path path = fs::path(folder) / base;
  std::error_code ignored;
  if (!fs::exists(path, ignored)) path = fs::path(vocab_folder) / base;
  const auto known = vocabs.find(path.string());
  if (known != vocabs.end()) return known->second;
  return vocabs.emplace(path.string(), library.vocab(path.string())).first->second;
}

void require_known(const json& row, const char* what, std::initializer_list<const char*> known) {
  for (const auto& [name, value] : row.items()) {
    const auto same = [&name = name](const char* candidate) { return name == candidate; };
    if (std::none_of(known.begin(), known.end(), same)) throw Mismatch(std::string("unknown ") + what + " '" + name + "'");
  }
}

void run_row(const json& row, RowContext& context) {
  const auto op = row.at("op").get<std::string>();
  if (op == "chain") return run_chain(row, context);
  if (op == "grammar") return run_grammar(row, context);
  if (op == "probs") return run_probs(row, context);
  if (op == "request") return run_request(row, context);
  if (op == "vocab") return run_vocab(row, context);
  if (op == "texts") return run_texts(row, context);
  throw Mismatch("unknown op '" + op + "'");
}

size_t row_vocab_size(const json& row, RowContext& context) {
  if (row.contains("n_vocab")) return row["n_vocab"].get<size_t>();
  return row.contains("vocab") ? context.library.vocab_info(context.vocab(row["vocab"])).size : 0;
}

}  // namespace bankml::replay
