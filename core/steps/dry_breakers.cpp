// The lookup of DRY's breakers: see dry_breakers.h.
//
// Tested by tests/steps/dry_breakers.cpp
#include "core/steps/dry_breakers.h"

#include <algorithm>

namespace bankml {

void DryBreakers::add(int32_t head, const std::vector<int32_t>& tail) {
  entries_.push_back({head, static_cast<uint32_t>(tail.size()), tokens_.size()});
  tokens_.insert(tokens_.end(), tail.begin(), tail.end());
}

void DryBreakers::order() {
  std::stable_sort(entries_.begin(), entries_.end(),
                   [](const Entry& a, const Entry& b) { return a.head != b.head ? a.head < b.head : a.length > b.length; });
  const size_t n_ids = entries_.empty() ? 0 : static_cast<size_t>(entries_.back().head) + 1;
  heads_.resize((n_ids + 63) / 64);
  singles_.resize((n_ids + 63) / 64);
  for (const Entry& e : entries_) {
    const uint64_t flag = uint64_t{1} << (e.head & 63);
    heads_[static_cast<size_t>(e.head) >> 6] |= flag;
    if (e.length == 0) singles_[static_cast<size_t>(e.head) >> 6] |= flag;
  }
}

size_t DryBreakers::longest_tail(const int32_t* t, size_t i) const noexcept {
  auto entry = std::lower_bound(entries_.begin(), entries_.end(), t[i], [](const Entry& e, int32_t head) { return e.head < head; });
  for (; entry != entries_.end() && entry->head == t[i]; ++entry) {
    if (entry->length > i) continue;
    const int32_t* tail = tokens_.data() + entry->offset;
    size_t matched = 0;
    while (matched < entry->length && tail[matched] == t[i - 1 - matched]) ++matched;
    if (matched == entry->length) return matched;
  }
  return no_match;
}

}  // namespace bankml
