// fast_top_k leaves what the reference's partial_sort over the full set leaves, at every CPU level: 24,000 random rows.
#include "core/candidates/fast_top_k.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <limits>

#include "core/candidates/fast_row_scan.h"
#include "tests/candidates/fast_cases.h"

namespace bankml {
namespace {

using testing::Dice;
using testing::FastCase;

void check(const FastCase& c, size_t k, bool sorted_edits_finite, Dice&) {
  const std::vector<Candidate> wanted = testing::plain_top_k(c, k);
  for (const simd::Kernels* kernels : testing::levels()) {
    FastScratch scratch(c.row.n, k);
    testing::SetStorage storage(k);
    const size_t capacity = std::min(k, c.row.n);
    storage.data[capacity].id = 12345;
    Candidates out = storage.set(capacity, c.row.n, kernels);
    ErrorText error;
    Row raw = c.row;
    raw.edits = nullptr;
    ASSERT_EQ(fast_scan_row(raw, scratch, *kernels, error), Status::ok) << error.c_str();
    ASSERT_EQ(fast_top_k(c.row, k, out, scratch), sorted_edits_finite);
    if (!sorted_edits_finite) continue;
    ASSERT_EQ(out.size, wanted.size());
    ASSERT_TRUE(out.sorted);
    ASSERT_TRUE(testing::same_records(out.data, wanted.data(), out.size))
        << kernels->name << " n " << c.row.n << " k " << k << " kind " << c.kind << " edits " << c.edits.size() << " mask "
        << (c.row.mask != nullptr);
    ASSERT_EQ(storage.data[capacity].id, 12345);
  }
}

void run(uint64_t seed, size_t rounds, bool large) {
  Dice dice(seed);
  for (size_t round = 0; round < rounds && !::testing::Test::HasFatalFailure(); ++round) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed << " round " << round);
    const size_t n = testing::random_size(dice, large);
    const auto c = testing::make_fast_case(dice, n, dice.once_in(2), dice.once_in(3));
    const std::vector<float> logits = c->effective();
    const bool live = *std::max_element(logits.begin(), logits.end()) > -std::numeric_limits<float>::infinity();
    const size_t k = dice.once_in(4) ? 1 : dice.once_in(3) ? 40 : 1 + dice.below(128);
    check(*c, k, live, dice);
  }
}

TEST(FastTopK, RandomRows) { run(11, std::getenv("BANKML_TEST_LONG") != nullptr ? 200000 : 24000, false); }

TEST(FastTopK, RowsOfAVocabularysSize) { run(12, std::getenv("BANKML_TEST_LONG") != nullptr ? 1000 : 24, true); }

TEST(FastTopK, EveryKOfATiedRow) {
  Dice dice(13);
  for (const size_t n : {1u, 2u, 3u, 17u, 128u, 129u, 4000u}) {
    FastCase c;
    c.storage.resize(n);
    for (float& logit : c.storage) logit = static_cast<float>(dice.below(6));
    c.row.logits = c.storage.data();
    c.row.n = n;
    for (size_t k = 1; k <= 128; ++k) check(c, k, true, dice);
  }
}

TEST(FastTopK, AnEditThatOverflowsIsNotProven) {
  const float infinity = std::numeric_limits<float>::infinity();
  for (const float bad : {infinity, std::numeric_limits<float>::quiet_NaN()}) {
    for (const simd::Kernels* kernels : testing::levels()) {
      FastCase c;
      c.storage.assign(1000, 1.0f);
      c.row.logits = c.storage.data();
      c.row.n = 1000;
      *c.edits.at(700, 1.0f) = bad;
      c.edits.sort();
      FastScratch scratch(1000, 40);
      testing::SetStorage storage(40);
      Candidates out = storage.set(40, 1000, kernels);
      out.size = 7;
      ErrorText error;
      ASSERT_EQ(fast_scan_row(c.row, scratch, *kernels, error), Status::ok);
      c.row.edits = &c.edits;
      EXPECT_FALSE(fast_top_k(c.row, 40, out, scratch));
      EXPECT_EQ(out.size, 7u);
      EXPECT_FALSE(out.sorted);
    }
  }
}

TEST(FastTopK, AllEditedAwayIsNotProven) {
  FastCase c;
  c.storage = {1.0f, -std::numeric_limits<float>::infinity()};
  c.row.logits = c.storage.data();
  c.row.n = 2;
  *c.edits.at(0, 1.0f) = -std::numeric_limits<float>::infinity();
  c.edits.sort();
  c.row.edits = &c.edits;
  Dice dice(14);
  check(c, 2, false, dice);
}

}  // namespace
}  // namespace bankml
