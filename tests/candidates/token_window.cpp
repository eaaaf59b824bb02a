// core/candidates/token_window: the last n tokens and their counts, against a deque.
#include "core/candidates/token_window.h"

#include <gtest/gtest.h>

#include <deque>
#include <map>
#include <random>

namespace bankml {
namespace {

void expect_equal(const TokenWindow& window, const std::deque<int32_t>& expected) {
  ASSERT_EQ(window.size(), expected.size());
  std::map<int32_t, uint32_t> counts;
  for (const int32_t t : expected) ++counts[t];
  ASSERT_EQ(window.distinct(), counts.size());
  for (const TokenWindow::Seen& seen : window) ASSERT_EQ(seen.count, counts.at(seen.token)) << seen.token;
  for (const auto& [token, count] : counts) ASSERT_EQ(window.count_of(token), count) << token;
  std::vector<int32_t> backwards(window.size());
  window.copy_backwards(backwards.data());
  for (size_t i = 0; i < window.size(); ++i) {
    ASSERT_EQ(window.from_end(i), expected[expected.size() - 1 - i]);
    ASSERT_EQ(backwards[i], window.from_end(i));
  }
}

void run(size_t length, size_t n_tokens, int32_t alphabet, uint64_t seed, size_t check_every) {
  SCOPED_TRACE(testing::Message() << "length " << length << ", alphabet " << alphabet << ", seed " << seed);
  std::mt19937_64 rng(seed);
  TokenWindow window(length);
  std::deque<int32_t> expected;
  for (size_t i = 0; i < n_tokens; ++i) {
    // Multiples of a large step collide in the table's home places often.
    const auto token = static_cast<int32_t>(rng() % static_cast<uint64_t>(alphabet)) * 1024;
    window.reserve(1);
    window.accept(token);
    expected.push_back(token);
    if (expected.size() > length) expected.pop_front();
    ASSERT_EQ(window.count_of(token), static_cast<uint32_t>(std::count(expected.begin(), expected.end(), token)));
    if (i % check_every == 0) expect_equal(window, expected);
  }
  expect_equal(window, expected);
}

TEST(TokenWindow, equals_a_deque) {
  uint64_t seed = 1;
  for (const size_t length : {1, 2, 3, 5, 16, 64, 100}) {
    for (const int32_t alphabet : {1, 2, 7, 60, 5000}) run(length, 600, alphabet, seed++, 7);
  }
}

TEST(TokenWindow, C20_counts_only_what_is_in_it) {
  TokenWindow window(2);
  for (const int32_t t : {5, 6, 7}) window.accept(t);
  EXPECT_EQ(window.count_of(5), 0u);
  EXPECT_EQ(window.count_of(6), 1u);
  EXPECT_EQ(window.count_of(7), 1u);
}

TEST(TokenWindow, C21_any_length_is_allocated_at_construction) {
  for (const size_t length : {size_t{64}, size_t{65536}}) {
    TokenWindow window(length);
    const size_t bytes = window.bytes();
    for (int32_t i = 0; i < 200000; ++i) window.accept(i % 70000);
    EXPECT_EQ(window.size(), length);
    EXPECT_EQ(window.distinct(), length);
    EXPECT_EQ(window.bytes(), bytes);
    EXPECT_EQ(window.capacity_for(100), length);
  }
}

TEST(TokenWindow, longer_ones_grow_by_doubling_and_keep_their_content) {
  TokenWindow window(300000);
  EXPECT_EQ(window.capacity(), 65536u);
  std::deque<int32_t> expected;
  for (int32_t i = 0; i < 320000; ++i) {
    window.reserve(1);
    window.accept(i / 3);
    expected.push_back(i / 3);
    if (expected.size() > 300000) expected.pop_front();
    if (i == 65536) {
      EXPECT_EQ(window.capacity(), 131072u);
    }
    if (i == 70000) expect_equal(window, expected);
  }
  EXPECT_EQ(window.capacity(), 300000u);
  expect_equal(window, expected);
}

TEST(TokenWindow, reserve_takes_many_at_once) {
  TokenWindow window(1000000);
  window.reserve(5);
  EXPECT_EQ(window.capacity(), 65536u);
  window.reserve(200000);
  EXPECT_EQ(window.capacity(), 262144u);
  window.reserve(SIZE_MAX);
  EXPECT_EQ(window.capacity(), 1000000u);
}

TEST(TokenWindow, length_zero_keeps_nothing) {
  TokenWindow window(0);
  window.reserve(10);
  window.accept(3);
  EXPECT_EQ(window.size(), 0u);
  EXPECT_EQ(window.find(3), TokenWindow::not_seen);
}

TEST(TokenWindow, reset_empties_and_a_copy_is_its_own) {
  TokenWindow window(4);
  for (const int32_t t : {1, 2, 2, 3, 1}) window.accept(t);
  TokenWindow copy = window;
  copy.accept(9);
  EXPECT_EQ(window.count_of(9), 0u);
  EXPECT_EQ(copy.count_of(9), 1u);
  window.reset();
  expect_equal(window, {});
  EXPECT_EQ(copy.count_of(2), 1u);
  window.accept(2);
  expect_equal(window, {2});
}

}  // namespace
}  // namespace bankml
