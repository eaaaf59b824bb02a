// Constants as nlohmann-json dumps them, member order kept.
#include "core/schema/constant_text.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace bankml::schema {
namespace {

TEST(ConstantText, equals_nlohmann_json) {
  for (const char* text :
       {"null", "true",
        "[1, 2.50, -0, -0.0, 1e15, 1e5, 40.957376, 18446744073709551615, -9223372036854775808, 18446744073709551616]",
        R"({"b":1,"a":{"z":[],"y":{}},"b":2})", R"("\u0000\u001f\b\f\n\r\t\"\\\/é€😀\u007f")", R"({"":"","é":[[[]]]})", "1e-7",
        "5e-324"}) {
    EXPECT_EQ(constant_text(json::parse(text)), nlohmann::ordered_json::parse(text).dump()) << text;
  }
  EXPECT_EQ(constant_text(std::string_view("a\"\n", 3)), R"("a\"\n")");
}

}  // namespace
}  // namespace bankml::schema
