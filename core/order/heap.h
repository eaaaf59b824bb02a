// Binary heaps as libstdc++ builds and unwinds them, so that equal keys end where the reference leaves them.
//
// Computes: adjust_heap, make_heap, sort_heap, heap_select and partial_sort on a pointer range. `less(a, b)` orders the heap with
// the element that is least "less" at the root; for a top-k by logit it is `a.logit > b.logit`, and the root is the smallest of the
// k.
// Why: with ties the place of an element depends on every comparison and move made before, and quantised models tie often. Heap
// sort as such is Williams (1964) with Floyd's (1964) bottom-up sift; the variant is libstdc++'s: the hole sinks to a leaf without
// looking at the value, then the value rises.
// Quirks kept: heap_select compares with the root only and puts the displaced root in the place of the element that beat it, so
// the part behind `middle` is permuted too; all of the array is part of the result.
// A comparator that is not an order (NaN keys: always false) gives some permutation, without reading out of bounds: each index is
// bounded by the heap's length, never by the outcome of a comparison.
// Nothing here allocates, recurses or throws.
//
// Tested by tests/order/heap.cpp
#pragma once

#include <cstddef>
#include <utility>

namespace bankml::order {

// Sinks the hole at `hole` to a leaf of the heap a[0..len) along the greater children, then lets `value` rise from there, never
// above the starting hole. Signed indices because (len - 1) / 2 must be 0, not huge, at len = 0.
template <class T, class Less>
void adjust_heap(T* a, std::ptrdiff_t hole, std::ptrdiff_t len, T value, Less less) noexcept {
  const std::ptrdiff_t top = hole;
  std::ptrdiff_t child = hole;
  while (child < (len - 1) / 2) {
    child = 2 * child + 2;
    child -= less(a[child], a[child - 1]) ? 1 : 0;  // no branch: it could not be predicted
    a[hole] = std::move(a[child]);
    hole = child;
  }
  if (len % 2 == 0 && child == (len - 2) / 2) {  // a last inner node with a left child only
    child = 2 * child + 1;
    a[hole] = std::move(a[child]);
    hole = child;
  }
  while (hole > top) {
    const std::ptrdiff_t parent = (hole - 1) / 2;
    if (!less(a[parent], value)) break;
    a[hole] = std::move(a[parent]);
    hole = parent;
  }
  a[hole] = std::move(value);
}

// Makes [first, last) a heap.
template <class T, class Less>
void make_heap(T* first, T* last, Less less) noexcept {
  const std::ptrdiff_t len = last - first;
  for (std::ptrdiff_t i = (len - 2) / 2; len >= 2 && i >= 0; --i) adjust_heap(first, i, len, T(std::move(first[i])), less);
}

// Sorts the heap [first, last), least first.
template <class T, class Less>
void sort_heap(T* first, T* last, Less less) noexcept {
  for (std::ptrdiff_t n = last - first - 1; n >= 1; --n) {
    T value = std::move(first[n]);
    first[n] = std::move(first[0]);
    adjust_heap(first, 0, n, std::move(value), less);
  }
}

// Leaves in [first, middle), as a heap, the middle - first least elements of [first, last). With an empty [first, middle) the
// running least element moves to the front all the same, as libstdc++ has it.
template <class T, class Less>
void heap_select(T* first, T* middle, T* last, Less less) noexcept {
  bankml::order::make_heap(first, middle, less);
  const std::ptrdiff_t k = middle - first;
  for (T* i = middle; i < last; ++i) {
    if (!less(*i, *first)) continue;
    T value = std::move(*i);
    *i = std::move(*first);
    adjust_heap(first, 0, k, std::move(value), less);
  }
}

// Puts the middle - first least elements of [first, last) in order in [first, middle); the rest follow in the order left by
// heap_select.
template <class T, class Less>
void partial_sort(T* first, T* middle, T* last, Less less) noexcept {
  bankml::order::heap_select(first, middle, last, less);
  bankml::order::sort_heap(first, middle, less);
}

}  // namespace bankml::order
