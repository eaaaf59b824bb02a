// fast_bucket_top_k leaves what the reference's bucket sort over the full set leaves, whenever it says that it did, at every CPU
// level.
#include "core/candidates/fast_bucket_top_k.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <limits>

#include "core/candidates/fast_row_scan.h"
#include "tests/candidates/fast_cases.h"

namespace bankml {
namespace {

using testing::Dice;
using testing::FastCase;

// True if the opening was taken (by every level alike).
bool check(const FastCase& c, size_t k) {
  const std::vector<Candidate> wanted = testing::plain_top_k(c, k);
  size_t taken = 0;
  for (const simd::Kernels* kernels : testing::levels()) {
    FastScratch scratch(c.row.n, k);
    const size_t capacity = FastScratch::collect_capacity(c.row.n, k);
    testing::SetStorage storage(capacity);
    storage.data[capacity].id = storage.scratch[capacity].id = 12345;
    Candidates out = storage.set(capacity, c.row.n, kernels);
    ErrorText error;
    EXPECT_EQ(fast_scan_row(c.row, scratch, *kernels, error), Status::ok) << error.c_str();
    const bool proven = fast_bucket_top_k(c.row, k, out, scratch);
    EXPECT_EQ(storage.data[capacity].id, 12345);
    EXPECT_EQ(storage.scratch[capacity].id, 12345);
    if (!proven) {
      EXPECT_EQ(out.size, 0u);
      continue;
    }
    ++taken;
    EXPECT_EQ(out.size, wanted.size());
    EXPECT_TRUE(out.sorted);
    EXPECT_TRUE(testing::same_records(out.data, wanted.data(), std::min(out.size, wanted.size())))
        << kernels->name << " n " << c.row.n << " k " << k << " kind " << c.kind << " edits " << c.edits.size() << " mask "
        << (c.row.mask != nullptr);
  }
  EXPECT_TRUE(taken == 0 || taken == testing::levels().size());
  return taken > 0;
}

size_t run(uint64_t seed, size_t rounds, bool large) {
  Dice dice(seed);
  size_t taken = 0;
  for (size_t round = 0; round < rounds && !::testing::Test::HasFailure(); ++round) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed << " round " << round);
    const size_t n = large ? testing::random_size(dice, true) : 129 + dice.below(12000);
    const auto c = testing::make_fast_case(dice, n, dice.once_in(2), dice.once_in(3));
    const size_t k = dice.once_in(2) ? 129 + dice.below(200) : 129 + dice.below(std::min<size_t>(n, 2500));
    taken += check(*c, k);
  }
  return taken;
}

TEST(FastBucketTopK, RandomRows) {
  const size_t rounds = std::getenv("BANKML_TEST_LONG") != nullptr ? 60000 : 3000;
  EXPECT_GT(run(21, rounds, false), rounds / 8);
}

TEST(FastBucketTopK, RowsOfAVocabularysSize) {
  const size_t rounds = std::getenv("BANKML_TEST_LONG") != nullptr ? 1000 : 40;
  EXPECT_GT(run(22, rounds, true), rounds / 8);
}

// The case that the opening is for must not fall back.
TEST(FastBucketTopK, PeakedRowsAreTaken) {
  Dice dice(23);
  FastCase c;
  c.storage.resize(151936);
  for (float& logit : c.storage) logit = testing::recipe_logit(6, dice);
  c.row.logits = c.storage.data();
  c.row.n = c.storage.size();
  for (const size_t k : {129u, 200u, 400u, 1000u}) EXPECT_TRUE(check(c, k)) << k;
}

TEST(FastBucketTopK, BucketEdgesAreExact) {
  // Logits at and around every bucket edge, many times over: the edge that is searched for decides who is gathered.
  FastCase c;
  for (int repeat = 0; repeat < 4; ++repeat) {
    for (int b = 0; b < 128; ++b) {
      const float edge = static_cast<float>(b - 64) / 6.4f;
      for (int d = -3; d <= 3; ++d)
        c.storage.push_back(edge == 0 ? static_cast<float>(d) * 0x1p-23f
                                      : std::bit_cast<float>(std::bit_cast<uint32_t>(edge) + static_cast<uint32_t>(d)));
    }
  }
  c.row.logits = c.storage.data();
  c.row.n = c.storage.size();
  for (size_t k = 129; k < 500; k += 7) check(c, k);
}

TEST(FastBucketTopK, LogitsBeyondTheBucketsExactRangeAreNotProven) {
  Dice dice(24);
  FastCase c;
  c.storage.resize(50000);
  for (float& logit : c.storage) logit = testing::recipe_logit(0, dice);
  c.storage[77] = 3.4e8f;  // 6.4 * logit overflows int32: bucket 0 in the reference
  c.row.logits = c.storage.data();
  c.row.n = c.storage.size();
  EXPECT_FALSE(check(c, 200));
}

}  // namespace
}  // namespace bankml
