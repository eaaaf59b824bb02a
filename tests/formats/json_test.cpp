// core/formats/json.h: what is kept, what is refused and where, and the writers.
#include "core/formats/json.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <random>
#include <string>

#include "core/base/status.h"

namespace bankml::json {
namespace {

std::string error_of(const std::string& text) {
  try {
    parse(text);
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.status(), Status::parse);
    return failure.text();
  }
  return "accepted";
}

TEST(Json, KeepsOrderDuplicatesAndNumberTexts) {
  const Value value = parse(R"( {"b":1.50,"a":[true,false,null],"b":-0,"c":{}, "":"x"} )");
  ASSERT_EQ(value.members().size(), 5u);
  EXPECT_EQ(value.members()[0].name, "b");
  EXPECT_EQ(value.members()[0].value.number_text(), "1.50");
  EXPECT_EQ(value.members()[1].name, "a");
  EXPECT_EQ(value.members()[4].name, "");
  EXPECT_EQ(value.find("b")->number_text(), "-0");
  EXPECT_EQ(value.find("none"), nullptr);
  const std::vector<Value>& items = value.find("a")->items();
  ASSERT_EQ(items.size(), 3u);
  EXPECT_TRUE(items[0].boolean());
  EXPECT_FALSE(items[1].boolean());
  EXPECT_TRUE(items[2].is_null());
  EXPECT_TRUE(value.find("c")->members().empty());
}

TEST(Json, TellsWhereAValueStood) {
  const std::string text = R"({"a": [1, {"x" : "y"}]})";
  const Value value = parse(text);
  const Value& inner = value.find("a")->items()[1];
  EXPECT_EQ(text.substr(inner.text_begin(), inner.text_end() - inner.text_begin()), R"({"x" : "y"})");
  EXPECT_EQ(value.text_begin(), 0u);
  EXPECT_EQ(value.text_end(), text.size());
}

TEST(Json, ClassifiesNumbers) {
  const auto kind = [](const char* text) { return parse(text).number_kind(); };
  EXPECT_EQ(kind("0"), NumberKind::unsigned_integer);
  EXPECT_EQ(kind("18446744073709551615"), NumberKind::unsigned_integer);
  EXPECT_EQ(kind("18446744073709551616"), NumberKind::real);
  EXPECT_EQ(kind("-0"), NumberKind::signed_integer);
  EXPECT_EQ(kind("-9223372036854775808"), NumberKind::signed_integer);
  EXPECT_EQ(kind("-9223372036854775809"), NumberKind::real);
  EXPECT_EQ(kind("1.0"), NumberKind::real);
  EXPECT_EQ(kind("1e2"), NumberKind::real);
  EXPECT_EQ(parse("18446744073709551615").unsigned_integer(), 18446744073709551615u);
  EXPECT_EQ(parse("-9223372036854775808").signed_integer(), std::numeric_limits<int64_t>::min());
  EXPECT_EQ(parse("18446744073709551616").real(), 18446744073709551616.0);
  EXPECT_EQ(parse("7").real(), 7.0);
  EXPECT_EQ(parse("-7").real(), -7.0);
  EXPECT_TRUE(std::signbit(parse("-0.0").real()));
}

TEST(Json, RefusesOverflowWithTheReferencesText) {
  EXPECT_EQ(error_of("1e400"), "number overflow parsing '1e400'");
  EXPECT_EQ(error_of("[-1.5E+309]"), "number overflow parsing '-1.5E+309'");
  EXPECT_EQ(error_of("1e99999999999999999999999"), "number overflow parsing '1e99999999999999999999999'");
  EXPECT_EQ(error_of("1E9548873128346480851"), "number overflow parsing '1E9548873128346480851'");
  const std::string nines(400, '9');
  EXPECT_EQ(error_of(nines), "number overflow parsing '" + nines + "'");
}

TEST(Json, UnderflowIsZeroOrSubnormal) {
  EXPECT_EQ(parse("1e-400").real(), 0.0);
  EXPECT_TRUE(std::signbit(parse("-1e-400").real()));
  EXPECT_EQ(parse("1e-99999999999999999999999").real(), 0.0);
  EXPECT_EQ(parse("0." + std::string(400, '0') + "1").real(), 0.0);
  EXPECT_EQ(parse("0e999999999999999999999").real(), 0.0);
  EXPECT_EQ(parse("4.9e-324").real(), std::numeric_limits<double>::denorm_min());
  EXPECT_EQ(parse("2.4703282292062327e-324").real(), 0.0);
  EXPECT_EQ(parse("2.4703282292062328e-324").real(), std::numeric_limits<double>::denorm_min());
  EXPECT_EQ(parse("1.7976931348623157e308").real(), std::numeric_limits<double>::max());
}

// strtod is exact in glibc; here it is the second opinion, over all ranges of exponents and halfway cases.
TEST(Json, DecimalsReadAsStrtodReadsThem) {
  const uint32_t seed = 20240611;
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 random(seed);
  const int rounds = std::getenv("BANKML_TEST_LONG") != nullptr ? 2000000 : 20000;
  for (int i = 0; i < rounds; ++i) {
    std::string text = random() % 2 == 0 ? "-" : "";
    text += std::to_string(random() % 9 + 1);
    if (random() % 4 != 0) {
      text += '.';
      const size_t digits = 1 + random() % (random() % 8 == 0 ? 800 : 20);
      for (size_t d = 0; d < digits; ++d) text += static_cast<char>('0' + random() % 10);
    }
    text += "e" + std::to_string(static_cast<int>(random() % 700) - 350);
    if (random() % 3 == 0) {  // halfway between two neighbours, exactly
      uint64_t bits = random() & 0x7FEFFFFFFFFFFFFFu;
      if (random() % 2 == 0) bits &= 0x000FFFFFFFFFFFFFu;
      double low;
      std::memcpy(&low, &bits, sizeof low);
      char buffer[2048];
      std::snprintf(buffer, sizeof buffer, "%.1100Le", (static_cast<long double>(low) + std::nextafter(low, INFINITY)) / 2);
      text = buffer;
    }
    const double ours = decimal_to_double(text);
    const double theirs = std::strtod(text.c_str(), nullptr);
    ASSERT_EQ(std::memcmp(&ours, &theirs, sizeof ours), 0) << text;
  }
}

TEST(Json, DecodesStrings) {
  EXPECT_EQ(parse(R"("\"\\\/\b\f\n\r\t")").string(), "\"\\/\b\f\n\r\t");
  EXPECT_EQ(parse(R"("\u0041\u00e9\u4E2D\ud83d\ude00")").string(), "A\xC3\xA9\xE4\xB8\xAD\xF0\x9F\x98\x80");
  EXPECT_EQ(parse(R"("a\u0000b")").string(), std::string("a\0b", 3));
  EXPECT_EQ(parse("\"\x7F\xE4\xB8\xAD\"").string(), "\x7F\xE4\xB8\xAD");
}

TEST(Json, RefusesWithPosition) {
  EXPECT_EQ(error_of(""), "line 1, column 1: expected a value (the text ends here)");
  EXPECT_EQ(error_of("{\n  \"a\": tru\n}"), "line 2, column 8: expected 'true'");
  EXPECT_EQ(error_of("[1,]"), "line 1, column 4: expected a value");
  EXPECT_EQ(error_of("[1 2]"), "line 1, column 4: expected ',' or ']' in an array");
  EXPECT_EQ(error_of("{\"a\":1 \"b\":2}"), "line 1, column 8: expected ',' or '}' in an object");
  EXPECT_EQ(error_of("{\"a\":1,}"), "line 1, column 8: expected a member name in double quotes");
  EXPECT_EQ(error_of("{\"a\" 1}"), "line 1, column 6: expected ':' after a member name");
  EXPECT_EQ(error_of("{a:1}"), "line 1, column 2: expected a member name in double quotes");
  EXPECT_EQ(error_of("1 2"), "line 1, column 3: unexpected text after the value");
  EXPECT_EQ(error_of("01"), "line 1, column 2: unexpected text after the value");
  EXPECT_EQ(error_of("-"), "line 1, column 2: expected a digit after '-' (the text ends here)");
  EXPECT_EQ(error_of("1."), "line 1, column 3: expected a digit after '.' (the text ends here)");
  EXPECT_EQ(error_of("1e+"), "line 1, column 4: expected a digit in the exponent (the text ends here)");
  EXPECT_EQ(error_of("\"a"), "line 1, column 3: unterminated string (the text ends here)");
  EXPECT_EQ(error_of("\"a\nb\""), "line 1, column 3: control character in a string");
  EXPECT_EQ(error_of("\"\\x\""), "line 1, column 3: unknown escape in a string");
  EXPECT_EQ(error_of("\"\\u12G4\""), "line 1, column 6: expected four hexadecimal digits after \\u");
  EXPECT_EQ(error_of("\"\\ud800\""), "line 1, column 2: lone surrogate in a string");
  EXPECT_EQ(error_of("\"\\ud800\\u0041\""), "line 1, column 2: lone surrogate in a string");
  EXPECT_EQ(error_of("\"\\udc00\""), "line 1, column 2: lone surrogate in a string");
  EXPECT_EQ(error_of("\"\xC0\xAF\""), "line 1, column 2: invalid UTF-8 in a string");
  EXPECT_EQ(error_of("\"\xED\xA0\x80\""), "line 1, column 2: invalid UTF-8 in a string");
  EXPECT_EQ(error_of("// no comments\n1"), "line 1, column 1: expected a value");
  EXPECT_EQ(error_of(std::string("1\0", 2)), "line 1, column 2: unexpected text after the value");
  EXPECT_EQ(error_of("NaN"), "line 1, column 1: expected a value");
}

TEST(Json, IgnoresAByteOrderMark) {
  EXPECT_EQ(parse("\xEF\xBB\xBF 1").unsigned_integer(), 1u);
  EXPECT_NE(error_of("\xEF\xBB 1"), "accepted");
  EXPECT_NE(error_of(" \xEF\xBB\xBF 1"), "accepted");
}

TEST(Json, LimitsDepth) {
  const auto nested = [](size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); };
  EXPECT_EQ(error_of(nested(max_depth)), "accepted");
  EXPECT_EQ(error_of(nested(max_depth + 1)), "line 1, column 1001: nested deeper than 1000 levels");
  EXPECT_EQ(error_of(std::string(100000, '[')), "line 1, column 1001: nested deeper than 1000 levels");
  std::string objects;
  for (int i = 0; i < 100000; ++i) objects += "{\"a\":";
  EXPECT_NE(error_of(objects).find("nested deeper"), std::string::npos);
}

TEST(Json, WrongAccessIsNamed) {
  const Value value = parse("[1]");
  EXPECT_THROW(value.members(), Failure);
  EXPECT_THROW(value.string(), Failure);
  EXPECT_THROW(value.items()[0].signed_integer(), Failure);
  EXPECT_EQ(value.find("a"), nullptr);
  EXPECT_STREQ(kind_name(value.kind()), "array");
}

TEST(Json, WritesWhatItReads) {
  std::string out;
  append_string(out, std::string("q\"b\\n\n\t\x01\x1F\x7F\0é😀", 17));
  EXPECT_EQ(out, "\"q\\\"b\\\\n\\n\\t\\u0001\\u001f\x7F\\u0000\xC3\xA9\xF0\x9F\x98\x80\"");
  EXPECT_EQ(parse(out).string(), std::string("q\"b\\n\n\t\x01\x1F\x7F\0é😀", 17));
  out.clear();
  append_string(out, "a\xFF\xE4\xB8");
  EXPECT_EQ(parse(out).string(), "a\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");
  const auto real = [](auto number) {
    std::string text;
    append_real(text, number);
    return text;
  };
  EXPECT_EQ(real(0.1f), "0.1");
  EXPECT_EQ(real(0.1), "0.1");
  EXPECT_EQ(real(static_cast<double>(0.1f)), "0.10000000149011612");
  EXPECT_EQ(real(1.0f), "1");
  EXPECT_EQ(real(-INFINITY), "null");
  EXPECT_EQ(real(std::nanf("")), "null");
  out.clear();
  append_integer(out, std::numeric_limits<int64_t>::min());
  append_unsigned(out, std::numeric_limits<uint64_t>::max());
  EXPECT_EQ(out, "-922337203685477580818446744073709551615");
}

TEST(Json, WrittenFloatsComeBack) {
  const uint32_t seed = 77;
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 random(seed);
  for (int i = 0; i < 50000; ++i) {
    const uint32_t bits = static_cast<uint32_t>(random());
    float number;
    std::memcpy(&number, &bits, sizeof number);
    if (!std::isfinite(number)) continue;
    std::string text;
    append_real(text, number);
    ASSERT_EQ(static_cast<float>(parse(text).real()), number) << text;
  }
}

}  // namespace
}  // namespace bankml::json
