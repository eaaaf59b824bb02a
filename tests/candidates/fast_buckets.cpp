// Lazy buckets against the sorted set: places, ties, sums in order and located draws, at every CPU level.
#include "core/candidates/fast_buckets.h"

#include <gtest/gtest.h>

#include <cstring>

#include "core/candidates/fast_row_scan.h"
#include "core/math/expf.h"
#include "tests/candidates/fast_cases.h"

namespace bankml {
namespace {

using testing::Dice;

TEST(FastBuckets, EqualTheSortedSet) {
  Dice dice(91);
  size_t taken = 0, located = 0;
  for (size_t round = 0; round < 2500 && !HasFatalFailure(); ++round) {
    const size_t n = testing::random_size(dice, round % 500 == 0);
    const auto c = testing::make_fast_case(dice, n, dice.once_in(2), dice.once_in(3));
    const float t = dice.once_in(3) ? 1.0f : dice.between(0.2f, 3.0f);
    const std::vector<float> logits = c->effective();
    testing::SetStorage whole(n);
    Candidates set = whole.set(n, n, simd::kernels_of(simd::Level::scalar));
    set.size = n;
    for (size_t id = 0; id < n; ++id) set.data[id] = {static_cast<int32_t>(id), logits[id] / t, 0.0f};
    sort_in_place(set, n);
    const float top = set.data[0].logit, least = top - dice.between(0.0f, 40.0f);
    for (const simd::Kernels* kernels : testing::levels()) {
      FastScratch scratch(n, 256);
      testing::SetStorage storage(n);
      Candidates room = storage.set(n, n, kernels);
      ErrorText text;
      ASSERT_EQ(fast_scan_row(c->row, scratch, *kernels, text), Status::ok);
      FastBuckets buckets;
      if (!fast_apply_edits(c->row, scratch, *kernels)) continue;
      if (!buckets.fill(c->row, t, least, scratch, room)) continue;
      ++taken;
      const size_t laid = buckets.laid_out();
      ASSERT_TRUE(laid == n || set.data[laid].logit < least);
      const size_t count = dice.once_in(2) ? n : 1 + dice.below(laid);
      float sum = 0.0f;
      double mass = 0;
      std::vector<double> running;
      for (size_t i = 0; i < count; ++i) {
        const float e = math::expf(set.data[i].logit - top);
        sum += e;
        running.push_back(mass += static_cast<double>(e));
      }
      ASSERT_EQ(buckets.exp_sum(count, top), sum) << kernels->name << " round " << round;
      const bool exact = dice.once_in(2);
      const double total = buckets.mass({0, count, 1.0f, top}, exact), error = exact ? 0x1p-34 : 0x1p-20;
      ASSERT_NEAR(total, mass, mass * error);
      const double u = static_cast<double>(dice.between(0, 1));
      size_t place = 0;
      if (buckets.locate({0, count, 1.0f, top}, exact, u, total, error, place)) {
        ++located;
        size_t wanted = 0;
        while (running[wanted] < mass * u) ++wanted;
        ASSERT_EQ(place, wanted) << kernels->name << " round " << round;
        ASSERT_EQ(buckets.id(place), set.data[place].id);
      }
      buckets.extend_to(count - 1);
      ASSERT_EQ(buckets.begin(buckets.bucket_at(count - 1)) <= count - 1, true);
      ASSERT_GT(buckets.end(buckets.bucket_at(count - 1)), count - 1);
      buckets.sort_first(count);
      buckets.copy_first(count, room);
      ASSERT_TRUE(testing::same_records(room.data, set.data, count)) << kernels->name << " round " << round;
    }
  }
  EXPECT_GT(taken, 1500u);
  EXPECT_GT(located, taken / 4);
}

}  // namespace
}  // namespace bankml
