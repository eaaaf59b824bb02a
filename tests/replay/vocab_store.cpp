#include "tests/replay/vocab_store.h"

#include <filesystem>
#include <stdexcept>

namespace bankml::replay {

const bankml_vocab* VocabStore::find(const std::string& name, const std::string& folder) {
  namespace fs = std::filesystem;
  const fs::path base = fs::path(name).filename();
  fs::path path = fs::path(folder) / base;
  std::error_code ignored;
  if (!fs::exists(path, ignored)) path = fs::path(project_folder_) / base;
  const std::lock_guard<std::mutex> guard(lock_);
  const auto known = loaded_.find(path.string());
  if (known != loaded_.end()) return known->second.get();
  char error[512] = "";
  Handle vocab(bankml_vocab_from_gguf(path.c_str(), error, sizeof error), bankml_vocab_free);
  if (!vocab) throw std::runtime_error("vocabulary " + path.string() + ": " + error);
  return loaded_.emplace(path.string(), std::move(vocab)).first->second.get();
}

}  // namespace bankml::replay
