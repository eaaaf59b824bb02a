// core/vocab/piece_chars.h, char_trie.h, char_tables.h: decoding with the reference's quirks, the trie against its pieces, regions.
#include "core/vocab/char_trie.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "core/vocab/char_tables.h"
#include "core/vocab/vocab.h"

namespace bankml {
namespace {

using Chars = std::vector<uint32_t>;

struct Decoded {
  bool valid;
  Chars chars;
  Unfinished rest;
  bool operator==(const Decoded&) const = default;
};
Decoded decode(std::string_view piece, Unfinished start = {}) {
  Decoded out{};
  out.valid = decode_piece(piece, start, out.chars, out.rest);
  return out;
}

TEST(PieceChars, QuirksOfTheReference) {
  EXPECT_EQ(decode("a\xC3\xA9"), (Decoded{true, {'a', 0xE9}, {}}));
  EXPECT_EQ(decode(std::string_view("a\0b", 3)), (Decoded{true, {'a'}, {}}));
  EXPECT_EQ(decode("\xC3"
                   "A"),
            (Decoded{true, {0xC1}, {}}));  // followers are not checked
  EXPECT_EQ(decode("a\x80"), (Decoded{false, {}, {}}));
  EXPECT_EQ(decode("\xC0\x80"), (Decoded{true, {0}, {}}));
  EXPECT_EQ(decode("\xFF\x81\x81\x81"), (Decoded{true, {0x3C1041}, {}}));
  EXPECT_EQ(decode("b\xE2\x82"), (Decoded{true, {'b'}, {0x82, 1}}));
  EXPECT_EQ(decode("\xAC"
                   "c",
                   {0x82, 1}),
            (Decoded{true, {0x20AC, 'c'}, {}}));
  EXPECT_EQ(decode("\x98", {0x1F, 2}), (Decoded{true, {}, {0x7D8, 1}}));
  EXPECT_EQ(decode("c", {0x82, 1}), (Decoded{false, {}, {}}));
  EXPECT_EQ(decode("", {0x82, 1}), (Decoded{true, {}, {0x82, 1}}));
}

std::shared_ptr<const Vocab> some_vocab() {
  const std::vector<std::string> pieces = {"a",        "ab",        "abc",  "b", "\xC3\xA9", "a\xC3",
                                           "\xE2\x82", "a\xE2\x82", "",     "x", "a",        "</s>",
                                           "\x80z",    "a1",        "ab1c", "1", "ab1c",     std::string("\0q", 2)};
  std::string bytes;
  std::vector<size_t> offsets{0};
  for (const std::string& piece : pieces) {
    bytes += piece;
    offsets.push_back(bytes.size());
  }
  return Vocab::from_pieces(reinterpret_cast<const uint8_t*>(bytes.data()), offsets.data(), nullptr, pieces.size(), 11, -1);
}

// {text of code points: tokens}, from the trie alone.
std::map<Chars, std::multiset<int32_t>> contents(const CharTrie& trie) {
  std::map<Chars, std::multiset<int32_t>> out;
  Chars path;
  std::vector<uint32_t> ends;
  for (uint32_t node = 0; node < trie.size(); ++node) {
    while (!ends.empty() && node >= ends.back()) ends.pop_back(), path.pop_back();
    if (node > 0) path.push_back(trie.code_point(node)), ends.push_back(trie.end(node));
    for (const int32_t token : trie.tokens(node)) out[path].insert(token);
    EXPECT_EQ(trie.has_tails(node), !trie.tails(node, node + 1).empty());
    for (const CharTrie::Tail& tail : trie.tails(node, node + 1)) out[path].insert(-1 - tail.token);
  }
  return out;
}

TEST(CharTrie, HoldsWhatGrammarsCanAllow) {
  const auto vocab = some_vocab();
  const auto found = contents(vocab->char_tables().trie());
  EXPECT_EQ(found, (std::map<Chars, std::multiset<int32_t>>{{{}, {-7}},
                                                            {{'a'}, {0, 10, -6, -8}},
                                                            {{'a', '1'}, {13}},
                                                            {{'a', 'b'}, {1}},
                                                            {{'a', 'b', '1', 'c'}, {14, 16}},
                                                            {{'a', 'b', 'c'}, {2}},
                                                            {{'b'}, {3}},
                                                            {{'x'}, {9}},
                                                            {{'1'}, {15}},
                                                            {{0xE9}, {4}}}));
  EXPECT_EQ(vocab->char_tables().continuations(), std::vector<int32_t>{12});
}

TEST(CharTables, RegionsSplitTheTokens) {
  const auto vocab = some_vocab();
  const auto region = vocab->char_tables().region({{'a', 'c' + 1}});
  std::vector<int32_t> stay;
  for (int32_t token = 0; token < static_cast<int32_t>(vocab->size()); ++token) {
    if ((region->stay[0] >> token & 1) != 0) stay.push_back(token);
  }
  EXPECT_EQ(stay, (std::vector<int32_t>{0, 1, 2, 3, 10}));
  EXPECT_EQ(contents(region->rest),
            (std::map<Chars, std::multiset<int32_t>>{
                {{}, {-6, -7, -8}}, {{'1'}, {13, 15}}, {{'1', 'c'}, {14, 16}}, {{'x'}, {9}}, {{0xE9}, {4}}}));
  EXPECT_EQ(vocab->char_tables().region({{'a', 'c' + 1}}), region);  // kept
  for (uint32_t c = 0; c < 40; ++c) vocab->char_tables().region({{c, c + 1}});
  EXPECT_NE(vocab->char_tables().region({{'a', 'c' + 1}}), region);  // but not for ever
}

}  // namespace
}  // namespace bankml
