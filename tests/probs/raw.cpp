// core/probs/raw and token_prob: against an array that is really sorted, on every CPU level.
#include "core/math/fp_env.h"

#include "core/probs/raw.h"

#include <gtest/gtest.h>

#include <cstring>

#include "tests/reference/set_box.h"

namespace bankml {
namespace {

struct Result {
  Status status;
  std::vector<TokenProb> top;
  float named_p = -1;
  std::string error;
  Work work;
};

Result raw(const std::vector<float>& logits, size_t n_top, int32_t named, const simd::Kernels& kernels = simd::kernels()) {
  Result r;
  r.top.resize(std::min(n_top, logits.size()));
  ErrorText error;
  const RawRequest request = {logits.data(), logits.size(), n_top, named};
  r.status = raw_probs(request, kernels, r.work, r.top.data(), &r.named_p, error);
  r.error = error.c_str();
  return r;
}

void expect_plain(const std::vector<float>& logits, size_t n_top, int32_t named, const simd::Kernels& kernels) {
  SCOPED_TRACE(testing::Message() << kernels.name << ", n " << logits.size() << ", n_top " << n_top << ", named " << named);
  const plain::Set expected = plain::raw_probs(logits, n_top);
  const Result r = raw(logits, n_top, named, kernels);
  ASSERT_EQ(r.status, Status::ok) << r.error;
  for (size_t i = 0; i < r.top.size(); ++i) {
    ASSERT_EQ(r.top[i].id, expected.tokens[i].id) << "at " << i;
    ASSERT_TRUE(test::same_bits(r.top[i].p, expected.tokens[i].p)) << "at " << i;
  }
  if (named < 0) return;
  for (const plain::Token& t : expected.tokens) {
    if (t.id == named) {
      ASSERT_TRUE(test::same_bits(r.named_p, t.p));
    }
  }
}

TEST(RawProbs, C7_equal_the_sorted_array_on_every_level) {
  for (const simd::Level level : {simd::Level::scalar, simd::Level::avx2, simd::Level::avx512, simd::Level::neon}) {
    const simd::Kernels* kernels = simd::kernels_of(level);
    if (kernels == nullptr) continue;
    for (int seed = 0; seed < test::cases(300); ++seed) {
      SCOPED_TRACE(testing::Message() << "seed " << seed);
      test::RandomSets random(static_cast<uint64_t>(seed));
      plain::Set s = random.next();
      if (s.tokens.empty()) continue;
      std::vector<float> logits;
      for (const plain::Token& t : s.tokens) logits.push_back(t.logit);
      const size_t n = logits.size();
      static constexpr size_t usual[] = {0, 1, 5, 20, 128, 129};
      const size_t n_top = random.below(3) == 0 ? random.below(n + 3) : usual[random.below(6)];
      const int32_t named = static_cast<int32_t>(random.below(n + 1)) - 1;
      ASSERT_NO_FATAL_FAILURE(expect_plain(logits, n_top, named, *kernels));
    }
  }
}

TEST(RawProbs, C7_rows_as_large_as_a_vocabulary) {
  test::RandomSets random(7);
  for (const size_t n_top : {size_t{0}, size_t{20}, size_t{300}}) {
    for (int round = 0; round < 8; ++round) {
      plain::Set s = random.next(50257);
      std::vector<float> logits;
      for (const plain::Token& t : s.tokens) logits.push_back(t.logit);
      ASSERT_NO_FATAL_FAILURE(expect_plain(logits, n_top, 50256, simd::kernels()));
    }
  }
  std::vector<float> rising(10000);
  for (size_t i = 0; i < rising.size(); ++i) rising[i] = static_cast<float>(i) * 1e-3f;
  ASSERT_NO_FATAL_FAILURE(expect_plain(rising, 20, 0, simd::kernels()));
}

TEST(RawProbs, C8_the_named_token_outside_the_list) {
  const Result r = raw(test::row_x(), 2, 7);
  ASSERT_EQ(r.status, Status::ok);
  EXPECT_EQ(r.top[0].id, 0);
  EXPECT_EQ(r.top[1].id, 1);
  EXPECT_NEAR(r.top[0].p / r.named_p, std::exp(5.0f), 1e-3f);
  EXPECT_EQ(raw(test::row_x(), 8, 1).named_p, raw(test::row_x(), 8, 1).top[1].p);
}

TEST(RawProbs, the_sum_depends_on_the_order_that_the_list_leaves) {
  test::RandomSets random(11);
  bool differs = false;
  for (int i = 0; i < 50 && !differs; ++i) {
    plain::Set s = random.next(3000);
    std::vector<float> logits;
    for (const plain::Token& t : s.tokens) logits.push_back(t.logit);
    differs = !test::same_bits(raw(logits, 0, 5).named_p, raw(logits, 20, 5).named_p);
  }
  EXPECT_TRUE(differs);
}

TEST(RawProbs, C10_logprob) {
  EXPECT_TRUE(test::same_bits(logprob(0.25f), plain::flog(0.25f)));
  EXPECT_TRUE(test::same_bits(logprob(0.1f), plain::flog(0.1f)));
  EXPECT_EQ(logprob(0.0f), std::numeric_limits<float>::lowest());
}

TEST(RawProbs, bad_rows_are_named) {
  for (const size_t n_top : {size_t{0}, size_t{2}, size_t{9}}) {
    const Result nan = raw({1, 2, NAN, 3}, n_top, -1);
    EXPECT_EQ(nan.status, Status::nonfinite);
    EXPECT_EQ(nan.error, "logits[2] is NaN");
    const Result infinite = raw({1, INFINITY, 2}, n_top, 0);
    EXPECT_EQ(infinite.status, Status::nonfinite);
    EXPECT_EQ(infinite.error, "logits[1] is +inf");
    const Result banned = raw({plain::minus_infinity, plain::minus_infinity}, n_top, -1);
    EXPECT_EQ(banned.status, Status::no_candidate);
    EXPECT_NE(banned.error.find("-inf"), std::string::npos);
    EXPECT_EQ(raw({}, n_top, -1).status, Status::no_candidate);
  }
}

}  // namespace
}  // namespace bankml
