// Tested by tests/vocab/char_trie.cpp
#include "core/vocab/char_tables.h"

#include <algorithm>
#include <utility>

#include "core/vocab/vocab.h"

namespace bankml {
namespace char_tables {

constexpr size_t place_bytes = 256;  // of a place and its entries in the tables, about

}  // namespace char_tables

CharTables::CharTables(const Vocab& vocab, Decoding decoding)
    : trie_(CharTrie::of_pieces(vocab, decoding)), words_((vocab.size() + 31) / 32) {
  for (int32_t token = 0; token < static_cast<int32_t>(vocab.size()); ++token) {
    const std::string_view piece = vocab.piece(token);
    longest_ = std::max(longest_, static_cast<uint32_t>(piece.size()));
    if (!piece.empty() && (static_cast<uint8_t>(piece[0]) & 0xC0) == 0x80 && !vocab.is_eog(token)) continuations_.push_back(token);
  }
  for (int32_t token = 0; token < static_cast<int32_t>(vocab.size()); ++token) {
    if (!vocab.piece(token).empty()) by_length_.push_back(token);
  }
  const auto length = [&](int32_t token) { return vocab.piece(token).size(); };
  std::stable_sort(by_length_.begin(), by_length_.end(), [&](int32_t a, int32_t b) { return length(a) > length(b); });
  by_length_.shrink_to_fit();
  longer_than_.resize(longest_ + 1);
  for (const int32_t token : by_length_) ++longer_than_[length(token) - 1];
  for (size_t count = longest_; count-- > 0;) longer_than_[count] += longer_than_[count + 1];
}

std::span<const int32_t> CharTables::longer_than(uint32_t count) const noexcept {
  return {by_length_.data(), count < longest_ ? longer_than_[count] : 0};
}

std::shared_ptr<const Region> CharTables::region(const CharTrie& trie, const RegionPlace& place) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto known = regions_.find(place);
  if (known != regions_.end()) {
    ages_.splice(ages_.begin(), ages_, known->second.age);
    return known->second.region;
  }
  const std::shared_ptr<const Region> region = make_region(trie, place, words_, ++made_);
  const auto bytes_of = [](const std::shared_ptr<const Region>& r) {
    return char_tables::place_bytes + (r == nullptr ? 0 : r->bytes());
  };
  const auto at = regions_.emplace(place, Kept{region, {}}).first;
  ages_.push_front(&at->first);
  at->second.age = ages_.begin();
  region_bytes_ += bytes_of(region);
  while (region_bytes_ > max_region_bytes && ages_.size() > 1) {
    const auto oldest = regions_.find(*ages_.back());
    region_bytes_ -= bytes_of(oldest->second.region);
    ages_.pop_back();
    regions_.erase(oldest);
  }
  return region;
}

size_t CharTables::bytes() const noexcept {
  const std::lock_guard<std::mutex> lock(mutex_);
  return sizeof *this + trie_.bytes() + (continuations_.capacity() + by_length_.capacity() + longer_than_.capacity()) * 4 +
         region_bytes_;
}

}  // namespace bankml
