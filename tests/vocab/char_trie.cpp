// core/vocab/piece_chars.h, char_trie.h, char_tables.h: decoding with the reference's quirks, the trie against its pieces, regions.
#include "core/vocab/char_trie.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
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

// Tokens that stay, and what is in the trie of ends; all of them by the definition, one token at a time.
struct Sorted {
  std::multiset<int32_t> stay;
  std::map<Chars, std::multiset<int32_t>> rest;
  bool operator==(const Sorted&) const = default;
};

bool holds(const std::vector<CharSpan>& spans, uint32_t c) {
  return std::any_of(spans.begin(), spans.end(), [c](const CharSpan& s) { return s.lowest <= c && c < s.behind; });
}

Sorted sorted(const CharTrie& trie, const Chars& before, const RegionPlace& place) {
  Sorted out;
  for (const auto& [text, tokens] : contents(trie)) {
    if (text.size() <= before.size() || !std::equal(before.begin(), before.end(), text.begin())) continue;
    if (!place.first.empty() && !holds(place.first, text[before.size()])) continue;
    size_t at = before.size() + (place.first.empty() ? 0 : 1);
    while (at < text.size() && holds(place.inside, text[at])) ++at;
    for (const int32_t token : tokens) {
      if (at == text.size() && token >= 0) {
        out.stay.insert(token);
      } else if (at == text.size() || !place.some_ends || holds(place.ends, text[at])) {
        out.rest[Chars(text.begin() + static_cast<std::ptrdiff_t>(at), text.end())].insert(token);
      }
    }
  }
  return out;
}

std::multiset<int32_t> tokens_of(const TokenSet& set) {
  std::multiset<int32_t> out(set.few.begin(), set.few.end());
  for (size_t i = 0; i < set.words.size() * 32; ++i) {
    if ((set.words[i / 32] >> (i % 32) & 1) != 0) out.insert(static_cast<int32_t>(i));
  }
  return out;
}

Sorted sorted(const Region& region) {
  Sorted out{tokens_of(region.stay), contents(region.rest)};
  std::multiset<int32_t> whole;
  for (const CharTrie::Tail& tail : region.open) {
    out.rest[{}].insert(-1 - tail.token);
    if (!overlong_ascii(tail.rest)) whole.insert(tail.token);
  }
  EXPECT_EQ(tokens_of(region.whole), whole);
  return out;
}

// Words over few letters, some cut inside a character; every region below the root and below one more node.
TEST(CharTables, RegionsSplitTheTokens) {
  std::mt19937 dice(1);
  size_t made = 0;
  for (int round = 0; round < 60; ++round) {
    std::string bytes;
    std::vector<size_t> offsets{0};
    static const char* const letters[] = {"a", "b", "c", "1", "\xC3\xA9", "\xE2\x82\xAC", "\xE2\x82", "\xC0"};
    const size_t count = 5 + dice() % (round % 2 == 0 ? 20 : 2000);
    for (size_t i = 0; i < count; ++i) {
      for (size_t k = 1 + dice() % 5; k > 0; --k) bytes += letters[dice() % (k == 1 ? 8 : 6)];
      offsets.push_back(bytes.size());
    }
    const auto vocab = Vocab::from_pieces(reinterpret_cast<const uint8_t*>(bytes.data()), offsets.data(), nullptr, count, -1, -1);
    const CharTables& tables = vocab->char_tables();
    const std::vector<CharSpan> sets[] = {{}, {{'a', 'c'}}, {{'a', 'd'}}, {{'1', '2'}, {'a', 'c'}, {0x80, 0x110000}}, {{0, 'c'}}};
    for (const auto& first : sets) {
      for (const auto& inside : sets) {
        for (const uint32_t node : {0u, 1u}) {
          const bool some_ends = dice() % 2 == 0;
          const RegionPlace place{0, node, first, inside, some_ends, some_ends ? sets[dice() % 5] : sets[0]};
          const auto region = tables.region(tables.trie(), place);
          const Chars before = node == 0 ? Chars{} : Chars{tables.trie().code_point(1)};
          const Sorted expected = sorted(tables.trie(), before, place);
          if (region != nullptr) {
            EXPECT_EQ(sorted(*region), expected);
            made += expected.rest.empty() ? 0 : 1;
          }
          EXPECT_EQ(tables.region(tables.trie(), place), region);  // kept
          if (region == nullptr || region->rest.size() < 2) continue;
          // A region of what a region left over.
          const RegionPlace below{region->id, 0, {}, sets[3], false, {}};
          const auto second = tables.region(region->rest, below);
          if (second != nullptr) {
            EXPECT_EQ(sorted(*second), sorted(region->rest, {}, below));
          }
        }
      }
    }
    ASSERT_FALSE(HasFailure()) << round;
  }
  EXPECT_GT(made, 200u);
}

TEST(CharTrie, FindsChildrenByCodePoint) {
  std::mt19937 dice(2);
  std::string bytes;
  std::vector<size_t> offsets{0};
  for (size_t i = 0; i < 3000; ++i) {
    for (size_t k = 1 + dice() % 3; k > 0; --k) bytes += static_cast<char>(' ' + dice() % 90);
    offsets.push_back(bytes.size());
  }
  const auto vocab = Vocab::from_pieces(reinterpret_cast<const uint8_t*>(bytes.data()), offsets.data(), nullptr, 3000, -1, -1);
  const CharTrie& trie = vocab->char_tables().trie();
  for (uint32_t node = 0; node < trie.size(); node += 1 + static_cast<uint32_t>(dice() % 5)) {
    std::vector<uint32_t> children;
    for (uint32_t child = node + 1; child < trie.end(node); child = trie.end(child)) children.push_back(child);
    if (children.empty()) continue;
    const size_t from = dice() % children.size();
    const auto least = static_cast<uint32_t>(dice() % 130);
    const auto found = std::find_if(children.begin() + static_cast<std::ptrdiff_t>(from), children.end(),
                                    [&](uint32_t child) { return trie.code_point(child) >= least; });
    EXPECT_EQ(trie.child_from(node, children[from], least), found == children.end() ? trie.end(node) : *found);
  }
}

// Memory has a limit: the regions that were not used for longest are made again.
TEST(CharTables, RegionsAreKeptWithinALimit) {
  std::string bytes;
  std::vector<size_t> offsets{0};
  for (size_t i = 0; i < 200000; ++i) {
    bytes += "a" + std::to_string(i);
    offsets.push_back(bytes.size());
  }
  const auto vocab = Vocab::from_pieces(reinterpret_cast<const uint8_t*>(bytes.data()), offsets.data(), nullptr, 200000, -1, -1);
  const CharTables& tables = vocab->char_tables();
  const RegionPlace place{0, 0, {}, {{'0', '0' + 10}, {'a', 'b'}}, false, {}};
  const auto region = tables.region(tables.trie(), place);
  ASSERT_NE(region, nullptr);
  EXPECT_EQ(tables.region(tables.trie(), place), region);
  for (uint32_t i = 0; i < 1000; ++i)
    tables.region(tables.trie(), {0, 0, {}, {{'0', '0' + 10}, {'a', 'b'}, {1000 + i, 1001 + i}}, false, {}});
  EXPECT_NE(tables.region(tables.trie(), place), region);
  EXPECT_LE(tables.bytes(), tables.trie().bytes() + (size_t{17} << 20));
}

}  // namespace
}  // namespace bankml
