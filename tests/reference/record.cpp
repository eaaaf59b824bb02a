// Records cases with llama.cpp's library: record FILE prints every line of FILE with its `expect` (and `texts`) as the library
// gives it.
//
// Used to write tests/vectors/chain-vocab.jsonl and vocab.jsonl, and to show that the recorded chain cases are still what the
// library does. ops: chain (no grammar), vocab.
#include <fstream>
#include <iostream>
#include <map>

#include "tests/reference/fnv.h"
#include "tests/reference/recorded_setup.h"

namespace bankml::reference {
namespace {

using nlohmann::ordered_json;

nlohmann::json record_vocab(const LlamaModel& model) {
  Fnv64 hash;
  nlohmann::json eog = nlohmann::json::array();
  for (int32_t token = 0; token < model.n_vocab(); ++token) {
    const std::string piece = model.piece(token, true);
    hash.add(static_cast<uint32_t>(piece.size()));
    for (const char byte : piece) hash.add(static_cast<uint32_t>(static_cast<uint8_t>(byte)));
    if (model.is_eog(token)) eog.push_back(token);
  }
  return {{"n_vocab", model.n_vocab()}, {"pieces_fnv", hash.hex()}, {"eog", eog},
          {"eos", model.eos()},         {"eot", model.eot()},       {"bos", model.bos()}};
}

int record_file(const std::string& file) {
  const LlamaLibraryPtr library = LlamaLibrary::open();
  std::map<std::string, std::unique_ptr<LlamaModel>> models;
  const size_t slash = file.rfind('/');
  const std::string folder = slash == std::string::npos ? "" : file.substr(0, slash + 1);
  std::ifstream stream(file);
  std::string line;
  while (std::getline(stream, line)) {
    ordered_json row = ordered_json::parse(line);
    const LlamaModel* model = nullptr;
    if (row.contains("vocab")) {
      auto& slot = models[row["vocab"]];
      if (!slot) slot = std::make_unique<LlamaModel>(library, folder + "vocab/" + row["vocab"].get<std::string>(), true);
      model = slot.get();
    }
    nlohmann::json texts;
    row.erase("expect");
    row.erase("texts");
    const nlohmann::json expect = row.at("op") == "vocab" ? record_vocab(*model) : record_chain(library, model, row, texts);
    if (!texts.is_null()) row["texts"] = texts;
    row["expect"] = expect;
    std::cout << row.dump() << "\n";
  }
  return 0;
}

}  // namespace
}  // namespace bankml::reference

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: record FILE  (BANKML_LLAMA_DIR = folder with llama.cpp's library)\n";
    return 2;
  }
  try {
    return bankml::reference::record_file(argv[1]);
  } catch (const std::exception& error) {
    std::cerr << "error: " << error.what() << "\n";
    return 2;
  }
}
