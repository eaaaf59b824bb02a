// Score merges with a priority queue of neighbouring pairs. A merge leaves outdated pairs in the queue; they are recognised when
// they come up, by the length they were made for. The queue's order (score, then position) is total over pairs that are still
// valid, so no property of a particular heap decides a token. Tested by tests/vocab/spm_tokenizer_test.cpp
#include "core/vocab/spm_tokenizer.h"

#include <algorithm>
#include <bit>
#include <queue>
#include <utility>

#include "core/base/status.h"

namespace bankml {

namespace spm_detail {

constexpr std::string_view space_mark = "\xE2\x96\x81";  // U+2581

uint64_t hash(std::string_view text) noexcept {
  uint64_t value = 0xCBF29CE484222325u;
  for (const char c : text) value = (value ^ static_cast<unsigned char>(c)) * 0x100000001B3u;
  return value ^ value >> 32;
}

// Bytes of a character by its lead byte alone; a stray continuation byte stands for itself.
size_t character_bytes(char lead) noexcept {
  const unsigned char byte = static_cast<unsigned char>(lead);
  if (byte < 0xC0) return 1;
  if (byte < 0xE0) return 2;
  return byte < 0xF0 ? 3 : 4;
}

bool is_space(char c) noexcept { return c == ' ' || (c >= '\t' && c <= '\r'); }

struct Symbol {
  size_t begin;
  size_t length;  // 0: merged into its left neighbour
  ptrdiff_t previous;
  ptrdiff_t next;
};

struct Pair {
  float score;
  ptrdiff_t left;
  ptrdiff_t right;
  size_t length;

  bool operator<(const Pair& other) const noexcept { return score < other.score || (score == other.score && left > other.left); }
};

}  // namespace spm_detail

SpmTokenizer::SpmTokenizer(const std::vector<std::string_view>& texts, std::vector<float> scores, std::vector<int32_t> user_defined,
                           Rules rules)
    : scores_(std::move(scores)), user_defined_(std::move(user_defined)), rules_(rules) {
  size_t total = 0;
  for (const std::string_view text : texts) total += text.size();
  bytes_.reserve(total);
  offsets_.reserve(texts.size() + 1);
  offsets_.push_back(0);
  slots_.assign(std::bit_ceil(texts.size() * 2 + 1), -1);
  const size_t mask = slots_.size() - 1;
  for (size_t i = 0; i < texts.size(); ++i) {
    bytes_ += texts[i];
    offsets_.push_back(static_cast<uint32_t>(bytes_.size()));
    size_t slot = static_cast<size_t>(spm_detail::hash(texts[i])) & mask;
    while (slots_[slot] >= 0 && text(slots_[slot]) != texts[i]) slot = (slot + 1) & mask;
    slots_[slot] = static_cast<int32_t>(i);
  }
  std::stable_sort(user_defined_.begin(), user_defined_.end(),
                   [this](int32_t a, int32_t b) { return text(a).size() > text(b).size(); });
}

std::string_view SpmTokenizer::text(int32_t token) const noexcept {
  const size_t i = static_cast<size_t>(token);
  return std::string_view(bytes_).substr(offsets_[i], offsets_[i + 1] - offsets_[i]);
}

int32_t SpmTokenizer::find(std::string_view wanted) const noexcept {
  const size_t mask = slots_.size() - 1;
  for (size_t slot = static_cast<size_t>(spm_detail::hash(wanted)) & mask; slots_[slot] >= 0; slot = (slot + 1) & mask) {
    if (text(slots_[slot]) == wanted) return slots_[slot];
  }
  return -1;
}

size_t SpmTokenizer::bytes() const noexcept {
  return sizeof *this + bytes_.capacity() + offsets_.capacity() * sizeof(uint32_t) + scores_.capacity() * sizeof(float) +
         (slots_.capacity() + user_defined_.capacity()) * sizeof(int32_t);
}

std::vector<SpmTokenizer::Part> SpmTokenizer::cut_out_user_defined(std::string_view whole) const {
  std::vector<Part> parts{{-1, 0, whole.size()}};
  for (const int32_t token : user_defined_) {
    const std::string_view wanted = text(token);
    if (wanted.empty() || whole.find(wanted) == std::string_view::npos) continue;
    std::vector<Part> cut;
    for (const Part& part : parts) {
      if (part.token >= 0) {
        cut.push_back(part);
        continue;
      }
      size_t begin = part.begin;
      for (;;) {
        const size_t match = whole.substr(0, part.end).find(wanted, begin);
        if (match == std::string_view::npos) break;
        if (match > begin) cut.push_back({-1, begin, match});
        cut.push_back({token, match, match + wanted.size()});
        begin = match + wanted.size();
        while (rules_.drop_space_after_user_defined && begin < part.end && spm_detail::is_space(whole[begin])) ++begin;
      }
      if (begin < part.end) cut.push_back({-1, begin, part.end});
    }
    parts = std::move(cut);
  }
  return parts;
}

std::vector<int32_t> SpmTokenizer::tokenize(std::string_view whole) const {
  std::vector<int32_t> out;
  if (whole.empty()) return out;
  bool prefix_is_due = true;
  for (const Part& part : cut_out_user_defined(whole)) {
    if (part.token >= 0) {
      out.push_back(part.token);
      prefix_is_due = true;
      continue;
    }
    std::string marked;
    if (rules_.add_space_prefix && prefix_is_due) marked += spm_detail::space_mark;
    for (const char c : whole.substr(part.begin, part.end - part.begin)) {
      if (c == ' ') {
        marked += spm_detail::space_mark;
      } else {
        marked.push_back(c);
      }
    }
    merge(marked, out);
    prefix_is_due = false;
  }
  return out;
}

void SpmTokenizer::merge(std::string_view whole, std::vector<int32_t>& out) const {
  using spm_detail::Pair;
  using spm_detail::Symbol;
  std::vector<Symbol> symbols;
  for (size_t at = 0; at < whole.size();) {
    const size_t length = std::min(spm_detail::character_bytes(whole[at]), whole.size() - at);
    const ptrdiff_t index = static_cast<ptrdiff_t>(symbols.size());
    symbols.push_back({at, length, index - 1, index + 1});
    at += length;
  }
  if (symbols.empty()) return;
  symbols.back().next = -1;

  const auto symbol = [&](ptrdiff_t i) -> Symbol& { return symbols[static_cast<size_t>(i)]; };
  std::priority_queue<Pair> queue;
  const auto offer = [&](ptrdiff_t left, ptrdiff_t right) {
    if (left < 0 || right < 0) return;
    const size_t length = symbol(left).length + symbol(right).length;
    const int32_t token = find(whole.substr(symbol(left).begin, length));
    if (token >= 0) queue.push({scores_[static_cast<size_t>(token)], left, right, length});
  };
  for (ptrdiff_t i = 1; i < static_cast<ptrdiff_t>(symbols.size()); ++i) offer(i - 1, i);
  while (!queue.empty()) {
    const Pair pair = queue.top();
    queue.pop();
    Symbol& left = symbol(pair.left);
    Symbol& right = symbol(pair.right);
    if (left.length == 0 || right.length == 0 || left.length + right.length != pair.length) continue;
    left.length = pair.length;
    right.length = 0;
    left.next = right.next;
    if (left.next >= 0) symbol(left.next).previous = pair.left;
    offer(left.previous, pair.left);
    offer(pair.left, left.next);
  }
  for (ptrdiff_t i = 0; i >= 0; i = symbol(i).next) {
    const std::string_view piece = whole.substr(symbol(i).begin, symbol(i).length);
    const int32_t token = find(piece);
    if (token >= 0) {
      out.push_back(token);
    } else {
      push_bytes(piece, out);
    }
  }
}

void SpmTokenizer::push_bytes(std::string_view piece, std::vector<int32_t>& out) const {
  constexpr char hex[] = "0123456789ABCDEF";
  for (const char c : piece) {
    const unsigned char byte = static_cast<unsigned char>(c);
    const char name[] = {'<', '0', 'x', hex[byte >> 4], hex[byte & 15], '>'};
    int32_t token = find(std::string_view(name, sizeof name));
    if (token < 0) token = find(std::string_view(&c, 1));
    if (token < 0)
      throw Failure(Status::arg, "the vocabulary has no token for the byte " + std::string(name + 1, 4) + " of a text");
    out.push_back(token);
  }
}

}  // namespace bankml
