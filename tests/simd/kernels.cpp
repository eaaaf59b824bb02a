// Every kernel of every level equals its scalar twin, on rows with ties, infinities, NaN, masks, every alignment and odd lengths.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <vector>

#include "tests/simd/levels.h"

namespace bankml {
namespace {

using testing::Dice;

constexpr float infinity = std::numeric_limits<float>::infinity();

struct Case {
  std::vector<float> storage;
  std::vector<uint32_t> mask_words;
  const float* x = nullptr;
  size_t n = 0;
  const uint32_t* mask = nullptr;  // nullptr: all allowed
};

// A row of up to `most` logits at a random alignment; coarse values, so that ties are common.
Case make_case(Dice& dice, size_t most) {
  Case c;
  c.n = 1 + dice.below(most);
  c.storage.assign(c.n + 16, 0.0f);
  const size_t lead = dice.below(16);
  const size_t kind = dice.below(5);
  for (size_t i = 0; i < c.n; ++i) {
    float v = dice.between(-8, 8);
    if (kind == 0) v = static_cast<float>(static_cast<int>(v));
    if (kind == 1) v -= 40;
    if (kind == 2 && dice.once_in(3)) v = -infinity;
    if (kind == 3) v = 2;
    c.storage[lead + i] = v;
  }
  c.x = c.storage.data() + lead;
  if (dice.once_in(2)) {
    c.mask_words.assign((c.n + 31) / 32, 0);
    const size_t density = dice.below(4);
    for (uint32_t& word : c.mask_words) {
      word = static_cast<uint32_t>(dice.bits());
      if (density == 0 && !dice.once_in(8)) word = 0;
      if (density == 1 && !dice.once_in(8)) word = ~0u;
    }
    if (dice.once_in(2)) {  // a run of full or empty blocks
      const size_t from = dice.below(c.mask_words.size());
      std::fill(c.mask_words.begin() + static_cast<std::ptrdiff_t>(from), c.mask_words.end(), dice.once_in(2) ? ~0u : 0u);
    }
    c.mask = c.mask_words.data();
  }
  return c;
}

const simd::Kernels& scalar() { return *simd::kernels_of(simd::Level::scalar); }

TEST(Kernels, RowKernelsEqualScalar) {
  Dice dice(2);
  for (size_t round = 0; round < 1500; ++round) {
    const Case c = make_case(dice, round % 10 == 0 ? 40000 : 1500);
    const size_t block = dice.once_in(2) ? 64 : 256;
    const size_t blocks = simd::row_blocks(c.x, c.n, block);
    std::vector<float> wanted(blocks), maxima(blocks);
    ASSERT_TRUE(scalar().block_maxima(c.x, c.n, c.mask, block, wanted.data()));
    const float bound = c.x[dice.below(c.n)];
    const size_t capacity = dice.once_in(3) ? dice.below(50) : c.n;
    std::vector<int32_t> ids(c.n + 1), wanted_ids(c.n + 1);
    std::vector<float> values(c.n + 1), wanted_values(c.n + 1);
    const float reach = bound == -infinity ? -1.0f : bound;
    const size_t count =
        scalar().collect_reaching(c.x, c.n, c.mask, block, wanted.data(), reach, wanted_ids.data(), wanted_values.data(), capacity);
    for (const simd::Kernels* kernels : testing::levels()) {
      SCOPED_TRACE(kernels->name);
      ASSERT_TRUE(kernels->block_maxima(c.x, c.n, c.mask, block, maxima.data()));
      ASSERT_EQ(maxima, wanted) << "round " << round << " n " << c.n;
      ASSERT_EQ(kernels->maximum(c.x, c.n), scalar().maximum(c.x, c.n));
      ASSERT_EQ(kernels->count_reaching(c.x, c.n, bound), scalar().count_reaching(c.x, c.n, bound));
      ASSERT_EQ(kernels->find_equal(c.x, c.n, bound), scalar().find_equal(c.x, c.n, bound));
      ASSERT_EQ(kernels->find_equal(c.x, c.n, 77.0f), c.n);
      ASSERT_EQ(kernels->collect_reaching(c.x, c.n, c.mask, block, maxima.data(), reach, ids.data(), values.data(), capacity),
                count);
      for (size_t i = 0; i < std::min(count, capacity); ++i) {
        ASSERT_EQ(ids[i], wanted_ids[i]);
        ASSERT_EQ(values[i], wanted_values[i]);
      }
    }
  }
}

TEST(Kernels, BlocksCoverTheRow) {
  Dice dice(3);
  for (size_t round = 0; round < 200; ++round) {
    const Case c = make_case(dice, 3000);
    for (const size_t block : {size_t{64}, size_t{256}}) {
      size_t next = 0;
      for (size_t b = 0; b < simd::row_blocks(c.x, c.n, block); ++b) {
        const simd::BlockRange range = simd::row_block(c.x, c.n, block, b);
        ASSERT_EQ(range.first, next);
        ASSERT_LT(range.first, range.last);
        ASSERT_TRUE(b == 0 || reinterpret_cast<uintptr_t>(c.x + range.first) % 64 == 0);
        next = range.last;
      }
      ASSERT_EQ(next, c.n);
    }
  }
}

TEST(Kernels, NanIsFoundUnlessForbidden) {
  Dice dice(4);
  for (size_t round = 0; round < 2000; ++round) {
    Case c = make_case(dice, 1200);
    const size_t at = dice.below(c.n);
    const bool negative = dice.once_in(2);
    const_cast<float&>(c.x[at]) =
        std::bit_cast<float>((negative ? 0xFF800001u : 0x7F800001u) + static_cast<uint32_t>(dice.below(0x7FFFFE)));
    const bool allowed = c.mask == nullptr || (c.mask[at / 32] >> at % 32 & 1u) != 0;
    for (const simd::Kernels* kernels : testing::levels()) {
      for (const size_t block : {size_t{64}, size_t{256}}) {
        std::vector<float> maxima(simd::row_blocks(c.x, c.n, block));
        ASSERT_EQ(kernels->block_maxima(c.x, c.n, c.mask, block, maxima.data()), !allowed)
            << kernels->name << " at " << at << " of " << c.n;
      }
    }
  }
}

TEST(Kernels, InfinityShowsInTheMaximum) {
  Dice dice(5);
  for (size_t round = 0; round < 500; ++round) {
    Case c = make_case(dice, 1200);
    const size_t at = dice.below(c.n);
    const_cast<float&>(c.x[at]) = infinity;
    const bool allowed = c.mask == nullptr || (c.mask[at / 32] >> at % 32 & 1u) != 0;
    for (const simd::Kernels* kernels : testing::levels()) {
      std::vector<float> maxima(simd::row_blocks(c.x, c.n, 256));
      ASSERT_TRUE(kernels->block_maxima(c.x, c.n, c.mask, 256, maxima.data()));
      ASSERT_EQ(kernels->maximum(maxima.data(), maxima.size()) == infinity, allowed) << kernels->name;
    }
  }
}

TEST(Kernels, HitsCopiesAndRanksEqualScalar) {
  Dice dice(6);
  for (size_t round = 0; round < 3000; ++round) {
    const Case c = make_case(dice, 256);
    const float bound = dice.once_in(8) ? -infinity : c.x[dice.below(c.n)];
    uint64_t wanted_hits[4];
    scalar().hits_above(c.x, c.n, bound, wanted_hits);
    std::vector<uint32_t> wanted_rank(c.n), rank(c.n);
    scalar().rank(c.x, c.n, wanted_rank.data());
    const size_t first = dice.below(c.n), last = first + 1 + dice.below(c.n - first);
    std::vector<float> wanted_copy(last - first), copy(last - first);
    scalar().copy_allowed(c.x, first, last, c.mask, wanted_copy.data());
    for (const simd::Kernels* kernels : testing::levels()) {
      SCOPED_TRACE(kernels->name);
      uint64_t hits[4];
      kernels->hits_above(c.x, c.n, bound, hits);
      ASSERT_TRUE(std::equal(hits, hits + 4, wanted_hits));
      kernels->rank(c.x, c.n, rank.data());
      ASSERT_EQ(rank, wanted_rank);
      kernels->copy_allowed(c.x, first, last, c.mask, copy.data());
      ASSERT_EQ(copy, wanted_copy);
    }
  }
}

TEST(Kernels, NothingIsReadBehindTheRow) {
  // An exact-size heap block: address sanitizer and valgrind see a read behind it.
  for (const simd::Kernels* kernels : testing::levels()) {
    for (size_t n = 1; n < 700; n += 1 + n / 13) {
      const std::vector<float> x(n, 1.0f);
      const std::vector<uint32_t> mask((n + 31) / 32, ~0u);
      std::vector<float> maxima(simd::row_blocks(x.data(), n, 64)), value(n), copy(std::min<size_t>(n, 256)), e(n);
      std::vector<int32_t> index(n);
      std::vector<uint32_t> rank(n);
      uint64_t hits[4];
      EXPECT_TRUE(kernels->block_maxima(x.data(), n, mask.data(), 64, maxima.data()));
      EXPECT_EQ(kernels->collect_reaching(x.data(), n, mask.data(), 64, maxima.data(), 1.0f, index.data(), value.data(), n), n);
      kernels->copy_allowed(x.data(), 0, copy.size(), mask.data(), copy.data());
      kernels->hits_above(x.data(), copy.size(), 0.0f, hits);
      EXPECT_EQ(hits[0] & 1u, 1u);
      kernels->rank(x.data(), n, rank.data());
      kernels->exp_shift(x.data(), e.data(), 1, n, 1.0f);
      EXPECT_EQ(e[n - 1], 1.0f);
      EXPECT_EQ(kernels->maximum(x.data(), n), 1.0f);
      EXPECT_EQ(kernels->find_equal(x.data(), n, 2.0f), n);
    }
  }
}

}  // namespace
}  // namespace bankml
