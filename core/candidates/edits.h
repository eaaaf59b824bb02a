// Logits that differ from the caller's row: a small map id -> logit with a fixed capacity, cleared in O(1), listed in id order.
//
// Capacity is chosen when the sampler is built (windows and biases bound it), so a draw never allocates. Open addressing with an
// epoch per slot; `sort` orders the list once all edits are in.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace bankml {

struct Edit {
  int32_t id;
  float logit;
};

class Edits {
 public:
  explicit Edits(size_t capacity = 0) { reserve(capacity); }

  void reserve(size_t capacity) {
    list_.reserve(capacity);
    slots_.assign(std::bit_ceil(2 * capacity + 2), Slot{});
    mask_ = slots_.size() - 1;
    clear();
  }

  void clear() noexcept {
    list_.clear();
    if (++epoch_ == 0) {
      std::fill(slots_.begin(), slots_.end(), Slot{});
      epoch_ = 1;
    }
  }

  // The value of `id`, inserted as `raw` if it is not there yet. Valid until the next insertion or sort. nullptr when full.
  float* at(int32_t id, float raw) noexcept {
    size_t i = slot_of(id);
    for (; slots_[i].epoch == epoch_; i = (i + 1) & mask_) {
      if (slots_[i].id == id) return &list_[slots_[i].index].logit;
    }
    if (list_.size() == list_.capacity()) return nullptr;
    slots_[i] = {epoch_, id, static_cast<uint32_t>(list_.size())};
    list_.push_back({id, raw});
    return &list_.back().logit;
  }

  // The value of `id`, or nullptr if it was not edited. Before sort only.
  const float* find(int32_t id) const noexcept {
    for (size_t i = slot_of(id); slots_[i].epoch == epoch_; i = (i + 1) & mask_) {
      if (slots_[i].id == id) return &list_[slots_[i].index].logit;
    }
    return nullptr;
  }

  // Orders the list by id; no at() or find() after it until the next clear().
  void sort() noexcept {
    // Distinct ids are a total order.
    std::sort(list_.begin(), list_.end(), [](const Edit& a, const Edit& b) { return a.id < b.id; });
  }

  const Edit* begin() const noexcept { return list_.data(); }
  const Edit* end() const noexcept { return list_.data() + list_.size(); }
  size_t size() const noexcept { return list_.size(); }
  size_t bytes() const noexcept { return list_.capacity() * sizeof(Edit) + slots_.size() * sizeof(Slot); }

 private:
  struct Slot {
    uint32_t epoch = 0;
    int32_t id = 0;
    uint32_t index = 0;
  };
  size_t slot_of(int32_t id) const noexcept {
    return static_cast<size_t>((static_cast<uint32_t>(id) * uint64_t{0x9E3779B97F4A7C15u}) >> 32) & mask_;
  }

  std::vector<Edit> list_;
  std::vector<Slot> slots_;
  size_t mask_ = 0;
  uint32_t epoch_ = 0;
};

}  // namespace bankml
