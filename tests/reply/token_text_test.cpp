// Tokens that are no whole characters, as each system shows them; llama-server's strings against nlohmann-json where it is there.
#include "core/reply/token_text.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "core/formats/json.h"

#if __has_include(<nlohmann/json.hpp>)
#include <nlohmann/json.hpp>
#define HAVE_NLOHMANN 1
#else
#define HAVE_NLOHMANN 0
#endif

namespace bankml::reply {
namespace {

const std::string replacement = "\xEF\xBF\xBD";

TEST(TokenText, LlamaServer) {
  EXPECT_EQ(replaced_text("abc"), "abc");
  EXPECT_EQ(replaced_text("\xE2\x82\xAC"), "\xE2\x82\xAC");
  EXPECT_EQ(replaced_text("a\xE2\x82"), "a");
  EXPECT_EQ(replaced_text("\xF0\x9F\x98"), "");
  EXPECT_EQ(replaced_text("\x99"), replacement);
  EXPECT_EQ(replaced_text("\x98\x80"), replacement + replacement);
  EXPECT_EQ(replaced_text("\xE2\x82"
                          "ab"),
            replacement + "ab");
  EXPECT_EQ(replaced_text("\xE2"
                          "a"),
            "");  // two bytes behind E2 are missing, so both go
  EXPECT_EQ(replaced_text("\xE0\x80"
                          "ab"),
            replacement + replacement + "ab");
  EXPECT_EQ(replaced_text(""), "");
}

TEST(TokenText, OpenAi) {
  EXPECT_EQ(escaped_text("\xF0\x9F\x92"), "\\xf0\\x9f\\x92");
  EXPECT_EQ(escaped_text(" \xF0\x9F"), " \\xf0\\x9f");
  EXPECT_EQ(escaped_text("\x99"), "\\x99");
  EXPECT_EQ(escaped_text("\xE2\x82\xAC\\"), "\xE2\x82\xAC\\");
  EXPECT_EQ(marked_text("\xE2\x80"), "bytes:\\xe2\\x80");
  EXPECT_EQ(marked_text(" a"), " a");
  EXPECT_EQ(marked_text(""), "");
}

TEST(TokenText, Characters) {
  EXPECT_EQ(characters("a\xE2\x82\xAC"), 2u);
  EXPECT_EQ(characters("\xE2\x82"), 1u);
  EXPECT_EQ(characters("\xAC"), 0u);
}

#if HAVE_NLOHMANN
TEST(TokenText, AsNlohmannJsonReplaces) {
  std::mt19937 engine(5);
  const std::string alphabet = std::string("\xE0\xE2\xED\xF0\xF4\xC3\xC0\xFF\x80\x82\x90\x9F\xA0\xAC") + "a\"\\\n\x01\x7F";
  for (int round = 0; round < 50000; ++round) {
    std::string bytes;
    for (size_t n = engine() % 8; n > 0; --n) bytes += alphabet[engine() % alphabet.size()];
    bytes += "aaaa";  // so that no cut end is left out
    std::string out;
    json::append_string(out, replaced_text(bytes));
    ASSERT_EQ(out, nlohmann::json(bytes).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace)) << round;
  }
}
#endif

}  // namespace
}  // namespace bankml::reply
