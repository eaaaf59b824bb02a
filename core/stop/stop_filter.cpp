// What may be shown of a text: see stop_filter.h.
// Tested by tests/stop/stop_test.cpp
#include "core/stop/stop_filter.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "core/base/utf8.h"

namespace bankml {

namespace stop_filter_detail {

constexpr size_t max_open = 3;  // bytes of a character that is not whole

// text[0 .. at) without the beginning of a character that goes on at `at`, or may go on where the text ends.
size_t character_border(std::string_view text, size_t at) noexcept {
  for (size_t back = 1; back <= std::min(max_open, at); ++back) {
    const auto byte = static_cast<unsigned char>(text[at - back]);
    if ((byte & 0xC0) == 0x80) continue;
    const Utf8Begun begun = utf8_begun(text, at - back);
    const bool whole = begun.length == begun.needed;
    const bool may_become = at - back + begun.length == text.size();
    return begun.needed > back && begun.length >= back && (whole || may_become) ? at - back : at;
  }
  return at;
}

}  // namespace stop_filter_detail

StopFilter::StopFilter(std::shared_ptr<const StopStrings> strings, StopOptions options)
    : strings_(std::move(strings)),
      options_(options),
      text_(std::max<size_t>(strings_->longest(), 1) - 1 + stop_filter_detail::max_open) {}

size_t StopFilter::feed(const uint8_t* bytes, size_t n, uint8_t* out) noexcept {
  if (matched_ >= 0) return 0;
  std::copy_n(text_.data(), held_, out);
  std::copy_n(bytes, n, out + held_);
  const size_t size = held_ + n;

  size_t start = 0, end = 0;  // of the stop string
  uint32_t node = node_;
  for (size_t at = held_; at < size; ++at) {
    node = strings_->step(node, out[at]);
    const int32_t match = strings_->match(node);
    if (match < 0) continue;
    const size_t begins = at + 1 - strings_->length(match);
    if (matched_ < 0 || begins < start || (begins == start && match < matched_)) {
      matched_ = match;
      start = begins;
      end = at + 1;
    }
    if (!options_.by_token) break;
  }
  if (matched_ >= 0) {
    held_ = 0;
    return options_.include ? end : start;
  }
  node_ = node;
  const std::string_view text(reinterpret_cast<const char*>(out), size);
  const size_t shown = stop_filter_detail::character_border(text, size - strings_->pending(node));
  held_ = size - shown;
  std::copy_n(out + shown, held_, text_.data());
  return shown;
}

size_t StopFilter::flush(uint8_t* out) noexcept {
  const size_t shown = held_;
  std::copy_n(text_.data(), held_, out);
  reset();
  return shown;
}

void StopFilter::reset() noexcept {
  held_ = 0;
  node_ = 0;
  matched_ = -1;
}

}  // namespace bankml
