// Our JSON reader against nlohmann-json: generated documents, and the same ones damaged. Both must accept and refuse the same texts
// and read the same values.
#include <gtest/gtest.h>

#include <cstdlib>
#include <random>
#include <string>

#include "tests/formats/json_compare.h"

namespace bankml {
namespace {

class Generator {
 public:
  explicit Generator(uint64_t seed) : random_(seed) {}

  size_t below(size_t n) { return static_cast<size_t>(random_() % n); }

  std::string space() {
    static const char* const spaces[] = {"", "", "", " ", "\n", "\t \r"};
    return spaces[below(6)];
  }

  std::string string() {
    static const char* const parts[] = {"a",
                                        "key",
                                        "\\n",
                                        "\\\"",
                                        "\\\\",
                                        "\\/",
                                        "\\u0041",
                                        "\\u00e9",
                                        "\\ud83d\\ude00",
                                        "\xC3\xA9",
                                        "\xE4\xB8\xAD",
                                        "\xF0\x9F\x98\x80",
                                        "\\u0000",
                                        " ",
                                        "\x7F",
                                        "0"};
    std::string out = "\"";
    for (size_t n = below(6); n > 0; --n) out += parts[below(16)];
    return out + "\"";
  }

  std::string number() {
    static const char* const edges[] = {"0",
                                        "-0",
                                        "-0.0",
                                        "1e308",
                                        "1e309",
                                        "-1e400",
                                        "1e-400",
                                        "4.9e-324",
                                        "2.5e-324",
                                        "18446744073709551615",
                                        "18446744073709551616",
                                        "-9223372036854775808",
                                        "-9223372036854775809",
                                        "1E+2",
                                        "1e-2",
                                        "0.1",
                                        "40.9",
                                        "179769313486231580793728971405303415e270",
                                        "0e99999999999"};
    if (below(3) == 0) return edges[below(19)];
    std::string out = below(2) == 0 ? "-" : "";
    out += static_cast<char>('1' + below(9));
    for (size_t n = below(22); n > 0; --n) out += static_cast<char>('0' + below(10));
    if (below(2) == 0) {
      out += '.';
      for (size_t n = 1 + below(20); n > 0; --n) out += static_cast<char>('0' + below(10));
    }
    if (below(3) == 0) out += "e" + std::to_string(static_cast<int>(below(640)) - 320);
    return out;
  }

  std::string value(size_t depth) {
    static const char* const words[] = {"true", "false", "null"};
    switch (depth == 0 ? below(3) : below(5)) {
      case 0:
        return words[below(3)];
      case 1:
        return number();
      case 2:
        return string();
      case 3: {
        std::string out = "[" + space();
        for (size_t i = 0, n = below(4); i < n; ++i) out += (i == 0 ? "" : ",") + space() + value(depth - 1) + space();
        return out + "]";
      }
      default: {
        std::string out = "{" + space();
        for (size_t i = 0, n = below(4); i < n; ++i) {
          out += (i == 0 ? "" : ",") + space() + (below(3) == 0 ? "\"k\"" : string()) + space() + ":" + space() + value(depth - 1) +
                 space();
        }
        return out + "}";
      }
    }
  }

  std::string damaged(std::string text) {
    static const char bytes[] = "{}[],:\"\\0123456789.eE+-truefalsn u/*\x80\xC3\xED\xA0\xF4\xFF\x00\x1F\n";
    for (size_t n = 1 + below(3); n > 0 && !text.empty(); --n) {
      const size_t at = below(text.size());
      const char byte = bytes[below(sizeof bytes - 1)];
      switch (below(4)) {
        case 0:
          text[at] = byte;
          break;
        case 1:
          text.insert(at, 1, byte);
          break;
        case 2:
          text.erase(at, 1 + below(3));
          break;
        default:
          text = below(2) == 0 ? text.substr(0, at) : text + text.substr(at);
      }
    }
    return text;
  }

 private:
  std::mt19937_64 random_;
};

TEST(JsonDifferential, GeneratedAndDamagedDocuments) {
  const uint64_t seed = 0x6A50;
  const int rounds = std::getenv("BANKML_TEST_LONG") != nullptr ? 1000000 : 25000;
  Generator generate(seed);
  int accepted = 0;
  for (int i = 0; i < rounds; ++i) {
    const std::string text =
        (generate.below(40) == 0 ? "\xEF\xBB\xBF" : "") + generate.space() + generate.value(generate.below(6)) + generate.space();
    const std::string difference = json_compare::differs(text);
    ASSERT_EQ(difference, "") << "seed " << seed << ", round " << i << ": " << text;
    for (int k = 0; k < 3; ++k) {
      const std::string bad = generate.damaged(text);
      const std::string damage_difference = json_compare::differs(bad);
      ASSERT_EQ(damage_difference, "") << "seed " << seed << ", round " << i << ": " << bad;
      accepted += nlohmann::json::accept(bad) ? 1 : 0;
    }
  }
  // Damage has to leave some texts whole and break others, or the comparison would show little.
  EXPECT_GT(accepted, rounds / 10);
  EXPECT_LT(accepted, rounds * 29 / 10);
}

TEST(JsonDifferential, EveryShortTextOverASmallAlphabet) {
  const std::string alphabet = "{}[],:\"\\01-.eE+ta \xC3";
  std::vector<std::string> texts = {""};
  const size_t longest = std::getenv("BANKML_TEST_LONG") != nullptr ? 5 : 3;
  for (size_t length = 0; length < longest; ++length) {
    std::vector<std::string> next;
    for (const std::string& text : texts) {
      for (const char c : alphabet) next.push_back(text + c);
    }
    for (const std::string& text : next) ASSERT_EQ(json_compare::differs(text), "") << text;
    texts = std::move(next);
  }
}

}  // namespace
}  // namespace bankml
