// Heaps, heap_select and partial_sort against libstdc++: whole arrays, so that the places of equal keys count.
#include "core/order/heap.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "tests/order/order_cases.h"

namespace {

using namespace order_cases;
namespace order = bankml::order;

// k below, at and above what matters at size n.
std::vector<size_t> cuts(size_t n) {
  std::vector<size_t> result;
  for (size_t k : {size_t{0}, size_t{1}, size_t{2}, size_t{3}, size_t{16}, size_t{17}, size_t{40}, n / 2, n - 1, n}) {
    if (k <= n && std::find(result.begin(), result.end(), k) == result.end()) result.push_back(k);
  }
  return result;
}

TEST(Heap, C3_partial_sort_equals_libstdcxx_whole_array) {
  for (size_t n : sizes()) {
    for (const Case& c : cases_of_size(n, static_cast<uint32_t>(n) + 100)) {
      for (size_t k : cuts(n)) {
        std::vector<Item> ours = items(c.keys), theirs = ours;
        order::partial_sort(ours.data(), ours.data() + k, ours.data() + n, Descending{});
        std::partial_sort(theirs.begin(), theirs.begin() + static_cast<std::ptrdiff_t>(k), theirs.end(), Descending{});
        ASSERT_TRUE(ours == theirs) << c.name << ", k = " << k;
      }
    }
  }
}

TEST(Heap, C3_without_ties_the_first_k_are_those_of_a_full_sort) {
  for (size_t n : {1, 2, 50, 1000}) {
    std::vector<float> keys(n);
    for (size_t i = 0; i < n; ++i) keys[i] = static_cast<float>((i * 7919) % 100003);
    std::vector<Item> sorted = items(keys);
    std::stable_sort(sorted.begin(), sorted.end(), Descending{});
    for (size_t k : cuts(n)) {
      std::vector<Item> ours = items(keys);
      order::partial_sort(ours.data(), ours.data() + k, ours.data() + n, Descending{});
      ASSERT_TRUE(std::equal(ours.begin(), ours.begin() + static_cast<std::ptrdiff_t>(k), sorted.begin()));
    }
  }
}

TEST(Heap, make_and_sort_equal_libstdcxx) {
  for (size_t n : sizes()) {
    for (const Case& c : cases_of_size(n, static_cast<uint32_t>(n) + 200)) {
      std::vector<Item> ours = items(c.keys), theirs = ours;
      order::make_heap(ours.data(), ours.data() + n, Ascending{});
      std::make_heap(theirs.begin(), theirs.end(), Ascending{});
      ASSERT_TRUE(ours == theirs) << c.name;
      order::sort_heap(ours.data(), ours.data() + n, Ascending{});
      std::sort_heap(theirs.begin(), theirs.end(), Ascending{});
      ASSERT_TRUE(ours == theirs) << c.name;
    }
  }
}

// std::pop_heap is adjust_heap of the last value from the root, after the root went to the last place.
TEST(Heap, adjust_equals_pop_heap) {
  for (size_t n : {2, 3, 4, 5, 16, 17, 100, 101}) {
    for (const Case& c : cases_of_size(n, static_cast<uint32_t>(n) + 300)) {
      std::vector<Item> theirs = items(c.keys);
      std::make_heap(theirs.begin(), theirs.end(), Descending{});
      std::vector<Item> ours = theirs;
      std::pop_heap(theirs.begin(), theirs.end(), Descending{});
      const Item value = ours.back();
      ours.back() = ours.front();
      order::adjust_heap(ours.data(), 0, static_cast<std::ptrdiff_t>(n) - 1, value, Descending{});
      ASSERT_TRUE(ours == theirs) << c.name;
    }
  }
}

// heap_select alone: libstdc++'s partial_sort is heap_select and then sort_heap, so sorting its heap must give partial_sort's
// array.
TEST(Heap, heap_select_keeps_the_heap_property) {
  for (const Case& c : cases_of_size(500, 17)) {
    for (size_t k : cuts(500)) {
      std::vector<Item> ours = items(c.keys), theirs = ours;
      order::heap_select(ours.data(), ours.data() + k, ours.data() + 500, Descending{});
      EXPECT_TRUE(std::is_heap(ours.begin(), ours.begin() + static_cast<std::ptrdiff_t>(k), Descending{})) << c.name;
      std::sort_heap(ours.begin(), ours.begin() + static_cast<std::ptrdiff_t>(k), Descending{});
      std::partial_sort(theirs.begin(), theirs.begin() + static_cast<std::ptrdiff_t>(k), theirs.end(), Descending{});
      ASSERT_TRUE(ours == theirs) << c.name << ", k = " << k;
    }
  }
}

TEST(Heap, comparator_that_is_always_false) {
  for (size_t n : sizes()) {
    for (size_t k : cuts(n)) {
      std::vector<Item> ours = items(std::vector<float>(n, std::numeric_limits<float>::quiet_NaN())), theirs = ours;
      order::partial_sort(ours.data(), ours.data() + k, ours.data() + n, Descending{});
      std::partial_sort(theirs.begin(), theirs.begin() + static_cast<std::ptrdiff_t>(k), theirs.end(), Descending{});
      for (size_t i = 0; i < n; ++i) ASSERT_EQ(ours[i].id, theirs[i].id) << n << " " << k;
    }
  }
}

TEST(Heap, some_nan_keys_stay_in_bounds) {
  std::mt19937 random(5);
  for (int round = 0; round < 2000; ++round) {
    const size_t n = 1 + random() % 300, k = random() % (n + 1);
    std::vector<float> keys(n);
    for (float& key : keys) key = random() % 3 == 0 ? std::numeric_limits<float>::quiet_NaN() : static_cast<float>(random() % 50);
    std::vector<Item> ours = items(keys);
    order::partial_sort(ours.data(), ours.data() + k, ours.data() + n, Descending{});
    std::vector<bool> seen(n);
    for (const Item& item : ours) seen.at(static_cast<size_t>(item.id)) = true;
    ASSERT_EQ(std::count(seen.begin(), seen.end(), true), static_cast<std::ptrdiff_t>(n));
  }
}

}  // namespace
