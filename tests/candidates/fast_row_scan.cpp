// The row scan: what it refuses, what the text says, and the block maxima under edits.
#include "core/candidates/fast_row_scan.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "tests/candidates/fast_cases.h"

namespace bankml {
namespace {

using testing::Dice;

constexpr float infinity = std::numeric_limits<float>::infinity();

TEST(FastRowScan, NamesTheFirstBadToken) {
  for (const simd::Kernels* kernels : testing::levels()) {
    std::vector<float> logits(3000, -1.0f);
    logits[2000] = infinity;
    logits[2500] = std::numeric_limits<float>::quiet_NaN();
    Row row{logits.data(), logits.size(), nullptr, nullptr};
    FastScratch scratch(logits.size(), 40);
    ErrorText error;
    EXPECT_EQ(fast_scan_row(row, scratch, *kernels, error), Status::nonfinite);
    EXPECT_EQ(std::string(error.c_str()), "logits: token 2000 has the value +inf");
    logits[2000] = 0;
    EXPECT_EQ(fast_scan_row(row, scratch, *kernels, error), Status::nonfinite);
    EXPECT_EQ(std::string(error.c_str()), "logits: token 2500 has the value nan");
    std::vector<uint32_t> mask((logits.size() + 31) / 32, ~0u);
    mask[2500 / 32] &= ~(1u << 2500 % 32);
    row.mask = mask.data();
    EXPECT_EQ(fast_scan_row(row, scratch, *kernels, error), Status::ok);
    EXPECT_EQ(scratch.maximum, 0.0f);
  }
}

TEST(FastRowScan, AllMinusInfinityHasNoCandidate) {
  for (const simd::Kernels* kernels : testing::levels()) {
    std::vector<float> logits(700, -infinity);
    Row row{logits.data(), logits.size(), nullptr, nullptr};
    FastScratch scratch(logits.size(), 40);
    ErrorText error;
    EXPECT_EQ(fast_scan_row(row, scratch, *kernels, error), Status::no_candidate);
    EXPECT_EQ(std::string(error.c_str()), "logits: all 700 values are -inf");
    logits[3] = 1;
    std::vector<uint32_t> mask(22, ~0u);
    mask[0] = ~8u;
    row.mask = mask.data();
    EXPECT_EQ(fast_scan_row(row, scratch, *kernels, error), Status::no_candidate);
    EXPECT_EQ(std::string(error.c_str()), "logits: no allowed token among 700 has a value above -inf");
    mask.assign(22, 0);
    EXPECT_EQ(fast_scan_row(row, scratch, *kernels, error), Status::no_candidate);
  }
}

TEST(FastRowScan, MaximaFollowTheEdits) {
  Dice dice(31);
  for (size_t round = 0; round < 1500; ++round) {
    const auto c = testing::make_fast_case(dice, 1 + dice.below(round % 20 == 0 ? 50000 : 2000), true, dice.once_in(2));
    const std::vector<float> logits = c->effective();
    const size_t block = FastScratch::block_of(c->row.n);
    for (const simd::Kernels* kernels : testing::levels()) {
      FastScratch scratch(c->row.n, 40);
      ErrorText error;
      ASSERT_EQ(fast_scan_row(c->row, scratch, *kernels, error), Status::ok);
      const bool live = fast_apply_edits(c->row, scratch, *kernels);
      const size_t blocks = simd::row_blocks(c->row.logits, c->row.n, block);
      ASSERT_LE(blocks, scratch.maxima.size());
      float most = -infinity;
      for (size_t b = 0; b < blocks; ++b) {
        const simd::BlockRange range = simd::row_block(c->row.logits, c->row.n, block, b);
        const float wanted = *std::max_element(logits.begin() + static_cast<std::ptrdiff_t>(range.first),
                                               logits.begin() + static_cast<std::ptrdiff_t>(range.last));
        ASSERT_EQ(scratch.maxima[b], wanted) << kernels->name << " block " << b << " of " << blocks;
        float copy[256];
        const float* const view = fast_view_block(c->row, range, copy, *kernels);
        ASSERT_TRUE(std::equal(view, view + (range.last - range.first), logits.begin() + static_cast<std::ptrdiff_t>(range.first)));
        most = std::max(most, wanted);
      }
      ASSERT_EQ(scratch.maximum, most);
      ASSERT_EQ(live, most > -infinity);
    }
  }
}

TEST(FastRowScan, ScratchIsSmall) {
  EXPECT_LE(FastScratch(151936, 40).bytes(), 14000u);
  EXPECT_LE(FastScratch(262144, 128).bytes(), 19000u);
  EXPECT_LE(FastScratch(151936, 200).bytes(), 30000u);
}

}  // namespace
}  // namespace bankml
