// Bound, gather and rank: each against its definition.
#include "core/candidates/fast_gather.h"

#include <gtest/gtest.h>

#include <limits>

#include "core/candidates/fast_row_scan.h"
#include "tests/candidates/fast_cases.h"

namespace bankml {
namespace {

using testing::Dice;

TEST(FastGather, BoundIsReachedByEnoughBlocksAndNotByManyMore) {
  Dice dice(41);
  const simd::Kernels& kernels = simd::kernels();
  size_t tight = 0, found = 0;
  for (size_t round = 0; round < 300; ++round) {
    const auto c = testing::make_fast_case(dice, 5000 + dice.below(20000), false, false);
    FastScratch scratch(c->row.n, 128);
    ErrorText error;
    ASSERT_EQ(fast_scan_row(c->row, scratch, kernels, error), Status::ok);
    const size_t blocks = simd::row_blocks(c->row.logits, c->row.n, 64), wanted = 1 + dice.below(128);
    float bound = 0;
    const bool ok = fast_find_bound(c->row, wanted, scratch, kernels, bound);
    const size_t live =
        static_cast<size_t>(std::count_if(scratch.maxima.begin(), scratch.maxima.begin() + static_cast<std::ptrdiff_t>(blocks),
                                          [](float m) { return m > -std::numeric_limits<float>::infinity(); }));
    ASSERT_EQ(ok, live >= wanted);
    if (!ok) continue;
    ++found;
    const size_t reached = kernels.count_reaching(scratch.maxima.data(), blocks, bound);
    ASSERT_GE(reached, wanted);
    ASSERT_GT(bound, -std::numeric_limits<float>::infinity());
    tight += reached <= wanted + wanted / 4 + 2;
  }
  EXPECT_GT(tight, found / 2);  // tied rows cannot be cut tighter
}

TEST(FastGather, SmallBoundIsReachedByEnoughTokensAndNotByManyMore) {
  Dice dice(43);
  size_t tight = 0, found = 0;
  for (size_t round = 0; round < 1500; ++round) {
    const auto c = testing::make_fast_case(dice, 1 + dice.below(small_bound_row + 50), dice.once_in(2), dice.once_in(2));
    const std::vector<float> logits = c->effective();
    const size_t wanted = 1 + dice.below(128);
    const auto live = static_cast<size_t>(std::count_if(logits.begin(), logits.end(), [](float x) { return x > -1e5f; }));
    for (const simd::Kernels* kernels : testing::levels()) {
      FastScratch scratch(c->row.n, 128);
      ErrorText error;
      ASSERT_EQ(fast_scan_row(c->row, scratch, *kernels, error), Status::ok);
      if (!fast_apply_edits(c->row, scratch, *kernels)) continue;
      float bound = 0;
      const bool ok = fast_find_small_bound(c->row, wanted, scratch, *kernels, bound);
      ASSERT_EQ(ok, live >= wanted && c->row.n <= small_bound_row);
      if (!ok) continue;
      ++found;
      const auto reached = static_cast<size_t>(std::count_if(logits.begin(), logits.end(), [&](float x) { return x >= bound; }));
      ASSERT_GE(reached, wanted);
      tight += reached <= wanted + wanted / 4 + 2;
    }
  }
  EXPECT_GT(tight, found / 3);  // tied rows cannot be cut tighter
}

TEST(FastGather, GathersExactlyTheTokensThatReachTheBound) {
  Dice dice(42);
  for (size_t round = 0; round < 2000; ++round) {
    const auto c = testing::make_fast_case(dice, 1 + dice.below(4000), dice.once_in(2), dice.once_in(2));
    const std::vector<float> logits = c->effective();
    float bound = logits[dice.below(c->row.n)] + (dice.once_in(3) ? 0.5f : 0.0f);
    if (bound == -std::numeric_limits<float>::infinity()) bound = -3.0f;
    std::vector<int32_t> ids;
    for (size_t id = 0; id < c->row.n; ++id) {
      if (logits[id] >= bound) ids.push_back(static_cast<int32_t>(id));
    }
    for (const simd::Kernels* kernels : testing::levels()) {
      FastScratch scratch(c->row.n, 40);
      ErrorText error;
      ASSERT_EQ(fast_scan_row(c->row, scratch, *kernels, error), Status::ok);
      if (!fast_apply_edits(c->row, scratch, *kernels)) continue;
      const size_t count = fast_gather(c->row, bound, scratch, *kernels);
      if (ids.size() > scratch.index.size()) {
        ASSERT_GT(count, scratch.index.size());
        continue;
      }
      if (count > scratch.index.size()) continue;  // the raw row's tokens did not fit, though edits take some away
      ASSERT_EQ(count, ids.size()) << kernels->name;
      for (size_t i = 0; i < count; ++i) {
        ASSERT_EQ(scratch.index[i], ids[i]);
        ASSERT_EQ(std::bit_cast<uint32_t>(scratch.value[i]), std::bit_cast<uint32_t>(logits[static_cast<size_t>(ids[i])]));
      }
    }
  }
}

TEST(FastGather, PlacesOnlyDistinctKeys) {
  const simd::Kernels& kernels = simd::kernels();
  FastScratch scratch(1000, 40);
  Candidate out[8];
  const auto place = [&](std::vector<float> values, size_t k) {
    for (size_t i = 0; i < values.size(); ++i) {
      scratch.index[i] = static_cast<int32_t>(10 + i);
      scratch.value[i] = values[i];
    }
    return fast_place_distinct(values.size(), k, scratch, kernels, out);
  };
  ASSERT_TRUE(place({1, 5, 3, 4}, 3));
  EXPECT_EQ(out[0].id, 11);
  EXPECT_EQ(out[1].id, 13);
  EXPECT_EQ(out[2].id, 12);
  EXPECT_TRUE(place({1, 5, 3, 1}, 2));       // a tie outside the best
  EXPECT_FALSE(place({1, 5, 3, 3}, 3));      // inside
  EXPECT_FALSE(place({1, 5, 3, 3}, 2));      // at the edge
  EXPECT_FALSE(place({0.0f, -0.0f, 3}, 2));  // zeros of both signs are equal
}

}  // namespace
}  // namespace bankml
