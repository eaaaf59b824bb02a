// The sort of libstdc++ (std::sort), move for move, so that equal keys end where the reference leaves them.
//
// Computes: introsort on a pointer range, and its pieces (median_to_first, partition, partition_pivot, depth_limit) for code that
// refines only the parts of an array it needs: parts are independent of each other, and the closing insertion sort never moves an
// element over a cut, so it may run part by part.
// Source: Musser, "Introspective sorting and selection algorithms" (1997), in libstdc++'s form: quicksort with the median of (first
// + 1, middle, last - 1) moved to the front, Hoare's unguarded partition, recursion on the right part and a loop on the left, heap
// sort when 2 * floor(log2 n) levels are spent, parts of 16 or fewer left to one insertion sort at the end.
// Quirk kept: a spent depth runs make_heap and sort_heap over the whole part; that, too, decides ties.
// Two differences that cannot be seen in the result: the walks of the partition are bounded, because a comparator that is not an
// order (some NaN keys) has no element that must stop them; and the recursion takes the smaller part, the loop the larger, so that
// the stack holds at most log2 n frames. Parts are independent, so their order does not matter. Nothing allocates or throws.
//
// Tested by tests/order/introsort.cpp
#pragma once

#include <bit>
#include <cstddef>
#include <utility>

#include "core/order/block_partition.h"
#include "core/order/heap.h"
#include "core/order/insertion_sort.h"

namespace bankml::order {

// Parts of this size or smaller are left to the insertion sort.
inline constexpr std::ptrdiff_t introsort_small = 16;

// Levels of partitioning that n elements get before heap sort takes over.
inline int depth_limit(size_t n) noexcept { return n == 0 ? 0 : 2 * (static_cast<int>(std::bit_width(n)) - 1); }

// Swaps the median of *x, *y, *z into *result.
template <class T, class Less>
void median_to_first(T* result, T* x, T* y, T* z, Less less) noexcept {
  using std::swap;
  if (less(*x, *y)) {
    swap(*result, less(*y, *z) ? *y : less(*x, *z) ? *z : *x);
  } else {
    swap(*result, less(*x, *z) ? *x : less(*y, *z) ? *z : *y);
  }
}

// Partitions [first, last), not empty, around *pivot, which lies outside; returns the cut. Elements before it are not greater than
// the pivot, those from it on are not less. The definition: block_partition() leaves the same and is what runs.
template <class T, class Less>
T* partition(T* first, T* last, const T* pivot, Less less) noexcept {
  using std::swap;
  T* const begin = first;
  T* const end = last;
  while (true) {
    while (first < end && less(*first, *pivot)) ++first;
    --last;
    while (last > begin && less(*pivot, *last)) --last;
    if (!(first < last)) return first;
    swap(*first, *last);
    ++first;
  }
}

// One level on a part of at least three elements: chooses the pivot and partitions; returns the cut.
template <class T, class Less>
T* partition_pivot(T* first, T* last, Less less) noexcept {
  bankml::order::median_to_first(first, first + 1, first + (last - first) / 2, last - 1, less);
  return bankml::order::block_partition(first + 1, last, first, less);  // the result of partition()
}

// Refines [first, last) until its parts are small; `depth` levels are left. The insertion sort is still to come.
template <class T, class Less>
void introsort_loop(T* first, T* last, int depth, Less less) noexcept {
  while (last - first > introsort_small) {
    if (depth == 0) {
      bankml::order::partial_sort(first, last, last, less);
      return;
    }
    --depth;
    T* cut = bankml::order::partition_pivot(first, last, less);
    if (last - cut < cut - first) {
      bankml::order::introsort_loop(cut, last, depth, less);
      last = cut;
    } else {
      bankml::order::introsort_loop(first, cut, depth, less);
      first = cut;
    }
  }
}

// The closing insertion sort over the whole range.
template <class T, class Less>
void final_insertion_sort(T* first, T* last, Less less) noexcept {
  if (last - first > introsort_small) {
    bankml::order::insertion_sort(first, first + introsort_small, less);
    bankml::order::insert_each(first, first + introsort_small, last, less);
  } else {
    bankml::order::insertion_sort(first, last, less);
  }
}

template <class T, class Less>
void introsort(T* first, T* last, Less less) noexcept {
  if (first == last) return;
  bankml::order::introsort_loop(first, last, depth_limit(static_cast<size_t>(last - first)), less);
  bankml::order::final_insertion_sort(first, last, less);
}

}  // namespace bankml::order
