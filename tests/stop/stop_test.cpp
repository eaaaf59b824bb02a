// Stop strings: any cut of a text into tokens against a slow reference that looks at the whole text, llama-server's own search over
// tokens written out, and what is held back, byte by byte.
#include "core/stop/stop_filter.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "core/base/status.h"
#include "core/base/utf8.h"

namespace bankml {
namespace {

using Strings = std::vector<std::string>;

std::shared_ptr<const StopStrings> make(const Strings& strings) {
  std::string bytes;
  std::vector<size_t> offsets{0};
  for (const std::string& s : strings) {
    bytes += s;
    offsets.push_back(bytes.size());
  }
  return StopStrings::make(reinterpret_cast<const uint8_t*>(bytes.data()), offsets.data(), strings.size());
}

struct Result {
  std::string text;
  int32_t matched = -1;
  bool operator==(const Result& other) const { return text == other.text && matched == other.matched; }
};

std::string feed(StopFilter& filter, const std::string& token) {
  std::string out(filter.held() + token.size(), '?');
  out.resize(filter.feed(reinterpret_cast<const uint8_t*>(token.data()), token.size(), reinterpret_cast<uint8_t*>(out.data())));
  return out;
}

std::string flush(StopFilter& filter) {
  std::string out(filter.held(), '?');
  out.resize(filter.flush(reinterpret_cast<uint8_t*>(out.data())));
  return out;
}

Result run(StopFilter& filter, const Strings& tokens) {
  Result result;
  for (const std::string& token : tokens) {
    result.text += feed(filter, token);
    result.matched = filter.matched();
  }
  result.text += flush(filter);
  return result;
}

// The first place where a stop string ends; of those that end there, the longest, of equal ones the first.
Result whole_text(const std::string& text, const Strings& strings, bool include) {
  for (size_t end = 1; end <= text.size(); ++end) {
    int32_t best = -1;
    for (size_t i = 0; i < strings.size(); ++i) {
      const std::string& s = strings[i];
      if (s.size() > end || text.compare(end - s.size(), s.size(), s) != 0) continue;
      if (best < 0 || s.size() > strings[static_cast<size_t>(best)].size()) best = static_cast<int32_t>(i);
    }
    if (best >= 0) return {text.substr(0, include ? end : end - strings[static_cast<size_t>(best)].size()), best};
  }
  return {text, -1};
}

// What may be shown once `text` has been read and no stop string has matched: the longest beginning such that no stop string begun
// behind it may still be completed, and no character goes on behind it.
size_t shown(const std::string& text, const Strings& strings) {
  size_t at = text.size();
  for (size_t start = 0; start < text.size() && at == text.size(); ++start) {
    for (const std::string& s : strings) {
      if (s.compare(0, text.size() - start, text, start, std::string::npos) == 0) at = start;
    }
  }
  for (size_t start = 0; start < at;) {
    const Utf8Begun begun = utf8_begun(text, start);
    const size_t length = std::max<size_t>(begun.length, 1);
    const bool whole_or_open = begun.length == begun.needed || start + length == text.size();
    if (begun.length > 0 && whole_or_open && start + begun.needed > at) return start;
    start += length;
  }
  return at;
}

// llama-server's way: behind each token, of the stop strings in the text not yet sent, the one that begins first. Text that ends
// inside a character is not looked at there; the alphabet of the callers has none such.
Result by_tokens(const Strings& tokens, const Strings& strings) {
  std::string text;
  for (const std::string& token : tokens) {
    text += token;
    size_t stop = std::string::npos;
    int32_t which = -1;
    for (size_t i = 0; i < strings.size(); ++i) {
      const size_t window = strings[i].size() + token.size();
      const size_t found = text.find(strings[i], text.size() > window ? text.size() - window : 0);
      if (found != std::string::npos && (stop == std::string::npos || found < stop)) {
        stop = found;
        which = static_cast<int32_t>(i);
      }
    }
    if (which >= 0) return {text.substr(0, stop), which};
  }
  return {text, -1};
}

class Random {
 public:
  size_t below(size_t n) { return std::uniform_int_distribution<size_t>(0, n - 1)(engine_); }
  std::string text(const std::string& alphabet, size_t size) {
    std::string made;
    for (size_t i = 0; i < size; ++i) made += alphabet[below(alphabet.size())];
    return made;
  }
  Strings cut(const std::string& text, size_t longest) {
    Strings tokens;
    for (size_t at = 0; at < text.size();) {
      const size_t n = below(longest + 1);
      tokens.push_back(text.substr(at, n));
      at += tokens.back().size();
    }
    return tokens;
  }

 private:
  std::mt19937 engine_{1};
};

TEST(Stop, AnyCutGivesTheWholeTextsResult) {
  // Few letters, so that strings overlap; bytes of characters, whole and damaged.
  const std::string alphabets[] = {"ab", "abc", std::string("\xE2\x82\xAC") + "a", std::string("\xF0\x9F\x98\x80\xC3\xA9") + "a",
                                   std::string("\0\xFF\x80\xC2", 4)};
  Random random;
  size_t matches = 0;
  for (int round = 0; round < 20000; ++round) {
    const std::string& alphabet = alphabets[random.below(std::size(alphabets))];
    Strings strings;
    for (size_t n = random.below(5); n > 0; --n) strings.push_back(random.text(alphabet, 1 + random.below(5)));
    const std::string text = random.text(alphabet, random.below(20));
    const bool include = random.below(2) == 1;
    const Result expected = whole_text(text, strings, include);
    matches += expected.matched >= 0 ? 1 : 0;
    StopFilter filter(make(strings), {include, false});
    for (int cut = 0; cut < 4; ++cut) {
      const Result result = run(filter, random.cut(text, 1 + random.below(6)));
      ASSERT_EQ(result.text, expected.text) << round;
      ASSERT_EQ(result.matched, expected.matched) << round;
    }
  }
  EXPECT_GT(matches, 5000u);
}

TEST(Stop, WhatIsShownDependsOnTheTextAlone) {
  const std::string alphabets[] = {"ab", std::string("\xE2\x82\xAC") + "a", std::string("\xF0\x9F\x98\x80\xC3\xA9\xED\xA0") + "ab"};
  Random random;
  for (int round = 0; round < 20000; ++round) {
    const std::string& alphabet = alphabets[random.below(std::size(alphabets))];
    Strings strings;
    for (size_t n = random.below(4); n > 0; --n) strings.push_back(random.text(alphabet, 1 + random.below(6)));
    const std::string text = random.text(alphabet, random.below(16));
    StopFilter filter(make(strings), {});
    std::string out, read;
    for (const std::string& token : random.cut(text, 3)) {
      out += feed(filter, token);
      read += token;
      if (filter.matched() >= 0) break;
      ASSERT_EQ(out, read.substr(0, shown(read, strings))) << round;
      ASSERT_EQ(filter.held(), read.size() - out.size());
    }
  }
}

TEST(Stop, ByTokenIsLlamaServersChoice) {
  Random random;
  size_t differ = 0;
  for (int round = 0; round < 50000; ++round) {
    Strings strings;
    for (size_t n = random.below(5); n > 0; --n) strings.push_back(random.text("abc", 1 + random.below(4)));
    const Strings tokens = random.cut(random.text("abc", random.below(20)), 5);
    StopFilter by_token(make(strings), {false, true}), by_text(make(strings), {});
    const Result result = run(by_token, tokens), expected = by_tokens(tokens, strings);
    ASSERT_EQ(result.text, expected.text) << round;
    ASSERT_EQ(result.matched, expected.matched) << round;
    differ += result == run(by_text, tokens) ? 0 : 1;
    // Tokens of one byte: one result for both.
    Strings bytes;
    for (const std::string& token : tokens) {
      for (const char c : token) bytes.emplace_back(1, c);
    }
    const Result first = run(by_text, bytes), second = by_tokens(bytes, strings);
    ASSERT_EQ(first.text, second.text);
    ASSERT_EQ(first.matched, second.matched);
  }
  EXPECT_GT(differ, 100u);  // the option is not idle
}

TEST(Stop, OverTokenBorders) {
  StopFilter filter(make({"END"}), {});
  EXPECT_EQ(feed(filter, "a E"), "a ");
  EXPECT_EQ(filter.held(), 1u);
  EXPECT_EQ(feed(filter, "ND b"), "");
  EXPECT_EQ(filter.matched(), 0);
  EXPECT_EQ(feed(filter, "more"), "");
  EXPECT_EQ(filter.matched(), 0);
  EXPECT_EQ(flush(filter), "");
  EXPECT_EQ(filter.matched(), -1);
  EXPECT_EQ(feed(filter, "E"), "");
  EXPECT_EQ(feed(filter, "EN"), "E");
  EXPECT_EQ(feed(filter, ""), "");
  EXPECT_EQ(feed(filter, "d"), "ENd");
  EXPECT_EQ(feed(filter, "EN"), "");
  EXPECT_EQ(flush(filter), "EN");
}

TEST(Stop, PrefixesAndDuplicates) {
  StopFilter prefix(make({"abc", "ab"}), {});
  EXPECT_EQ(run(prefix, {"xabc"}), (Result{"x", 1}));
  StopFilter prefix_by_token(make({"abc", "ab"}), {false, true});
  EXPECT_EQ(run(prefix_by_token, {"xabc"}), (Result{"x", 0}));
  StopFilter inside(make({"c", "bcd"}), {});
  EXPECT_EQ(run(inside, {"abcd"}), (Result{"ab", 0}));
  StopFilter inside_by_token(make({"c", "bcd"}), {false, true});
  EXPECT_EQ(run(inside_by_token, {"abcd"}), (Result{"a", 1}));
  StopFilter twice(make({"x", "ab", "ab"}), {true, false});
  EXPECT_EQ(run(twice, {"1a", "b2"}), (Result{"1ab", 1}));
  StopFilter suffix(make({"b", "ab"}), {});
  EXPECT_EQ(run(suffix, {"1ab"}), (Result{"1", 1}));
}

TEST(Stop, CharactersAreHeldBackUntilWhole) {
  StopFilter filter(make({}), {});
  EXPECT_EQ(feed(filter, "a\xF0\x9F"), "a");
  EXPECT_EQ(feed(filter, "\x98"), "");
  EXPECT_EQ(feed(filter, "\x80z"), "\xF0\x9F\x98\x80z");
  // Damaged: as soon as no character can become of it.
  EXPECT_EQ(feed(filter, "\xE2\x82"), "");
  EXPECT_EQ(feed(filter, "a"),
            "\xE2\x82"
            "a");
  EXPECT_EQ(feed(filter, "\xE2\x82\xE2"), "\xE2\x82");
  EXPECT_EQ(feed(filter, "\x82\xAC\x80"), "\xE2\x82\xAC\x80");
  EXPECT_EQ(feed(filter, "\xED\xA0"), "\xED\xA0");
  EXPECT_EQ(feed(filter, "\xC3"), "");
  EXPECT_EQ(flush(filter), "\xC3");
  // A stop string that begins inside a character holds the whole character back.
  StopFilter tail(make({"\xA9X"}), {});
  EXPECT_EQ(feed(tail, "a\xC3\xA9"), "a");
  EXPECT_EQ(feed(tail, "Y"), "\xC3\xA9Y");
}

TEST(Stop, ACopyGoesItsOwnWay) {
  StopFilter filter(make({"stop"}), {});
  EXPECT_EQ(feed(filter, "1st"), "1");
  StopFilter copy = filter;
  EXPECT_EQ(feed(copy, "op"), "");
  EXPECT_EQ(copy.matched(), 0);
  EXPECT_EQ(feed(filter, "ay"), "stay");
  EXPECT_EQ(filter.matched(), -1);
  filter.reset();
  EXPECT_EQ(feed(filter, "op"), "op");
}

Status refused(const Strings& strings) {
  try {
    make(strings);
  } catch (const Failure& failure) {
    return failure.status();
  }
  return Status::ok;
}

TEST(Stop, Refusals) {
  EXPECT_EQ(refused({"a", ""}), Status::arg);
  EXPECT_EQ(refused({std::string(StopStrings::max_bytes, 'a')}), Status::ok);
  EXPECT_EQ(refused({std::string(StopStrings::max_bytes, 'a'), "b"}), Status::limit);
  EXPECT_EQ(refused(Strings(StopStrings::max_count, "a")), Status::ok);
  EXPECT_EQ(refused(Strings(StopStrings::max_count + 1, "a")), Status::limit);
  const uint8_t byte = 'a';
  const size_t falling[] = {1, 0};
  EXPECT_THROW(StopStrings::make(&byte, falling, 1), Failure);
  EXPECT_THROW(StopStrings::make(&byte, nullptr, 1), Failure);
  EXPECT_THROW(StopStrings::make(nullptr, falling + 0, 1), Failure);
}

}  // namespace
}  // namespace bankml
