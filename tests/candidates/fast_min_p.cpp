// fast_min_p leaves what a walk over the full set leaves, or says that it cannot, at every CPU level.
#include "core/candidates/fast_min_p.h"

#include <gtest/gtest.h>

#include <limits>

#include "core/candidates/fast_row_scan.h"
#include "core/math/logf.h"
#include "tests/candidates/fast_cases.h"

namespace bankml {
namespace {

using testing::Dice;

TEST(FastMinP, RandomRows) {
  Dice dice(51);
  size_t taken = 0;
  for (size_t round = 0; round < 4000 && !HasFatalFailure(); ++round) {
    const size_t n = round % 200 == 0 ? testing::random_size(dice, true) : testing::random_size(dice, false);
    const auto c = testing::make_fast_case(dice, n, dice.once_in(2), dice.once_in(3));
    const std::vector<float> logits = c->effective();
    const float most = *std::max_element(logits.begin(), logits.end());
    const float p = dice.once_in(10) ? 1e-30f : dice.once_in(10) ? dice.between(1.0f, 1.5f) : dice.between(0.001f, 1.0f);
    const float bound = most + math::logf(p);
    const size_t min_keep = dice.once_in(2) ? 0 : dice.below(30);
    std::vector<Candidate> wanted;
    for (size_t id = 0; id < n; ++id) {
      if (logits[id] >= bound) wanted.push_back({static_cast<int32_t>(id), logits[id], 0.0f});
    }
    for (const simd::Kernels* kernels : testing::levels()) {
      FastScratch scratch(n, 256);
      testing::SetStorage storage(scratch.index.size());
      Candidates out = storage.set(scratch.index.size(), n, kernels);
      ErrorText error;
      ASSERT_EQ(fast_scan_row(c->row, scratch, *kernels, error), Status::ok);
      const bool proven = fast_min_p(c->row, p, min_keep, out, scratch);
      if (!proven) {
        ASSERT_EQ(out.size, 0u);
        // Falling back needs a reason. Raw tokens that edits take away may have filled the scratch.
        ASSERT_TRUE(most == -std::numeric_limits<float>::infinity() || wanted.empty() || wanted.size() < min_keep ||
                    wanted.size() + c->edits.size() > scratch.index.size())
            << kernels->name << " kept " << wanted.size();
        continue;
      }
      ++taken;
      ASSERT_GE(wanted.size(), std::max<size_t>(min_keep, 1));
      ASSERT_EQ(out.size, wanted.size()) << kernels->name;
      ASSERT_FALSE(out.sorted);
      ASSERT_TRUE(testing::same_records(out.data, wanted.data(), out.size)) << kernels->name;
    }
  }
  EXPECT_GT(taken, 2000 * testing::levels().size());  // the path is taken about as often as not, at every level
}

TEST(FastMinP, LowestFloatsAllSurvive) {
  testing::FastCase c;
  c.storage.assign(300, -std::numeric_limits<float>::max());
  c.row.logits = c.storage.data();
  c.row.n = c.storage.size();
  const simd::Kernels& kernels = simd::kernels();
  FastScratch scratch(300, 256);
  testing::SetStorage storage(300);
  Candidates out = storage.set(300, 300, &kernels);
  ErrorText error;
  ASSERT_EQ(fast_scan_row(c.row, scratch, kernels, error), Status::ok);
  EXPECT_TRUE(fast_min_p(c.row, 0.05f, 0, out, scratch));  // the sum rounds to the lowest float, which all reach
  EXPECT_EQ(out.size, 300u);
}

}  // namespace
}  // namespace bankml
