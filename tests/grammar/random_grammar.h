// Random GBNF over a few letters: every kind of item, groups, repetitions, recursion that may be refused.
#pragma once

#include <random>
#include <string>

namespace bankml::grammar {

inline std::string random_item(std::mt19937& dice, int depth, int rules) {
  static const char* const plain[] = {"\"a\"",      "\"b\"",
                                      "\"ab\"",     "\"c\"",
                                      "[ab]",       "[^a]",
                                      "[a-c]",      ".",
                                      "\"\"",       "[\\u00e0-\\u00e9]",
                                      "[^\\u20ac]", "\"\\u20ac\"",
                                      "\" \"",      "[\\u0300-\\uffff]",
                                      "<[97]>",     "!<[98]>",
                                      "<[257]>",    "[b\\n]",
                                      "\"abc\"",    "[^\\n]"};
  static const char* const operators[] = {"*", "+", "?", "{2}", "{1,2}", "{0,3}", "{2,}"};
  std::string out;
  const auto pick = dice() % 10;
  if (pick < 5 || (depth == 0 && pick < 7)) {
    out = plain[dice() % (sizeof plain / sizeof *plain)];
  } else if (pick < 8) {
    out = "r" + std::to_string(dice() % static_cast<unsigned>(rules));
  } else {
    out = "(";
    const auto alternatives = 1 + dice() % 3;
    for (unsigned a = 0; a < alternatives; ++a) {
      if (a > 0) out += " | ";
      const auto items = dice() % 3;
      for (unsigned i = 0; i < items; ++i) out += " " + random_item(dice, depth == 0 ? 0 : depth - 1, rules);
    }
    out += " )";
  }
  if (dice() % 4 == 0) out += operators[dice() % (sizeof operators / sizeof *operators)];
  return out;
}

inline std::string random_grammar(std::mt19937& dice) {
  const int rules = 1 + static_cast<int>(dice() % 4);
  std::string text = "root ::= r0\n";
  for (int r = 0; r < rules; ++r) {
    text += "r" + std::to_string(r) + " ::= ";
    const auto alternatives = 1 + dice() % 3;
    for (unsigned a = 0; a < alternatives; ++a) {
      if (a > 0) text += " | ";
      const auto items = 1 + dice() % 3;
      for (unsigned i = 0; i < items; ++i) text += random_item(dice, 1, rules) + " ";
    }
    text += "\n";
  }
  return text;
}

}  // namespace bankml::grammar
