// Replays the saved inputs of the fuzz targets of patterns and grammars (fuzz/corpus).
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "fuzz/grammar_target.h"
#include "fuzz/pattern_target.h"

namespace bankml {
namespace {

template <class Target>
size_t replay(const char* name, const Target& target) {
  size_t n = 0;
  for (const auto& entry : std::filesystem::directory_iterator(std::string(BANKML_SOURCE_DIR "/fuzz/corpus/") + name)) {
    SCOPED_TRACE(entry.path().string());
    std::ifstream in(entry.path(), std::ios::binary);
    const std::string bytes((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
    target(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size());  // aborts where a promise is broken
    ++n;
  }
  return n;
}

TEST(FuzzCorpus, Patterns) { EXPECT_GE(replay("pattern", fuzz::pattern), 8u); }
TEST(FuzzCorpus, Gbnf) { EXPECT_GE(replay("gbnf", fuzz::gbnf), 10u); }
TEST(FuzzCorpus, Walks) { EXPECT_GE(replay("walk", fuzz::grammar_walk), 12u); }

}  // namespace
}  // namespace bankml
