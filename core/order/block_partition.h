// Hoare's partition without a branch per element, with the result of the plain loop in core/order/introsort.h.
//
// Computes: the same array and the same cut as partition(first, last, pivot, less).
// Why the same: the plain loop exchanges the k-th stop from the left (an element that is not less than the pivot) with the k-th
// stop from the right (one that the pivot is not less than) until the two cross. Elements not yet exchanged have their first
// values, so the stops of a stretch that neither walk has reached can be listed at once. Pairs from two separate stretches never
// cross; when less than two blocks are left, both lists are made of all of the rest and exchanged while they do not cross. No
// property of an order is used: it holds for any comparator that depends on its arguments alone, NaN keys included.
// Why so: the outcome of a comparison with a good pivot cannot be predicted, and a wrong guess costs more than listing ten
// elements. Source: Edelkamp and Weiss, "BlockQuicksort" (2016), for lists of offsets; the pairing rule is Hoare's (1961).
//
// Tested by tests/order/block_partition.cpp
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

namespace bankml::order {

namespace block_partition_detail {

inline constexpr std::ptrdiff_t block = 64;
// Less than two unlisted blocks, and what is left of a listed one.
inline constexpr std::ptrdiff_t most_left_over = 3 * block - 1;
static_assert(most_left_over <= UINT8_MAX);

// Lists the i in [0, block) with stop(i), ascending; returns how many. Four a round, which compilers unroll.
template <class Stop>
std::ptrdiff_t list_stops(uint8_t* list, Stop stop) noexcept {
  std::ptrdiff_t n = 0;
  for (std::ptrdiff_t i = 0; i < block; i += 4) {
    for (std::ptrdiff_t lane = 0; lane < 4; ++lane) {
      list[n] = static_cast<uint8_t>(i + lane);
      n += stop(i + lane) ? 1 : 0;
    }
  }
  return n;
}

// The rest [first, last), at most most_left_over elements.
template <class T, class LeftStop, class RightStop>
T* partition_rest(T* first, T* last, LeftStop stops_left, RightStop stops_right) noexcept {
  using std::swap;
  uint8_t left[most_left_over + 1];
  uint8_t right[most_left_over + 1];  // ascending: the first stop of the right walk is the last entry
  const std::ptrdiff_t n = last - first;
  std::ptrdiff_t lefts = 0;
  std::ptrdiff_t rights = 0;
  for (std::ptrdiff_t i = 0; i < n; ++i) {
    left[lefts] = static_cast<uint8_t>(i);
    lefts += stops_left(first[i]) ? 1 : 0;
    right[rights] = static_cast<uint8_t>(i);
    rights += stops_right(first[i]) ? 1 : 0;
  }
  std::ptrdiff_t k = 0;
  std::ptrdiff_t crossed = n;  // the left walk ends here at the latest: at what the last exchange brought from the left, or the end
  while (k < lefts && k < rights && left[k] < right[rights - 1 - k]) {
    crossed = right[rights - 1 - k];
    swap(first[left[k]], first[crossed]);
    ++k;
  }
  return first + (k < lefts && left[k] < crossed ? left[k] : crossed);
}

}  // namespace block_partition_detail

// As partition(), with the comparisons to the pivot as two tests of an element: stops_left(x) is !less(x, pivot), stops_right(x)
// is !less(pivot, x). T is cheap to copy.
template <class T, class LeftStop, class RightStop>
T* block_partition_by(T* first, T* last, LeftStop stops_left, RightStop stops_right) noexcept {
  using namespace block_partition_detail;
  using std::swap;
  uint8_t left[block + 1];  // a listing writes one entry past its last stop
  uint8_t right[block + 1];
  T* left_base = first;  // offsets in `left` count up from here
  T* right_base = last;  // offsets in `right` count down from the element before this
  std::ptrdiff_t i = 0, lefts = 0;
  std::ptrdiff_t j = 0, rights = 0;
  while (last - first >= 2 * block) {
    if (i == lefts) {
      left_base = first;
      first += block;
      i = 0;
      lefts = list_stops(left, [&](std::ptrdiff_t x) { return stops_left(left_base[x]); });
    }
    if (j == rights) {
      right_base = last;
      last -= block;
      j = 0;
      rights = list_stops(right, [&](std::ptrdiff_t x) { return stops_right(right_base[-1 - x]); });
    }
    const std::ptrdiff_t pairs = lefts - i < rights - j ? lefts - i : rights - j;
    for (std::ptrdiff_t x = 0; x < pairs; ++x) swap(left_base[left[i + x]], right_base[-1 - right[j + x]]);
    i += pairs;
    j += pairs;
  }
  // Stops that are left over are listed once more with the rest.
  if (i < lefts) first = left_base + left[i];
  if (j < rights) last = right_base - right[j];
  return partition_rest(first, last, stops_left, stops_right);
}

// As partition().
template <class T, class Less>
T* block_partition(T* first, T* last, const T* pivot_at, Less less) noexcept {
  const T pivot = *pivot_at;
  return bankml::order::block_partition_by(
      first, last, [=](const T& x) { return !less(x, pivot); }, [=](const T& x) { return !less(pivot, x); });
}

}  // namespace bankml::order
