// Arrays for the order tests: keys with an id each, so that a test sees where equal keys end.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "core/order/introsort.h"

namespace order_cases {

struct Item {
  float key;
  int32_t id;
  bool operator==(const Item&) const = default;
};

struct Descending {
  bool operator()(const Item& a, const Item& b) const { return a.key > b.key; }
};
struct Ascending {
  bool operator()(const Item& a, const Item& b) const { return a.key < b.key; }
};
struct Never {  // what NaN keys make of either
  bool operator()(const Item&, const Item&) const { return false; }
};

inline std::vector<Item> items(const std::vector<float>& keys) {
  std::vector<Item> result;
  for (size_t i = 0; i < keys.size(); ++i) result.push_back({keys[i], static_cast<int32_t>(i)});
  return result;
}

struct Case {
  std::string name;
  std::vector<float> keys;
};

// Keys that drive a median-of-3 quicksort into its depth limit: McIlroy, "A killer adversary for quicksort" (1999). The comparator
// decides values while std::sort runs, so that every pivot is nearly the least.
inline std::vector<float> killer(size_t n) {
  const size_t gas = n;
  std::vector<size_t> value(n, gas), order(n);
  for (size_t i = 0; i < n; ++i) order[i] = i;
  size_t solid = 0, candidate = 0;
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    if (value[a] == gas && value[b] == gas) value[a == candidate ? a : b] = solid++;
    if (value[a] == gas) candidate = a;
    if (value[b] == gas) candidate = b;
    return value[a] < value[b];
  });
  std::vector<float> keys(n);
  for (size_t i = 0; i < n; ++i) keys[i] = static_cast<float>(value[i]);
  return keys;
}

// Levels of partitioning that introsort needs on these items if nothing stops it.
template <class Less>
int depth_used(Item* first, Item* last, Less less) {
  int depth = 0;
  while (last - first > bankml::order::introsort_small) {
    Item* cut = bankml::order::partition_pivot(first, last, less);
    ++depth;
    // Follow the larger part.
    if (last - cut > cut - first) {
      first = cut;
    } else {
      last = cut;
    }
  }
  return depth;
}

// Every shape at one size.
inline std::vector<Case> cases_of_size(size_t n, uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<Case> cases;
  const auto add = [&](std::string name, auto key) {
    Case c{std::move(name) + ", n = " + std::to_string(n), std::vector<float>(n)};
    for (size_t i = 0; i < n; ++i) c.keys[i] = static_cast<float>(key(i));
    cases.push_back(std::move(c));
  };
  add("distinct", [&](size_t) { return random(); });
  add("few values", [&](size_t) { return random() % 3; });
  add("many ties", [&](size_t) { return random() % (n / 8 + 2); });
  add("ascending", [](size_t i) { return i; });
  add("descending", [&](size_t i) { return n - i; });
  add("ascending in steps", [](size_t i) { return i / 7; });
  add("equal", [](size_t) { return 1; });
  add("organ pipe", [&](size_t i) { return i < n / 2 ? i : n - i; });
  add("equal but one", [&](size_t i) { return i == n / 3 ? 2 : 1; });
  cases.push_back({"killer, n = " + std::to_string(n), killer(n)});
  cases.push_back({"killer upside down, n = " + std::to_string(n), killer(n)});
  for (float& key : cases.back().keys) key = -key;
  return cases;
}

// Every size up to 70, where parts become small and the halves of a heap odd and even, then some up to 2,000.
inline std::vector<size_t> sizes() {
  std::vector<size_t> result;
  for (size_t n = 0; n <= 70; ++n) result.push_back(n);
  for (size_t n : {97, 127, 128, 129, 200, 255, 256, 257, 500, 777, 1000, 1023, 1024, 1025, 1500, 1999, 2000}) result.push_back(n);
  return result;
}

}  // namespace order_cases
