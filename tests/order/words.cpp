// sort_words against std::sort and introsort: whole arrays, so that the places of equal keys count; and the keys of floats.
#include "core/order/words.h"

#include "core/order/radix_sort.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "tests/order/order_cases.h"

namespace {

using namespace order_cases;
namespace order = bankml::order;

std::vector<order::Word> words(const std::vector<float>& keys, uint32_t (*key)(float)) {
  std::vector<order::Word> result;
  for (size_t i = 0; i < keys.size(); ++i) result.push_back(order::word(key(keys[i]), i));
  return result;
}

template <class Less>
void expect_same_sort(const std::vector<float>& keys, uint32_t (*key)(float), Less less) {
  std::vector<order::Word> ours = words(keys, key);
  order::sort_words(ours.data(), ours.data() + ours.size());
  std::vector<Item> theirs = items(keys);
  std::sort(theirs.begin(), theirs.end(), less);
  for (size_t i = 0; i < keys.size(); ++i) ASSERT_EQ(order::index_of(ours[i]), static_cast<uint32_t>(theirs[i].id)) << "at " << i;
}

TEST(Words, C4_equals_libstdcxx_ties_included) {
  for (size_t n : sizes()) {
    for (const Case& c : cases_of_size(n, static_cast<uint32_t>(n) + 5)) {
      SCOPED_TRACE(c.name);
      ASSERT_NO_FATAL_FAILURE(expect_same_sort(c.keys, order::descending_key, Descending{}));
      ASSERT_NO_FATAL_FAILURE(expect_same_sort(c.keys, order::ascending_key, Ascending{}));
    }
  }
}

TEST(Words, random_sizes_with_ties) {
  std::mt19937 random(11);
  for (int round = 0; round < 2000; ++round) {
    SCOPED_TRACE(testing::Message() << "round " << round);
    std::vector<float> keys(random() % 3001);
    const size_t values = 1 + random() % (1 + keys.size());
    for (float& key : keys) key = static_cast<float>(random() % values) - static_cast<float>(values / 2);
    ASSERT_NO_FATAL_FAILURE(expect_same_sort(keys, order::descending_key, Descending{}));
  }
}

// Scores along a sorted vocabulary fall, then rise: the shape that spends the depth of a part, and heap sort takes over.
TEST(Words, a_valley_and_killers_exhaust_the_depth_limit) {
  std::vector<float> valley(60000);
  for (size_t i = 0; i < valley.size(); ++i) valley[i] = std::fabs(static_cast<float>(i / 3) - 7000.0f);
  ASSERT_NO_FATAL_FAILURE(expect_same_sort(valley, order::ascending_key, Ascending{}));
  for (size_t n : {200, 1000, 2000}) {
    std::vector<float> keys = killer(n);
    ASSERT_NO_FATAL_FAILURE(expect_same_sort(keys, order::ascending_key, Ascending{}));
    for (float& key : keys) key = std::floor(key / 3);
    ASSERT_NO_FATAL_FAILURE(expect_same_sort(keys, order::ascending_key, Ascending{}));
  }
}

TEST(Words, small_parts_are_sorted_stably) {
  std::mt19937 random(2);
  for (int round = 0; round < 20000; ++round) {
    std::vector<order::Word> ours(random() % (order::introsort_small + 1));
    for (size_t i = 0; i < ours.size(); ++i) {
      const bool any = random() % 4 == 0;
      ours[i] = order::word(static_cast<uint32_t>(any ? random() : random() % 5), ours.size() - i);
    }
    std::vector<order::Word> theirs = ours;
    order::sort_small_part(ours.data(), static_cast<std::ptrdiff_t>(ours.size()));
    std::stable_sort(theirs.begin(), theirs.end(), order::LowerKey{});
    ASSERT_EQ(ours, theirs) << round;
  }
}

// Stable for every array; accepted as the reference's order only where no two keys are equal.
TEST(Words, radix_sort_is_stable_and_tells_ties) {
  std::mt19937 random(12);
  size_t distinct = 0;
  for (int round = 0; round < 2000; ++round) {
    SCOPED_TRACE(testing::Message() << "round " << round);
    const uint32_t masks[] = {0xffffffffu, 0xffu, 0xff00u, 0xff000000u, 0u, 0x00ffff00u};
    const uint32_t mask = masks[random() % 6];
    std::vector<order::Word> in(random() % 300);
    for (size_t i = 0; i < in.size(); ++i) in[i] = order::word(static_cast<uint32_t>(random()) & mask, i);
    std::vector<order::Word> wanted = in, sorted(in.size()), spare(in.size()), kept = in;
    std::stable_sort(wanted.begin(), wanted.end(), order::LowerKey{});
    order::radix_sort_words(in.data(), in.size(), sorted.data(), spare.data());
    ASSERT_EQ(sorted, wanted);
    bool tied = false;
    for (size_t i = 1; i < wanted.size(); ++i) tied = tied || order::key_of(wanted[i]) == order::key_of(wanted[i - 1]);
    distinct += tied ? 0 : 1;
    ASSERT_EQ(order::sort_distinct_words(kept.data(), kept.size(), sorted.data(), spare.data()), !tied);
    ASSERT_EQ(kept, tied ? in : wanted);
  }
  EXPECT_GT(distinct, 200u);
}

TEST(Words, keys_compare_as_the_floats_do) {
  constexpr float inf = std::numeric_limits<float>::infinity();
  constexpr float tiny = std::numeric_limits<float>::denorm_min();
  std::vector<float> values = {-inf, std::numeric_limits<float>::lowest(), -1.5f, -1.0f, -tiny, -0.0f, 0.0f, tiny, 1.0f, 1.5f, inf};
  std::mt19937 random(4);
  for (int i = 0; i < 500; ++i) {
    const float x = std::bit_cast<float>(static_cast<uint32_t>(random()));
    if (x == x) values.push_back(x);
  }
  for (float a : values) {
    for (float b : values) {
      ASSERT_EQ(order::ascending_key(a) < order::ascending_key(b), a < b) << a << " " << b;
      ASSERT_EQ(order::descending_key(a) < order::descending_key(b), a > b) << a << " " << b;
    }
  }
}

TEST(Words, a_word_gives_back_its_parts) {
  const order::Word w = order::word(0x89abcdefu, 0xfedcba98u);
  EXPECT_EQ(order::key_of(w), 0x89abcdefu);
  EXPECT_EQ(order::index_of(w), 0xfedcba98u);
}

}  // namespace
