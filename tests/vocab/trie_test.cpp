// core/vocab/trie.h against plain searches over the pieces.
#include "core/vocab/trie.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "core/vocab/vocab.h"

namespace bankml {
namespace {

std::shared_ptr<const Vocab> vocab_of(const std::vector<std::string>& pieces) {
  std::string bytes;
  std::vector<size_t> offsets{0};
  for (const std::string& piece : pieces) {
    bytes += piece;
    offsets.push_back(bytes.size());
  }
  return Vocab::from_pieces(reinterpret_cast<const uint8_t*>(bytes.data()), offsets.data(), nullptr, pieces.size(), -1, -1);
}

void expect_trie_of(const std::vector<std::string>& pieces) {
  const auto vocab = vocab_of(pieces);
  const Trie& trie = vocab->trie();
  std::set<std::string> paths = {""};
  std::map<std::string, std::vector<int32_t>> ending;
  for (size_t i = 0; i < pieces.size(); ++i) {
    for (size_t n = 1; n <= pieces[i].size(); ++n) paths.insert(pieces[i].substr(0, n));
    ending[pieces[i]].push_back(static_cast<int32_t>(i));
  }
  ASSERT_EQ(trie.size(), paths.size());
  EXPECT_EQ(trie.end(0), trie.size());
  uint32_t expected_node = 0;  // a std::set walks the paths in preorder, if bytes compare as unsigned
  for (const std::string& path : paths) {
    const uint32_t node = trie.find(path);
    ASSERT_EQ(node, expected_node++) << path;
    if (node > 0) {
      EXPECT_EQ(trie.byte(node), static_cast<uint8_t>(path.back()));
    }
    const auto here = trie.tokens(node);
    EXPECT_EQ(std::vector<int32_t>(here.begin(), here.end()), ending[path]) << path;
    std::vector<int32_t> below;
    for (const auto& [piece, ids] : ending) {
      if (piece.compare(0, path.size(), path) == 0) below.insert(below.end(), ids.begin(), ids.end());
    }
    const auto found = trie.tokens_below(node);
    EXPECT_EQ(std::vector<int32_t>(found.begin(), found.end()), below) << path;
    for (int byte = 0; byte < 256; ++byte) {
      const std::string longer = path + static_cast<char>(byte);
      EXPECT_EQ(trie.child(node, static_cast<uint8_t>(byte)) != Trie::none, paths.count(longer) == 1);
    }
  }
}

TEST(Trie, SmallOnes) {
  expect_trie_of({""});
  expect_trie_of({"a"});
  expect_trie_of({"", "", "a", "a"});
  expect_trie_of({"abc", "ab", "abd", "b", "abc", "", "ab\xFF", "\x80", std::string(1, '\0')});
}

TEST(Trie, RandomOnes) {
  const uint32_t seed = 5;
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 engine(seed);
  const auto random = [&engine] { return static_cast<uint32_t>(engine()); };
  for (int round = 0; round < 40; ++round) {
    std::vector<std::string> pieces(1 + random() % 60);
    const uint32_t letters = 1 + random() % 4;
    for (std::string& piece : pieces) {
      for (uint32_t n = random() % 7; n > 0; --n) piece += static_cast<char>(0x7E + random() % letters);
    }
    expect_trie_of(pieces);
  }
}

TEST(Trie, NoSuchPath) {
  const auto vocab = vocab_of({"ab", "c"});
  EXPECT_EQ(vocab->trie().find("b"), Trie::none);
  EXPECT_EQ(vocab->trie().find("abc"), Trie::none);
}

}  // namespace
}  // namespace bankml
