// Replays the saved inputs of the fuzz targets (fuzz/corpus), so that what a fuzzer once found stays found, without a fuzzer.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "fuzz/gguf_target.h"
#include "fuzz/json_target.h"

namespace bankml {
namespace {

// Also every input cut in half, which costs nothing and is another input.
size_t replay(const std::string& name, void (*target)(const uint8_t*, size_t)) {
  size_t inputs = 0;
  for (const auto& entry : std::filesystem::directory_iterator(std::string(BANKML_SOURCE_DIR "/fuzz/corpus/") + name)) {
    std::ifstream stream(entry.path(), std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(stream), {}};
    SCOPED_TRACE(entry.path().string());
    target(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size());
    target(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size() / 2);
    ++inputs;
  }
  return inputs;
}

TEST(FuzzCorpus, Json) { EXPECT_GE(replay("json", fuzz::json), 8u); }
TEST(FuzzCorpus, Gguf) { EXPECT_GE(replay("gguf", fuzz::gguf), 6u); }

}  // namespace
}  // namespace bankml
