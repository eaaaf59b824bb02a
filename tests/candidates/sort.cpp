// core/candidates/sort: the whole array equals what the standard library's algorithms leave, ties included.
#include "core/math/fp_env.h"

#include "core/candidates/sort.h"

#include <gtest/gtest.h>

#include "tests/reference/set_box.h"

namespace bankml {
namespace {

using test::SetBox;

TEST(Sort, equals_the_plain_sort_at_every_k) {
  for (int seed = 0; seed < test::cases(400); ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    test::RandomSets random(static_cast<uint64_t>(seed));
    plain::Set expected = random.next();
    expected.sorted = false;
    const size_t n = expected.tokens.size();
    static constexpr size_t near[] = {1, 127, 128, 129, 256};
    const size_t k = std::min<size_t>(n, random.below(2) == 0 ? near[random.below(5)] : random.below(n + 1));
    SetBox box(expected);
    plain::sort_in_place(expected, k);
    sort_in_place(box.set, k);
    ASSERT_TRUE(test::same_set(box.set, expected)) << "k " << k;
  }
}

TEST(Sort, bucket_sort_gives_whole_buckets) {
  for (int seed = 0; seed < test::cases(200); ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    test::RandomSets random(static_cast<uint64_t>(1000 + seed));
    const plain::Set s = random.next(1 + random.below(700));
    const size_t n = s.tokens.size();
    const size_t k = 1 + random.below(n);
    SetBox box(s);
    const size_t written = bucket_sort(box.set.data, n, k, box.set.scratch, *box.set.kernels);
    const std::vector<plain::Token> expected = plain::bucket_sort(s.tokens, k);
    ASSERT_EQ(written, expected.size());
    for (size_t i = 0; i < written; ++i) ASSERT_EQ(box.set.scratch[i].id, expected[i].id) << "at " << i << ", k " << k;
  }
}

// Sets as long as a vocabulary, in both alignments of the array; p are carried along.
TEST(Sort, large_sets_with_ties_in_every_bucket) {
  test::RandomSets random(99);
  for (size_t shift : {0, 1}) {
    for (size_t values : {300, 40000, 10000000}) {
      SCOPED_TRACE(testing::Message() << "shift " << shift << ", values " << values);
      const size_t n = 50000 + random.below(1000);
      std::vector<plain::Token> tokens;
      std::vector<Candidate> in(n), out(n + shift);
      for (size_t i = 0; i < n; ++i) {
        const float logit = 24.0f * static_cast<float>(random.below(values)) / static_cast<float>(values) - 12.0f;
        in[i] = {static_cast<int32_t>(n - i), logit, static_cast<float>(i)};
        plain::Token t{};
        t.id = in[i].id;
        t.logit = logit;
        tokens.push_back(t);
      }
      for (size_t k : {size_t{200}, n / 2, n}) {
        const std::vector<plain::Token> expected = plain::bucket_sort(tokens, k);
        ASSERT_EQ(bucket_sort(in.data(), n, k, out.data() + shift, simd::kernels()), expected.size());
        for (size_t i = 0; i < expected.size(); ++i) {
          const Candidate& got = out[shift + i];
          ASSERT_EQ(got.id, expected[i].id) << "at " << i << ", k " << k;
          ASSERT_EQ(got.logit, expected[i].logit);
          ASSERT_EQ(got.p, static_cast<float>(n - static_cast<size_t>(got.id)));
        }
      }
    }
  }
}

TEST(Sort, buckets_follow_the_float_to_int_rule_of_x86) {
  const struct {
    float logit;
    int bucket;
  } rows[] = {{-10.0f, 0}, {-9.9f, 0},    {-9.84f, 1},    {0.0f, 64}, {9.99f, 127}, {10.0f, 127}, {1e8f, 127}, {3.3e8f, 127},
              {3.4e8f, 0}, {INFINITY, 0}, {-INFINITY, 0}, {NAN, 0},   {-1e30f, 0},  {-0.01f, 63}, {0.15f, 64}, {0.16f, 65}};
  for (const auto& row : rows) {
    EXPECT_EQ(bucket_of(row.logit), row.bucket) << row.logit;
    EXPECT_EQ(bucket_of(row.logit), std::clamp(plain::x86_int(6.4f * row.logit + 64.0f), 0, 127)) << row.logit;
  }
}

TEST(Sort, nan_and_infinite_logits_stay_in_bounds) {
  test::RandomSets random(7);
  for (int i = 0; i < 200; ++i) {
    plain::Set s = random.next(2 + random.below(500));
    s.sorted = false;
    for (plain::Token& t : s.tokens) {
      if (random.below(3) == 0) t.logit = random.below(2) == 0 ? NAN : INFINITY;
    }
    SetBox box(s);
    const size_t n = box.set.size;
    sort_in_place(box.set, n);
    std::vector<int32_t> ids = box.ids();
    std::sort(ids.begin(), ids.end());
    std::vector<int32_t> all;
    for (const plain::Token& t : s.tokens) all.push_back(t.id);
    std::sort(all.begin(), all.end());
    ASSERT_EQ(ids, all);
  }
}

TEST(Sort, only_orders_of_more_than_half_the_vocabulary_count_as_full) {
  SetBox box(test::RandomSets(3).next(400));
  box.set.sorted = false;
  box.set.n_vocab = 400;
  sort_in_place(box.set, 400);
  EXPECT_EQ(box.work.full_sorts, 1u);
  box.set.sorted = false;
  sort_in_place(box.set, 200);
  EXPECT_EQ(box.work.full_sorts, 1u);
}

}  // namespace
}  // namespace bankml
