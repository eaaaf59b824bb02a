// walks.jsonl, recorded with llama.cpp b11192: along recorded tokens, the allowed sets of llama.cpp's grammar for the schema.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "core/grammar/grammar.h"
#include "core/schema/llama_schema.h"
#include "core/vocab/vocab.h"
#include "tests/reference/fnv.h"

namespace bankml::schema {
namespace {

TEST(LlamaSchema, recorded_walks) {
  const std::string tests = std::string(BANKML_SOURCE_DIR) + "/tests/";
  std::ifstream file(tests + "schema/walks.jsonl");
  std::map<std::string, std::shared_ptr<const Vocab>> vocabs;
  size_t rows = 0;
  for (std::string line; std::getline(file, line); ++rows) {
    const auto row = nlohmann::json::parse(line);
    const auto id = row["id"].get<std::string>();
    const auto name = row["vocab"].get<std::string>();
    auto& vocab = vocabs[name];
    if (vocab == nullptr) vocab = Vocab::from_gguf_path(tests + "vectors/vocab/" + name);
    const auto grammar = grammar::Grammar::from_gbnf(vocab, llama_gbnf(row["schema"].get<std::string>()), {});
    const auto& expect = row["expect"];
    ErrorText error;
    for (size_t step = 0; step < expect["allowed"].size(); ++step) {
      const std::vector<uint32_t>& words = grammar->mask();
      reference::Fnv64 hash;
      size_t count = 0;
      for (size_t token = 0; token < words.size() * 32; ++token) {
        if ((words[token / 32] >> (token % 32) & 1) == 0) continue;
        hash.add(static_cast<int32_t>(token));
        ++count;
      }
      ASSERT_EQ(count, expect["allowed"][step].get<size_t>()) << id << " step " << step;
      ASSERT_EQ(hash.hex(), expect["allowed_fnv"][step].get<std::string>()) << id << " step " << step;
      if (step >= expect["tokens"].size()) break;
      const auto token = expect["tokens"][step].get<int32_t>();
      ASSERT_EQ(grammar->accept(&token, 1, error), Status::ok) << id << " step " << step;
    }
  }
  EXPECT_EQ(rows, 124u);
}

}  // namespace
}  // namespace bankml::schema
