// The sums of the sorted set against the plain loops, bit for bit, at every CPU level; heads and whole rows.
#include "core/candidates/fast_sorted_sums.h"

#include <gtest/gtest.h>

#include <cstring>

#include "core/candidates/fast_row_scan.h"
#include "core/math/expf.h"
#include "core/math/logf.h"
#include "tests/candidates/fast_cases.h"

namespace bankml {
namespace {

using testing::Dice;

SortedSums plain_sums(std::vector<float> logits) {
  std::sort(logits.begin(), logits.end(), [](float a, float b) { return a > b; });
  SortedSums sums{0.0f, 0.0f};
  for (const float logit : logits) sums.sum += math::expf(logit - logits[0]);
  for (const float logit : logits) {
    const float p = math::expf(logit - logits[0]) / sums.sum;
    if (p > 0.0f) sums.entropy += -(p * math::logf(p));
  }
  return sums;
}

TEST(FastSortedSums, EqualThePlainLoops) {
  Dice dice(95);
  size_t taken = 0, heads = 0;
  for (size_t round = 0; round < 400 && !HasFatalFailure(); ++round) {
    const size_t n = round % 8 == 0 ? 20000 + dice.below(60000) : 1 + dice.below(9000);
    const auto c = testing::make_fast_case(dice, n, dice.once_in(2), dice.once_in(3));
    float* const x = c->storage.data() + (c->row.logits - c->storage.data());
    // Peaks as models give them, so that a head decides.
    for (size_t i = 0; round % 16 == 0 && i < 3; ++i) x[dice.below(n)] = dice.between(12, 20);
    const SortedSums wanted = plain_sums(c->effective());
    for (const simd::Kernels* kernels : testing::levels()) {
      FastScratch scratch(n, 4096);
      testing::SetStorage storage(n);
      Candidates room = storage.set(n, n, kernels);
      ErrorText text;
      ASSERT_EQ(fast_scan_row(c->row, scratch, *kernels, text), Status::ok);
      FastBuckets buckets;
      SortedSums sums{};
      if (!fast_apply_edits(c->row, scratch, *kernels) || !fast_sorted_sums(c->row, scratch, room, buckets, sums)) continue;
      ++taken;
      heads += buckets.laid_out() < n;
      ASSERT_EQ(std::memcmp(&sums.sum, &wanted.sum, 4), 0) << kernels->name << " round " << round << " kind " << c->kind;
      ASSERT_EQ(sums.entropy, wanted.entropy) << kernels->name << " round " << round << " kind " << c->kind;
    }
  }
  EXPECT_GT(taken, 300u);
  EXPECT_TRUE(heads > 10 || testing::levels().size() == 1) << heads;
}

}  // namespace
}  // namespace bankml
