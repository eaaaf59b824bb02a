// The insertion sorts that finish libstdc++'s introsort.
//
// Computes: insertion_sort of a range (guarded: an element less than the first is rotated to the front, any other is inserted
// linearly), and insert_each for elements that come after sorted ones.
// Why a guard where libstdc++ has none: its second half runs unguarded, which relies on an earlier element stopping the search. A
// comparator that is not an order (NaN keys) may break that, so the walk here also stops at `front`. For a strict weak order
// an earlier element always stops it first, so the bits are the same; the test compares whole arrays.
// Neither moves an element over an equal one.
//
// Tested by tests/order/introsort.cpp
#pragma once

#include <utility>

namespace bankml::order {

// Inserts *position among the sorted elements before it, not before `front`.
template <class T, class Less>
void linear_insert(T* front, T* position, Less less) noexcept {
  T value = std::move(*position);
  while (position > front && less(value, position[-1])) {
    *position = std::move(position[-1]);
    --position;
  }
  *position = std::move(value);
}

// Inserts the elements of [first, last) one after the other; `front` <= first is the lowest place they may reach.
template <class T, class Less>
void insert_each(T* front, T* first, T* last, Less less) noexcept {
  for (T* i = first; i < last; ++i) bankml::order::linear_insert(front, i, less);
}

template <class T, class Less>
void insertion_sort(T* first, T* last, Less less) noexcept {
  if (first == last) return;
  for (T* i = first + 1; i < last; ++i) {
    if (less(*i, *first)) {
      T value = std::move(*i);
      for (T* j = i; j > first; --j) *j = std::move(j[-1]);
      *first = std::move(value);
    } else {
      bankml::order::linear_insert(first, i, less);
    }
  }
}

}  // namespace bankml::order
