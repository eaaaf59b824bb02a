// The history that penalties and DRY look at: a ring of the last n accepted tokens, and how often each of them occurs in it.
//
// accept costs the same at any window length: the ring says which token leaves, and an open-addressing table finds the count of a
// token. Counted tokens stand in a dense list, so that a step can walk the distinct tokens of the window instead of the vocabulary.
// Memory: about 20 to 28 bytes a token of the window, allocated at construction up to `preallocated` tokens. A longer window starts
// there and doubles when `reserve` needs it, the only call that allocates after construction.
// A copy is a full clone. One thread at a time.
//
// Tested by tests/candidates/token_window.cpp
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace bankml {

class TokenWindow {
 public:
  struct Seen {
    int32_t token;
    uint32_t count;
  };

  static constexpr size_t preallocated = 65536;
  static constexpr size_t not_seen = static_cast<size_t>(-1);

  // A window of the last `length` tokens; 0 keeps nothing.
  explicit TokenWindow(size_t length) : length_(length) { allocate(std::min(length, preallocated)); }

  size_t length() const noexcept { return length_; }
  // Tokens in the window now, and room for them without allocating.
  size_t size() const noexcept { return size_; }
  size_t capacity() const noexcept { return ring_.size(); }

  // The capacity that n more tokens need, found by doubling; equal to capacity() in all windows that are allocated at construction.
  size_t capacity_for(size_t n) const noexcept {
    const size_t needed = n < length_ - size_ ? size_ + n : length_;
    size_t wanted = capacity();
    while (wanted < needed) wanted = wanted < length_ / 2 ? 2 * wanted : length_;
    return wanted;
  }

  // Makes room for n more tokens. May throw std::bad_alloc, with the window as it was.
  void reserve(size_t n) {
    const size_t wanted = capacity_for(n);
    if (wanted == capacity()) return;
    TokenWindow larger(0);
    larger.length_ = length_;
    larger.allocate(wanted);
    for (size_t i = size_; i > 0; --i) larger.accept(from_end(i - 1));
    *this = std::move(larger);
  }

  // The oldest token leaves if the window is full, then `token` enters. Windows longer than `preallocated`: after a reserve that
  // covers it.
  void accept(int32_t token) noexcept {
    if (length_ == 0) return;
    if (size_ == capacity()) {
      forget(ring_[head_]);
      --size_;
    }
    ring_[head_] = token;
    head_ = head_ + 1 == ring_.size() ? 0 : head_ + 1;
    ++size_;
    count(token);
  }

  void reset() noexcept {
    std::fill(slots_.begin(), slots_.end(), 0u);
    size_ = 0;
    head_ = 0;
    n_seen_ = 0;
  }

  // The token i places from the end, 0 = the last accepted; i < size().
  int32_t from_end(size_t i) const noexcept {
    const size_t back = i + 1;
    return ring_[head_ >= back ? head_ - back : head_ + ring_.size() - back];
  }

  // The tokens from the last accepted one backwards, out[i] = from_end(i) for i < size().
  void copy_backwards(int32_t* out) const noexcept {
    size_t n = 0;
    for (size_t i = head_; i > 0 && n < size_; --i) out[n++] = ring_[i - 1];
    for (size_t i = ring_.size(); n < size_; --i) out[n++] = ring_[i - 1];
  }

  // The distinct tokens of the window with their counts, in no particular order.
  const Seen* begin() const noexcept { return seen_.data(); }
  const Seen* end() const noexcept { return seen_.data() + n_seen_; }
  size_t distinct() const noexcept { return n_seen_; }

  // The place of `token` in that list, or not_seen.
  size_t find(int32_t token) const noexcept {
    if (n_seen_ == 0) return not_seen;
    for (size_t s = home(token); slots_[s] != 0; s = (s + 1) & mask()) {
      if (seen_[slots_[s] - 1].token == token) return slots_[s] - 1;
    }
    return not_seen;
  }
  uint32_t count_of(int32_t token) const noexcept {
    const size_t i = find(token);
    return i == not_seen ? 0 : seen_[i].count;
  }

  size_t bytes() const noexcept {
    return ring_.capacity() * sizeof(int32_t) + seen_.capacity() * sizeof(Seen) + slots_.capacity() * sizeof(uint32_t);
  }

 private:
  size_t mask() const noexcept { return slots_.size() - 1; }
  size_t home(int32_t token) const noexcept {
    return static_cast<size_t>((static_cast<uint64_t>(static_cast<uint32_t>(token)) * 0x9E3779B97F4A7C15u) >> shift_);
  }

  void allocate(size_t capacity) {
    if (capacity == 0) return;
    const size_t n_slots = std::bit_ceil(2 * capacity);
    ring_.resize(capacity);
    seen_.resize(capacity);
    slots_.assign(n_slots, 0u);
    shift_ = 64 - std::countr_zero(n_slots);
  }

  void count(int32_t token) noexcept {
    size_t s = home(token);
    for (; slots_[s] != 0; s = (s + 1) & mask()) {
      if (seen_[slots_[s] - 1].token == token) {
        ++seen_[slots_[s] - 1].count;
        return;
      }
    }
    seen_[n_seen_] = {token, 1};
    slots_[s] = static_cast<uint32_t>(++n_seen_);
  }

  void forget(int32_t token) noexcept {
    size_t hole = slot_of(token);
    const size_t index = slots_[hole] - 1;
    if (--seen_[index].count > 0) return;
    // The last of the list takes the freed place.
    const size_t last = n_seen_ - 1;
    if (index != last) {
      slots_[slot_of(seen_[last].token)] = static_cast<uint32_t>(index + 1);
      seen_[index] = seen_[last];
    }
    n_seen_ = last;
    // Later entries of the same run move up, so that no search meets a gap before its token.
    for (size_t s = (hole + 1) & mask(); slots_[s] != 0; s = (s + 1) & mask()) {
      const size_t h = home(seen_[slots_[s] - 1].token);
      if (((s - h) & mask()) < ((s - hole) & mask())) continue;
      slots_[hole] = slots_[s];
      hole = s;
    }
    slots_[hole] = 0;
  }

  size_t slot_of(int32_t token) const noexcept {
    size_t s = home(token);
    while (seen_[slots_[s] - 1].token != token) s = (s + 1) & mask();
    return s;
  }

  size_t length_;
  size_t size_ = 0;
  size_t head_ = 0;  // where the next token goes
  size_t n_seen_ = 0;
  int shift_ = 63;
  std::vector<int32_t> ring_;
  std::vector<Seen> seen_;
  std::vector<uint32_t> slots_;  // index into seen_ + 1; 0 = free
};

}  // namespace bankml
