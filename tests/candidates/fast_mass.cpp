// A located token is the one that a walk of double sums over the exact weights finds; doubt is admitted, rarely with exact masses.
#include "core/candidates/fast_mass.h"

#include <gtest/gtest.h>

#include <limits>

#include "core/candidates/fast_row_scan.h"
#include "core/math/expf.h"
#include "tests/candidates/fast_cases.h"

namespace bankml {
namespace {

using testing::Dice;

TEST(FastMass, LocatesWhatAWalkFinds) {
  Dice dice(71);
  size_t located[2] = {}, asked = 0;
  for (size_t round = 0; round < 3000 && !HasFatalFailure(); ++round) {
    const size_t n = testing::random_size(dice, round % 300 == 0);
    const auto c = testing::make_fast_case(dice, n, dice.once_in(2), dice.once_in(3));
    const std::vector<float> logits = c->effective();
    const float most = *std::max_element(logits.begin(), logits.end());
    if (most == -std::numeric_limits<float>::infinity()) continue;
    const float t = dice.once_in(3) ? 1.0f : dice.between(0.1f, 4.0f);
    std::vector<double> running(n);
    double sum = 0;
    for (size_t i = 0; i < n; ++i) running[i] = sum += static_cast<double>(math::expf(logits[i] / t - most / t));
    // Some draws fall exactly on a border.
    const double u = dice.once_in(4) ? running[dice.below(n)] / sum : static_cast<double>(dice.between(0, 1));
    if (!(u < 1)) continue;
    size_t wanted = 0;
    while (wanted + 1 < n && !(running[wanted] >= sum * u)) ++wanted;
    for (const simd::Kernels* kernels : testing::levels()) {
      FastScratch scratch(n, 1, true);
      ErrorText text;
      ASSERT_EQ(fast_scan_row(c->row, scratch, *kernels, text), Status::ok);
      ASSERT_TRUE(fast_apply_edits(c->row, scratch, *kernels));
      const RowWeights weights{c->row, t, scratch.maximum / t};
      for (const bool exact : {false, true}) {
        double error = 0;
        const double total = fast_masses(weights, exact, scratch, *kernels, error);
        ASSERT_LE(std::fabs(total - sum), error * sum);
        size_t token = 0;
        ++asked;
        if (!fast_locate(weights, u, total, error, scratch, *kernels, token)) continue;
        ++located[exact];
        ASSERT_EQ(token, wanted) << kernels->name << " round " << round << " n " << n;
      }
    }
  }
  EXPECT_GT(located[0], asked / 4);
  EXPECT_GT(located[1], asked / 3);
}

}  // namespace
}  // namespace bankml
