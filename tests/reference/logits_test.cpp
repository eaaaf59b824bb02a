// The recipes against numbers worked out by hand, and the fingerprint against published FNV-1a values.
#include "tests/reference/logits.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "tests/reference/fnv.h"

namespace bankml::reference {
namespace {

// The published first outputs of splitmix64 for seed 1234567.
TEST(SplitMix64, GivesThePublishedOutputs) {
  SplitMix64 random(1234567);
  EXPECT_EQ(random.next(), 6457827717110365317u);
  EXPECT_EQ(random.next(), 3203168211198807973u);
  EXPECT_EQ(random.next(), 9817491932198370423u);
}

TEST(Recipes, FollowTheirFormulas) {
  const uint64_t x = 6457827717110365317u;
  const auto s = static_cast<int32_t>((x & 0xFFFF) + ((x >> 16) & 0xFFFF) + ((x >> 32) & 0xFFFF) + (x >> 48)) - 131070;
  const auto first = [](const char* recipe) {
    float value = 0;
    EXPECT_TRUE(fill_logits(recipe, 1234567, 1, &value)) << recipe;
    return value;
  };
  EXPECT_EQ(first("normal"), static_cast<float>(s) / 16384.0f);
  EXPECT_EQ(first("ties"), std::floor(static_cast<float>(s) / 4096.0f) / 4.0f);
  EXPECT_EQ(first("coarse"), std::floor(static_cast<float>(s) / 32768.0f));
  EXPECT_EQ(first("flat"), static_cast<float>(s) / 1048576.0f);
  EXPECT_EQ(first("wide"), static_cast<float>(s) / 512.0f);
  EXPECT_EQ(first("negative"), static_cast<float>(s) / 16384.0f - 40.0f);
  EXPECT_EQ(first("positive"), static_cast<float>(s) / 16384.0f + 24.0f);
  EXPECT_EQ(first("equal"), 1.0f);
  EXPECT_EQ(std::isinf(first("masked")), x % 3 == 0);
}

TEST(Recipes, PeakedAddsExactPeaks) {
  std::vector<float> normal(5000), peaked(5000);
  ASSERT_TRUE(fill_logits("normal", 7, 5000, normal.data()));
  ASSERT_TRUE(fill_logits("peaked", 7, 5000, peaked.data()));
  size_t peaks = 0;
  for (size_t i = 0; i < normal.size(); ++i) {
    const float difference = peaked[i] - normal[i];
    EXPECT_EQ(difference * 128.0f, std::floor(difference * 128.0f));
    peaks += difference > 0 ? 1 : 0;
  }
  EXPECT_GT(peaks, 0u);
  EXPECT_LT(peaks, 30u);
}

TEST(Recipes, Bf16HasEightSignificantBits) {
  std::vector<float> logits(1000);
  ASSERT_TRUE(fill_logits("bf16", 3, logits.size(), logits.data()));
  for (const float logit : logits) EXPECT_EQ(std::bit_cast<uint32_t>(logit) & 0xFFFFu, 0u);
}

TEST(Recipes, AnUnknownNameIsRefused) {
  float value = 0;
  EXPECT_FALSE(fill_logits("nonesuch", 1, 1, &value));
}

// FNV-1a 64 of the four bytes "foob" is published as part of "foobar"; here computed byte by byte from the definition.
TEST(Fnv64, HashesLittleEndianBytes) {
  uint64_t expected = 0xcbf29ce484222325u;
  for (const unsigned byte : {0x66u, 0x6fu, 0x6fu, 0x62u}) expected = (expected ^ byte) * 0x100000001b3u;
  Fnv64 hash;
  hash.add(uint32_t{0x626f6f66});
  EXPECT_EQ(hash.value(), expected);
  EXPECT_EQ(Fnv64().hex(), "cbf29ce484222325");
}

}  // namespace
}  // namespace bankml::reference
