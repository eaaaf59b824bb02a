// One scan finds, for every string, the tokens that hold it or end with its start; the tails it leaves are few and short, so what
// depends on the host's answers is cheap and cached apart.
// Tested by tests/vocab/breakers_test.cpp
#include "core/vocab/breakers.h"

#include <algorithm>
#include <array>
#include <mutex>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "core/base/status.h"
#include "core/vocab/breaker_cache.h"

namespace bankml {

namespace breakers_detail {

std::vector<std::string> cut(const std::vector<std::string>& strings) {
  std::vector<std::string> out;
  for (const std::string& string : strings) {
    std::string kept = string.substr(0, std::min(string.find('\0'), breaker_max_bytes));
    if (!kept.empty()) out.push_back(std::move(kept));
  }
  return out;
}

BreakerScan scan(const Vocab& vocab, const std::vector<std::string>& strings) {
  struct Found {
    int32_t head;
    uint32_t string;
    uint32_t used;  // bytes of the string that the token covers
  };
  std::vector<Found> found;
  std::vector<std::array<bool, breaker_max_bytes + 1>> used(strings.size());
  for (auto& flags : used) flags.fill(false);

  std::array<bool, 256> starts{};
  for (const std::string& string : strings) starts[static_cast<unsigned char>(string[0])] = true;
  for (int32_t token = 0; vocab.contains(token); ++token) {
    const std::string text = vocab.breaker_text(token);
    const bool maybe = std::any_of(text.begin(), text.end(), [&](char c) { return starts[static_cast<unsigned char>(c)]; });
    if (!maybe) continue;
    for (uint32_t s = 0; s < strings.size(); ++s) {
      const std::string_view string = strings[s];
      if (text.find(string) != std::string::npos) {
        found.push_back({token, s, static_cast<uint32_t>(string.size())});
        continue;
      }
      // The text does not hold the string, so where it goes on as the string does, it ends first: the rest is never empty.
      for (size_t at = text.find(string[0]); at != std::string::npos; at = text.find(string[0], at + 1)) {
        const std::string_view end = std::string_view(text).substr(at);
        if (end.size() >= string.size() || string.substr(0, end.size()) != end) continue;
        found.push_back({token, s, static_cast<uint32_t>(end.size())});
        used[s][end.size()] = true;
      }
    }
  }

  BreakerScan result;
  std::unordered_map<std::string, uint32_t> places;  // of each tail in the list
  std::vector<std::array<uint32_t, breaker_max_bytes + 1>> index(strings.size());
  for (size_t s = 0; s < strings.size(); ++s) {
    index[s].fill(BreakerScan::no_tail);
    for (size_t i = 1; i < strings[s].size(); ++i) {
      if (!used[s][i]) continue;
      const std::string tail = strings[s].substr(i);
      const auto [known, is_new] = places.emplace(tail, static_cast<uint32_t>(result.tails.size()));
      index[s][i] = known->second;
      if (is_new) result.tails.push_back(tail);
    }
  }
  result.hits.reserve(found.size());
  for (const Found& f : found) result.hits.push_back({f.head, index[f.string][f.used]});
  return result;
}

// The entry of a list, scanned now if it is new. The cache is locked by the caller.
BreakerCache::Entry& entry(const Vocab& vocab, BreakerCache& cache, std::vector<std::string> strings) {
  const auto known = std::find_if(cache.entries.begin(), cache.entries.end(), [&](const auto& e) { return e->strings == strings; });
  if (known != cache.entries.end()) {
    std::rotate(known, known + 1, cache.entries.end());
    return *cache.entries.back();
  }
  auto made = std::make_unique<BreakerCache::Entry>();
  made->scan = scan(vocab, strings);
  made->strings = std::move(strings);
  ++cache.scans;
  if (cache.entries.size() == BreakerCache::max_lists) cache.entries.erase(cache.entries.begin());
  cache.entries.push_back(std::move(made));
  return *cache.entries.back();
}

bool is_open(const Vocab& vocab, const std::string& tail, const TextTokens& answers) {
  return !vocab.has_tokenizer() && answers.find(tail) == answers.end();
}

std::vector<int32_t> tokens_of(const Vocab& vocab, const std::string& tail, const TextTokens& answers) {
  std::vector<int32_t> tokens;
  if (vocab.has_tokenizer()) {
    tokens = vocab.tokenize(tail);
  } else {
    const auto answer = answers.find(tail);
    if (answer == answers.end())
      throw Failure(Status::open_text, "dry_sequence_breakers: the text '" + tail + "' needs its tokens");
    tokens = answer->second;
    for (const int32_t token : tokens) {
      if (vocab.contains(token)) continue;
      throw Failure(Status::token, "dry_sequence_breakers: token " + std::to_string(token) + ", given for the text '" + tail +
                                       "', is outside the vocabulary of " + std::to_string(vocab.size()));
    }
  }
  if (tokens.size() > breaker_max_tail) tokens.resize(breaker_max_tail);
  return tokens;
}

std::vector<Breaker> list(const BreakerScan& scan, const std::vector<std::vector<int32_t>>& tail_tokens) {
  std::vector<Breaker> out;
  out.reserve(scan.hits.size());
  for (const BreakerScan::Hit& hit : scan.hits) {
    out.push_back({hit.head, hit.tail == BreakerScan::no_tail ? std::vector<int32_t>() : tail_tokens[hit.tail]});
  }
  // Equal elements are dropped, so the algorithm behind sort cannot show.
  std::sort(out.begin(), out.end(),
            [](const Breaker& a, const Breaker& b) { return a.head < b.head || (a.head == b.head && a.tail < b.tail); });
  out.erase(
      std::unique(out.begin(), out.end(), [](const Breaker& a, const Breaker& b) { return a.head == b.head && a.tail == b.tail; }),
      out.end());
  return out;
}

}  // namespace breakers_detail

std::vector<std::string> open_breaker_tails(const Vocab& vocab, const std::vector<std::string>& strings,
                                            const TextTokens& answers) {
  std::vector<std::string> open;
  if (vocab.has_tokenizer()) return open;
  BreakerCache& cache = vocab.breaker_cache();
  const std::lock_guard<std::mutex> lock(cache.mutex);
  for (const std::string& tail : breakers_detail::entry(vocab, cache, breakers_detail::cut(strings)).scan.tails) {
    if (breakers_detail::is_open(vocab, tail, answers)) open.push_back(tail);
  }
  return open;
}

std::shared_ptr<const void> prepare_breakers(const Vocab& vocab, const std::vector<std::string>& strings, const TextTokens& answers,
                                             const BuildBreakers& build) {
  BreakerCache& cache = vocab.breaker_cache();
  const std::lock_guard<std::mutex> lock(cache.mutex);
  BreakerCache::Entry& entry = breakers_detail::entry(vocab, cache, breakers_detail::cut(strings));
  std::vector<std::vector<int32_t>> tail_tokens;
  for (const std::string& tail : entry.scan.tails) tail_tokens.push_back(breakers_detail::tokens_of(vocab, tail, answers));
  for (const BreakerCache::Form& form : entry.forms) {
    if (form.tail_tokens == tail_tokens) return form.form;
  }
  std::shared_ptr<const void> made = build(breakers_detail::list(entry.scan, tail_tokens));
  if (entry.forms.size() == BreakerCache::max_forms) entry.forms.erase(entry.forms.begin());
  entry.forms.push_back({std::move(tail_tokens), made});
  return made;
}

}  // namespace bankml
