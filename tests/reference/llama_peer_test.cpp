// The peer itself is checked: what it computes for recorded cases is what was recorded, so a comparison with it means something.
// Without llama.cpp's library (BANKML_LLAMA_DIR) these tests are skipped by name.
#include "tests/reference/llama_peer.h"

#include <gtest/gtest.h>

#include <bit>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/reference/logits.h"
#include "tests/reference/recorded_setup.h"

namespace bankml::reference {
namespace {

const std::string vectors = std::string(BANKML_SOURCE_DIR) + "/tests/vectors/";

class LlamaPeer : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string reason;
    if (!LlamaLibrary::available(reason)) GTEST_SKIP() << reason;
    library = LlamaLibrary::open();
  }
  LlamaLibraryPtr library;
};

void expect_recorded(const LlamaLibraryPtr& library, const std::string& file) {
  std::ifstream stream(vectors + file);
  ASSERT_TRUE(stream) << file;
  std::map<std::string, std::unique_ptr<LlamaModel>> models;
  std::string line;
  size_t rows = 0;
  while (std::getline(stream, line)) {
    const nlohmann::json row = nlohmann::json::parse(line);
    if (row.value("n_vocab", 0) > 5000) continue;
    const LlamaModel* model = nullptr;
    if (row.contains("vocab")) {
      auto& slot = models[row["vocab"]];
      if (!slot) slot = std::make_unique<LlamaModel>(library, vectors + "vocab/" + row["vocab"].get<std::string>(), true);
      model = slot.get();
    }
    nlohmann::json texts;
    EXPECT_EQ(record_chain(library, model, row, texts), row["expect"]) << row["id"];
    ++rows;
  }
  EXPECT_GT(rows, 20u);
}

TEST_F(LlamaPeer, ReproducesTheRecordedChains) { expect_recorded(library, "chain.jsonl"); }
TEST_F(LlamaPeer, ReproducesTheRecordedEdges) { expect_recorded(library, "chain-edges.jsonl"); }
TEST_F(LlamaPeer, ReproducesTheRecordedInfills) { expect_recorded(library, "infill.jsonl"); }
TEST_F(LlamaPeer, ReproducesTheRecordedStringBreakers) { expect_recorded(library, "chain-vocab.jsonl"); }

TEST_F(LlamaPeer, ReadsVocabularies) {
  const LlamaModel model(library, vectors + "vocab/spm-test.gguf", true);
  EXPECT_EQ(model.n_vocab(), 695);
  EXPECT_TRUE(model.is_eog(model.eos()));
  std::string text;
  for (const int32_t token : model.tokenize("the name", false, false)) text += model.piece(token, false);
  EXPECT_EQ(text, "the name");
}

// A sampler made from the same setup through the C ABI draws the same: the two translations of ChainSetup agree.
TEST_F(LlamaPeer, AgreesWithTheLibraryOnASetup) {
  ChainSetup setup;
  setup.seed = 7;
  setup.repeat_penalty = 1.3f;
  setup.logit_bias = {{3, 2.5f}, {4, -std::numeric_limits<float>::infinity()}};
  setup.dry_multiplier = 0.8f;
  setup.dry_breaker_tokens = {{5}, {6, 7}};
  const std::vector<int32_t> prompt = {1, 2, 3, 1, 2, 3, 1, 2};
  LlamaChain peer(library, setup, 500);
  const SamplerHandle ours = make_sampler(setup, nullptr, 500);
  peer.accept(prompt);
  ASSERT_EQ(bankml_sampler_accept_many(ours.get(), prompt.data(), prompt.size()), BANKML_OK);
  std::vector<float> logits(500);
  for (uint64_t step = 0; step < 50; ++step) {
    ASSERT_TRUE(fill_logits("normal", step, logits.size(), logits.data()));
    int32_t token = -1;
    ASSERT_EQ(bankml_sampler_sample(ours.get(), logits.data(), logits.size(), &token), BANKML_OK)
        << bankml_sampler_error(ours.get());
    EXPECT_EQ(token, peer.sample(logits.data(), logits.size()));
    peer.accept(token);
    ASSERT_EQ(bankml_sampler_accept(ours.get(), token), BANKML_OK);
  }
}

// Changed defaults mean another struct layout: such a library must be refused.
TEST(LlamaTypes, OtherDefaultsAreNotV050) {
  PeerModelParams model{};
  PeerContextParams context{};
  EXPECT_FALSE(looks_like_v0_5_0(model, context));
}

}  // namespace
}  // namespace bankml::reference
