// Partition in blocks against the plain loop: the same array and the same cut.
#include "core/order/block_partition.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/order/order_cases.h"

namespace {

using namespace order_cases;
namespace order = bankml::order;

// The element at the front is the pivot.
template <class Less>
void expect_same_partition(const std::vector<float>& keys, Less less) {
  if (keys.size() < 2) return;
  std::vector<Item> ours = items(keys), plain = ours;
  const Item* our_cut = order::block_partition(ours.data() + 1, ours.data() + ours.size(), ours.data(), less);
  const Item* plain_cut = order::partition(plain.data() + 1, plain.data() + plain.size(), plain.data(), less);
  ASSERT_EQ(our_cut - ours.data(), plain_cut - plain.data());
  ASSERT_TRUE(ours == plain);
}

TEST(BlockPartition, C4_equals_the_plain_loop_on_every_shape) {
  for (size_t n : sizes()) {
    for (const Case& c : cases_of_size(n, static_cast<uint32_t>(n) + 17)) {
      SCOPED_TRACE(c.name);
      ASSERT_NO_FATAL_FAILURE(expect_same_partition(c.keys, Descending{}));
      ASSERT_NO_FATAL_FAILURE(expect_same_partition(c.keys, Ascending{}));
    }
  }
}

TEST(BlockPartition, random_arrays_and_pivots) {
  std::mt19937 random(5);
  for (int round = 0; round < 5000; ++round) {
    SCOPED_TRACE(testing::Message() << "round " << round);
    std::vector<float> keys(2 + random() % 1500);
    const size_t values = 1 + random() % (1 + random() % keys.size());
    for (float& key : keys) key = static_cast<float>(random() % values);
    if (round % 5 == 0) keys[0] = -1.0f;  // a pivot outside all keys
    if (round % 5 == 1) keys[0] = static_cast<float>(values);
    ASSERT_NO_FATAL_FAILURE(expect_same_partition(keys, Ascending{}));
  }
}

TEST(BlockPartition, keys_without_an_order_stay_in_bounds) {
  std::mt19937 random(6);
  for (int round = 0; round < 500; ++round) {
    std::vector<float> keys(2 + random() % 1500);
    for (float& key : keys) key = random() % 3 == 0 ? std::numeric_limits<float>::quiet_NaN() : static_cast<float>(random() % 9);
    std::vector<Item> array = items(keys);
    order::introsort(array.data(), array.data() + array.size(), Descending{});
    std::vector<bool> seen(array.size());
    for (const Item& item : array) seen[static_cast<size_t>(item.id)] = true;
    for (size_t i = 0; i < seen.size(); ++i) ASSERT_TRUE(seen[i]) << i;
  }
  ASSERT_NO_FATAL_FAILURE(expect_same_partition(std::vector<float>(777, 1.0f), Never{}));
}

}  // namespace
