// Random patterns and texts over a few letters, with everything the engine knows. Small: std::regex tries ways one by one.
#pragma once

#include <random>
#include <string>

namespace bankml::patterns {

inline std::string random_pattern(std::mt19937& dice, int depth = 3) {
  static const char* const atoms[] = {"a",    "b",   "c",     "a",       "b",     "ab",     ".",           "\\w",    "\\W",
                                      "\\d",  "\\s", "[ab]",  "[^a]",    "[a-c]", "[^\\w]", "[\\d-]",      "[-b]",   "[b-]",
                                      "[]",   "[^]", "\\x61", "\\u0062", "\\n",   "\\.",    "[[:alpha:]]", "[^\\D]", "_",
                                      "\\cb", "}",   "]",     "[\\b-a]", "1",     "[[a]"};
  static const char* const conditions[] = {"^", "$", "\\b", "\\B"};
  static const char* const quantifiers[] = {"*",     "+",    "?",      "*?",  "+?",    "??", "{2}",
                                            "{0,2}", "{1,}", "{1,2}?", "{0}", "{0,}?", "+*", "?+"};
  std::string out;
  const unsigned ways = dice() % 4 == 0 ? 2 : 1;
  for (unsigned w = 0; w < ways; ++w) {
    if (w > 0) out += "|";
    const unsigned parts = dice() % 4;
    for (unsigned p = 0; p < parts; ++p) {
      if (dice() % 10 == 0) {
        out += conditions[dice() % 4];
        continue;
      }
      if (depth > 0 && dice() % 2 == 0) {
        out += (dice() % 3 == 0 ? "(?:" : "(") + random_pattern(dice, depth - 1) + ")";
      } else {
        out += atoms[dice() % (sizeof atoms / sizeof *atoms)];
      }
      if (dice() % 2 == 0) out += quantifiers[dice() % (sizeof quantifiers / sizeof *quantifiers)];
    }
  }
  return out;
}

// Quantifiers in a pattern; the ways that std::regex tries may double with each.
inline int loops_of(const std::string& pattern) {
  int n = 0;
  for (const char c : pattern) n += c == '*' || c == '+' || c == '{' || c == '?' ? 1 : 0;
  return n;
}

inline std::string random_text(std::mt19937& dice, unsigned most) {
  static const char letters[] = "aaaabbbbccab1_ \n.\r-\xC3";
  std::string out;
  for (auto n = dice() % (most + 1); n > 0; --n) out.push_back(letters[dice() % (sizeof letters - 1)]);
  return out;
}

}  // namespace bankml::patterns
