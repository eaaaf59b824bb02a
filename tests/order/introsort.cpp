// introsort against std::sort of libstdc++: whole arrays, so that the places of equal keys count.
#include "core/order/introsort.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "tests/order/order_cases.h"

#if !defined(__GLIBCXX__)
#error "the order tests compare with libstdc++: build them with it"
#endif

namespace {

using namespace order_cases;
namespace order = bankml::order;

template <class Less>
void expect_same_sort(const Case& c, Less less) {
  std::vector<Item> ours = items(c.keys), theirs = ours;
  order::introsort(ours.data(), ours.data() + ours.size(), less);
  std::sort(theirs.begin(), theirs.end(), less);
  ASSERT_TRUE(ours == theirs) << c.name;
}

TEST(Introsort, C4_equals_libstdcxx_ties_included) {
  size_t arrays = 0;
  for (size_t n : sizes()) {
    for (const Case& c : cases_of_size(n, static_cast<uint32_t>(n) + 1)) {
      ASSERT_NO_FATAL_FAILURE(expect_same_sort(c, Descending{}));
      ASSERT_NO_FATAL_FAILURE(expect_same_sort(c, Ascending{}));
      ++arrays;
    }
  }
  EXPECT_GE(arrays, 876u);
}

TEST(Introsort, random_sizes_with_ties) {
  std::mt19937 random(7);
  for (int round = 0; round < 2000; ++round) {
    Case c{"round " + std::to_string(round), std::vector<float>(random() % 2001)};
    const size_t values = 1 + random() % (1 + c.keys.size());
    for (float& key : c.keys) key = static_cast<float>(random() % values);
    ASSERT_NO_FATAL_FAILURE(expect_same_sort(c, Descending{}));
  }
}

TEST(Introsort, killer_inputs_exhaust_the_depth_limit) {
  for (size_t n : {200, 1000, 2000}) {
    std::vector<Item> copy = items(killer(n));
    EXPECT_GT(depth_used(copy.data(), copy.data() + n, Ascending{}), order::depth_limit(n)) << n;
    ASSERT_NO_FATAL_FAILURE(expect_same_sort({"killer", killer(n)}, Ascending{}));
    // Ties on top: the heap sort of the part must place them as libstdc++ does.
    std::vector<float> tied = killer(n);
    for (float& key : tied) key = std::floor(key / 3);
    ASSERT_NO_FATAL_FAILURE(expect_same_sort({"killer with ties", tied}, Ascending{}));
  }
}

TEST(Introsort, comparator_that_is_always_false) {
  for (size_t n : sizes()) {
    Case c{"never less", std::vector<float>(n, std::numeric_limits<float>::quiet_NaN())};
    std::vector<Item> ours = items(c.keys), theirs = ours;
    order::introsort(ours.data(), ours.data() + n, Never{});
    std::sort(theirs.begin(), theirs.end(), Never{});
    std::vector<Item> with_nan = items(c.keys);
    order::introsort(with_nan.data(), with_nan.data() + n, Descending{});
    for (size_t i = 0; i < n; ++i) {
      ASSERT_EQ(ours[i].id, theirs[i].id) << n;
      ASSERT_EQ(with_nan[i].id, theirs[i].id) << n;
    }
  }
}

// A comparator that is not an order: any permutation will do, but nothing outside the array is touched (the guards around it are
// checked, and the sanitizer run sees reads).
TEST(Introsort, some_nan_keys_stay_in_bounds) {
  std::mt19937 random(3);
  for (int round = 0; round < 3000; ++round) {
    const size_t n = 1 + random() % 400;
    std::vector<float> keys(n);
    for (float& key : keys) {
      key = random() % 4 == 0 ? std::numeric_limits<float>::quiet_NaN() : static_cast<float>(static_cast<int32_t>(random() % 50));
    }
    std::vector<Item> ours = items(keys);
    // Outside lie keys that every walk would accept.
    ours.insert(ours.begin(), {-1.0f, -1});
    ours.push_back({1000.0f, -2});
    order::introsort(ours.data() + 1, ours.data() + 1 + n, Descending{});
    ASSERT_EQ(ours.front().id, -1);
    ASSERT_EQ(ours.back().id, -2);
    std::vector<bool> seen(n);
    for (size_t i = 1; i <= n; ++i) seen.at(static_cast<size_t>(ours[i].id)) = true;
    ASSERT_EQ(std::count(seen.begin(), seen.end(), true), static_cast<std::ptrdiff_t>(n));
  }
}

// The property that lazy sorting rests on: parts are independent, and the insertion sort may run part by part.
TEST(Introsort, parts_can_be_refined_one_by_one) {
  for (const Case& c : cases_of_size(1000, 11)) {
    std::vector<Item> whole = items(c.keys), parts = whole;
    order::introsort(whole.data(), whole.data() + whole.size(), Descending{});
    const int depth = order::depth_limit(parts.size());
    Item* first = parts.data();
    Item* last = first + parts.size();
    Item* cut = order::partition_pivot(first, last, Descending{});
    for (auto [from, to] : {std::pair{cut, last}, std::pair{first, cut}}) {  // the right part first
      order::introsort_loop(from, to, depth - 1, Descending{});
      order::final_insertion_sort(from, to, Descending{});
    }
    ASSERT_TRUE(whole == parts) << c.name;
  }
}

TEST(Introsort, depth_limit_is_twice_the_logarithm) {
  EXPECT_EQ(order::depth_limit(0), 0);
  EXPECT_EQ(order::depth_limit(1), 0);
  EXPECT_EQ(order::depth_limit(2), 2);
  EXPECT_EQ(order::depth_limit(3), 2);
  EXPECT_EQ(order::depth_limit(1023), 18);
  EXPECT_EQ(order::depth_limit(1024), 20);
}

TEST(Introsort, is_noexcept) { static_assert(noexcept(order::introsort<Item, Never>(nullptr, nullptr, Never{}))); }

}  // namespace
