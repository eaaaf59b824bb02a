// Sums and masses that take in a tail nobody laid out, against the plain loop over sorted values, at every CPU level.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/candidates/fast_buckets.h"
#include "core/candidates/fast_row_scan.h"
#include "core/math/expf.h"
#include "tests/candidates/fast_cases.h"

namespace bankml {
namespace {

using testing::Dice;

// Logits whose exponential lies exactly between two floats' multiples of the ulp of sums in [binade, 2 * binade).
std::vector<float> halves_of(Dice& dice, float binade, size_t wanted) {
  std::vector<float> found;
  while (found.size() < wanted) {
    const float x = dice.between(-7.0f, -2.0f);
    const float ulps = math::expf(x) * (0x1p23f / binade);
    if (ulps - std::floor(ulps) == 0.5f) found.push_back(x);
  }
  return found;
}

enum Kind : size_t { plain_tail, few_halves, many_halves, repeated_half, border, all_equal, all_in_head, forbidden_tail, kinds };

std::vector<float> make_row(Dice& dice, Kind kind, size_t n, float binade) {
  std::vector<float> row(n);
  const size_t values = kind == many_halves ? 40 : kind == few_halves ? 1 + dice.below(3) : 1;
  const std::vector<float> half = halves_of(dice, binade, values);
  const size_t ones = static_cast<size_t>(binade) + dice.below(static_cast<size_t>(binade) / 2 + 1);
  for (size_t i = 0; i < n; ++i) {
    row[i] = dice.between(-14.0f, -9.0f);
    if (kind == few_halves && dice.once_in(n / 4 + 1)) row[i] = half[dice.below(values)];
    if (kind == many_halves && dice.once_in(20)) row[i] = half[dice.below(values)];
    if (kind == repeated_half && dice.once_in(100)) row[i] = half[0];
    if (kind == border) row[i] = std::log(binade / static_cast<float>(n)) + dice.between(-1e-3f, 1e-3f);
    if (kind == all_equal) row[i] = 0.0f;
    if (kind == all_in_head) row[i] = dice.between(-1.0f, 0.0f);
    if (kind == forbidden_tail) row[i] = -std::numeric_limits<float>::infinity();
  }
  for (size_t i = 0; i < std::min(ones, n); ++i) row[(i * 7919) % n] = 0.0f;
  return row;
}

TEST(FastTail, SumsEqualTheSortedLoopWhereverTheHeadEnds) {
  Dice dice(17);
  size_t left[kinds] = {};  // rows whose tail stayed where it was
  for (size_t round = 0; round < 1200 && !HasFatalFailure(); ++round) {
    const size_t sizes[] = {129, 255, 256, 257, 1000, 1000, 5000, 40000};
    const size_t n = sizes[dice.below(round % 10 == 0 ? 8 : 7)];
    const Kind kind = static_cast<Kind>(round % kinds);
    const float binade = static_cast<float>(size_t{1} << dice.below(7));
    std::vector<float> x = make_row(dice, kind, n, binade);
    const float t = dice.once_in(2) ? 1.0f : 0.5f;  // exact quotients
    for (float& v : x) v *= t;
    Row row;
    row.logits = x.data();
    row.n = n;
    std::vector<float> sorted(n);
    for (size_t i = 0; i < n; ++i) sorted[i] = x[i] / t;
    std::sort(sorted.begin(), sorted.end(), [](float a, float b) { return a > b; });
    float sum = 0.0f;
    double mass = 0;
    for (const float v : sorted) {
      sum += math::expf(v);
      mass += static_cast<double>(math::expf(v / 0.8f));
    }
    const float least = dice.once_in(8) ? 1.0f : dice.between(-8.0f, 0.0f);
    for (const simd::Kernels* kernels : testing::levels()) {
      FastScratch scratch(n, 256);
      testing::SetStorage storage(n);
      Candidates room = storage.set(n, n, kernels);
      ErrorText text;
      ASSERT_EQ(fast_scan_row(row, scratch, *kernels, text), Status::ok);
      FastBuckets buckets;
      ASSERT_TRUE(buckets.fill(row, t, least, scratch, room));
      const FastBuckets::Weights weights{0, n, 0.8f, 0.0f};
      ASSERT_NEAR(buckets.mass(weights, false), mass, mass * simd::mass_error + 1e-30);
      ASSERT_NEAR(buckets.mass(weights, true), mass, mass * 0x1p-34);
      ASSERT_EQ(buckets.exp_sum(n, 0.0f), sum) << kernels->name << " kind " << kind << " n " << n << " binade " << binade;
      left[kind] += buckets.laid_out() < n;
      const size_t place = dice.below(n);
      buckets.extend_to(place);
      buckets.sort(buckets.bucket_at(place));
      ASSERT_EQ(buckets.logit(place), sorted[place]);
    }
  }
  if (testing::levels().size() == 1) return;  // scalar kernels prove no sum
  for (const Kind kind : {plain_tail, few_halves, repeated_half, forbidden_tail}) EXPECT_GT(left[kind], 50u) << kind;
}

TEST(FastTail, FewTokensAreLeftToTheHeap) {
  for (const size_t n : {1, 15, 16, 17, 128}) {
    const std::vector<float> x(n, 1.0f);
    Row row;
    row.logits = x.data();
    row.n = n;
    const simd::Kernels& kernels = *testing::levels().back();
    FastScratch scratch(n, 256);
    testing::SetStorage storage(n);
    Candidates room = storage.set(n, n, &kernels);
    ErrorText text;
    ASSERT_EQ(fast_scan_row(row, scratch, kernels, text), Status::ok);
    FastBuckets buckets;
    EXPECT_FALSE(buckets.fill(row, 1.0f, 0.0f, scratch, room));
  }
}

}  // namespace
}  // namespace bankml
