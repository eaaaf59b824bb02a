// JSON schemas of dialect llama: texts that their grammars accept or refuse, and the texts of errors.
#include "core/schema/llama_schema.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "core/base/status.h"
#include "core/grammar/grammar.h"
#include "core/vocab/vocab.h"

namespace bankml::schema {
namespace {

std::shared_ptr<const Vocab> bytes() {
  static const std::shared_ptr<const Vocab> vocab = [] {
    std::string all;
    std::vector<size_t> offsets{0};
    for (int i = 0; i < 256; ++i) {
      all += static_cast<char>(i);
      offsets.push_back(all.size());
    }
    all += "</s>";
    offsets.push_back(all.size());
    return Vocab::from_pieces(reinterpret_cast<const uint8_t*>(all.data()), offsets.data(), nullptr, 257, 256, -1);
  }();
  return vocab;
}

std::unique_ptr<grammar::Grammar> grammar_of(const std::string& json) {
  return grammar::Grammar::from_gbnf(bytes(), llama_gbnf(json), {});
}

bool accepts(const std::string& json, const std::string& text) {
  const auto grammar = grammar_of(json);
  ErrorText error;
  for (const char c : text) {
    const auto token = static_cast<int32_t>(static_cast<uint8_t>(c));
    if (!grammar->test(token) || grammar->accept(&token, 1, error) != Status::ok) return false;
  }
  return grammar->is_complete();
}

// "" if there is none. The head "JSON schema conversion failed:\n" is left out.
std::string refusal(const std::string& json) {
  const std::string head = "JSON schema conversion failed:\n";
  try {
    grammar_of(json);
    return "";
  } catch (const Failure& failure) {
    const std::string text = failure.text();
    return text.compare(0, head.size(), head) == 0 ? text.substr(head.size()) : "no schema: " + text;
  }
}

struct Case {
  const char* schema;
  std::vector<std::string> accepted, refused;
};

void check(const std::vector<Case>& cases) {
  for (const Case& one : cases) {
    ASSERT_EQ(refusal(one.schema), "") << one.schema;
    for (const std::string& text : one.accepted) EXPECT_TRUE(accepts(one.schema, text)) << one.schema << " accepts " << text;
    for (const std::string& text : one.refused) EXPECT_FALSE(accepts(one.schema, text)) << one.schema << " refuses " << text;
  }
}

TEST(LlamaSchema, any_value_and_blanks) {
  check({
      {R"({})", {"1", R"({"a":1, "b":[]})", "{  }"}, {R"({"a" :1})", R"({"a":1 ,"b":2})", "{}\n", "{   }"}},
      {R"({"type":"object"})", {R"({"a":1, "b":[]})", "{  }"}, {"1", R"({"a" :1})", "{}\n", "{   }"}},
      {R"({"properties":{"a":{"type":"integer"}},"required":["a"]})",
       {R"({ "a" : 1 })", "{\"a\":\n\n\t1}", "{\"a\":\n                    1}"},
       {"{\"a\":\n                     1}", R"({"a":  1})", "{\"a\":\n\n\n1}", "{\"a\":\t1}", "{\"a\":\r\n1}"}},
      {R"({"properties":{}})", {"{ }"}, {"{  }", R"({"a":1})"}},
      {R"({"additionalProperties":false})", {"{ }"}, {"{  }"}},
      {R"({"additionalProperties":{}})", {R"({"a":1})"}, {"1"}},
      {R"({"additionalProperties":true})", {"1"}, {}},
  });
}

TEST(LlamaSchema, objects) {
  check({
      {R"({"properties":{"b":{"type":"integer"},"a":{"type":"integer"},"c":{"type":"integer"}},"required":["c","zzz"]})",
       {R"({"c":1})", R"({"c":1,"b":2,"a":3})"},
       {R"({"b":2,"c":1})", R"({"c":1,"a":3,"b":2})"}},
      {R"({"properties":{"a":{"type":"integer"}},"additionalProperties":true})",
       {R"({"a" : 1})", R"({"x":2,"x":3})", "{\"\\u0061\":\"z\"}", R"({"\":1})"},
       {R"({"a":1,"x" :2})", R"({"x":2,"a":1})", R"({"a":1,"a":2})"}},
      {R"({"properties":{"ab":{"type":"integer"}},"additionalProperties":{"type":"integer"}})",
       {R"({"b":1})", R"({"ac":1})", R"({"":1})", R"({"abc":1})"},
       {R"({"a":1})"}},
      {R"({"properties":{"a-b":{"type":"integer"},"a_b":{"type":"integer"}},"additionalProperties":{"type":"integer"}})",
       {R"({"ab":1})"},
       {R"({"a1":1})"}},
      {"{\"properties\":{\"\xC3\xA9\":{\"type\":\"integer\"}},\"additionalProperties\":{\"type\":\"integer\"}}",
       {"{\"\xC3\xA8\":1}", "{\"\xC3\xA9\x61\":1}"},
       {"{\"\xC3\xA9\":1,\"\xC3\xA9\":2}"}},
      {R"({"properties":{"":{"type":"integer"},"b":{"type":"string"}}})", {"5"}, {R"({"":5})"}},
      {R"({"properties":{"q":{"properties":{"":{"type":"integer"}},"additionalProperties":{"type":"integer"}}}})",
       {R"({"q":{"":1,"":2}})"},
       {R"({"q":{"x":1}})"}},
      {R"({"properties":{"decimal_part":{"type":"integer","minimum":0,"maximum":3},"x":{"type":"number"}},)"
       R"("required":["decimal_part","x"]})",
       {R"({"decimal_part":1,"x":2.3})"},
       {R"({"decimal_part":1,"x":2.45})"}},
      {R"({"properties":{"*":{"type":"integer"}}})", {R"({"*":1,"*":2})"}, {}},
      {R"({"properties":{"*":{"type":"integer"},"b":{"type":"null"}},"additionalProperties":{"type":"string"}})",
       {R"({"x":"a","b":null,"y":"c"})"},
       {R"({"*":1})"}},
  });
}

TEST(LlamaSchema, numbers) {
  const std::string digits16 = "1234567890123456";
  check({
      {R"({"type":"integer"})", {"-0", digits16}, {digits16 + "7", "00"}},
      {R"({"type":"number"})", {"1E+5"}, {"1E+05", ".5", "1."}},
      {R"({"type":"integer","minimum":0})", {"0"}, {"-0"}},
      {R"({"type":"integer","maximum":5})", {"0"}, {"-0", "6"}},
      {R"({"type":"integer","minimum":-5,"maximum":5})", {"-0", "-5", "5"}, {"-6"}},
      {R"({"type":"integer","minimum":10,"maximum":5})", {"49", "5"}, {"6"}},
      {R"({"type":"integer","minimum":5,"maximum":-5})", {"9", "-5"}, {"-6"}},
      {R"({"type":"integer","minimum":20,"maximum":10})", {"10"}, {"20", "15"}},
      {R"({"type":"integer","minimum":100})", {"10"}, {"20"}},
      {R"({"type":"integer","minimum":215})", {"215"}, {"2000"}},
      {R"({"type":"integer","minimum":1015})", {"115"}, {"1015"}},
      {R"({"type":"integer","minimum":1230})", {"1230"}, {"1229"}},
      {R"({"type":"integer","maximum":-5})", {"-01"}, {}},
      {R"({"type":"integer","minimum":1.5,"maximum":9})", {"2"}, {"1"}},
      {R"({"type":"integer","minimum":0,"exclusiveMaximum":5.7})", {"5"}, {"6"}},
      {R"({"type":["integer","null"],"minimum":5})", {"5", "null"}, {"4"}},
  });
  EXPECT_EQ(refusal(R"({"type":"integer","minimum":"1"})"), "JSON schema error at #: minimum must be a number");
  EXPECT_EQ(refusal(R"({"type":"integer","exclusiveMinimum":true})"), "JSON schema error at #: exclusiveMinimum must be a number");
  EXPECT_EQ(refusal(R"({"type":"integer","minimum":-9223372036854775807})"), "At least one of min_value or max_value must be set");
  EXPECT_NE(refusal(R"({"type":"integer","minimum":1200000000000000})"), "");
}

// Both bounds in order: exactly the integers between them, and -0 where negative ones are.
TEST(LlamaSchema, integers_between_two_bounds) {
  const int bounds[] = {-1234, -120, -100, -99, -20, -10, -9, -1, 0, 1, 5, 9, 10, 11, 19, 20, 99, 100, 101, 119, 987, 1000, 1203};
  for (const int least : bounds) {
    for (const int most : bounds) {
      if (least > most) continue;
      const std::string schema =
          "{\"type\":\"integer\",\"minimum\":" + std::to_string(least) + ",\"maximum\":" + std::to_string(most) + "}";
      for (const int x : {least - 1, least, least + 1, (least + most) / 2, most - 1, most, most + 1, 0, 7, 100, -100}) {
        EXPECT_EQ(accepts(schema, std::to_string(x)), least <= x && x <= most) << schema << " " << x;
      }
    }
  }
}

TEST(LlamaSchema, constants_and_unions) {
  check({
      {R"({"const":{"b":1,"a":[1, 2.50]}})", {R"({"b":1,"a":[1,2.5]})"}, {R"({"b":1, "a":[1,2.5]})", R"({"b":1,"a":[1,2.50]})"}},
      {R"({"enum":[1e15,1e5,-0]})", {"1e+15", "100000.0", "0"}, {"-0"}},
      {R"({"enum":[40.957376,0.0001,0.00001]})", {"40.957375999999996", "0.0001", "1e-05"}, {"40.957376"}},
      {R"({"anyOf":[{"type":"integer"},{"type":"string"}],"properties":{"a":{}}})", {"1", "\"x\""}, {R"({"a":1})"}},
      {R"({"type":"integer","enum":["a"]})", {"\"a\""}, {"1"}},
      {R"({"allOf":[{"type":"string"},{"minLength":1}]})", {"{}"}, {"\"a\""}},
      {R"({"allOf":[{"properties":{"a":{"type":"integer"}}},{"properties":{"a":{"type":"string"},"b":{"type":"null"}}}]})",
       {R"({"a":"x","a":"y","b":null})"},
       {R"({"a":1,"b":null})"}},
      {R"({"allOf":[{"enum":["a","b"]},{"enum":["b"]}]})", {"\"b\""}, {"\"a\""}},
      {R"({"allOf":[{"enum":["a","a"]},{"type":"string"}]})", {"\"a\""}, {}},
      {R"({"allOf":[{"anyOf":[{"properties":{"a":{"type":"integer"}}},{"properties":{"b":{"type":"integer"}}}]}]})",
       {"{}", R"({"a":1,"b":2})"},
       {R"({"b":2,"a":1})"}},
  });
}

TEST(LlamaSchema, references) {
  check({
      {R"({"$ref":"#/$defs/A","$defs":{"A":{"properties":{"b":{"$ref":"#/$defs/B"}},"required":["b"]},"B":{"type":"integer"}}})",
       {R"({"b":1})"},
       {R"({"b":{}})"}},
      {R"({"properties":{"x":{"$ref":"#/$defs/a_b"},"y":{"$ref":"#/$defs/a-b"}},"required":["x","y"],)"
       R"("$defs":{"a_b":{"enum":[1]},"a-b":{"enum":[2]}}})",
       {R"({"x":1,"y":1})"},
       {R"({"x":1,"y":2})"}},
      {R"({"$ref":"#/$defs/N","$defs":{"N":{"properties":{"n":{"$ref":"#/$defs/N"}}}}})", {R"({"n":{"n":{}}})"}, {"1"}},
  });
  EXPECT_EQ(refusal(R"({"$ref":"#"})"),
            "JSON schema error at #: unsupported $ref #, only references into the same document are supported");
  EXPECT_EQ(refusal(R"({"$ref":"#/nope"})"), "JSON schema error at #: cannot resolve $ref #/nope, nope not found");
  EXPECT_EQ(refusal(R"({"$ref":"#/$defs/A","$defs":{"A":{"type":5}}})"),
            "JSON schema error at #/$defs/A: type must be a string or an array of strings");
  // The reference overflows its stack on these.
  EXPECT_NE(refusal(R"({"allOf":[{"$ref":"#/$defs/A"}],"$defs":{"A":{"$ref":"#/$defs/A"}}})"), "");
  EXPECT_NE(refusal(R"({"$ref":"#/$defs/N","$defs":{"N":{"properties":{"n":{"allOf":[{"$ref":"#/$defs/N"}]}}}}})"), "");
  EXPECT_NE(refusal(R"({"$defs":{"A":{"$ref":"#/$defs/A"}},"$ref":"#/$defs/A"})"), "");
}

TEST(LlamaSchema, arrays_and_strings) {
  check({
      {R"({"items":{"type":"integer"},"minItems":2,"maxItems":3})", {"[1, 2,\n3]"}, {"[1]", "[1 , 2]", "[1,2,3,4]"}},
      {R"({"type":"array","minItems":2})", {"[1,\"a\"]"}, {"[]"}},
      {R"({"prefixItems":[{"type":"string"},{"type":"integer"}]})", {"[\"a\", 1]"}, {"[\"a\"]"}},
      {R"({"items":{"type":"null"},"minItems":3,"maxItems":1})", {"[null]"}, {"[]"}},
      {R"({"items":{"type":"integer"},"maxItems":0})", {"[]", "[  ]"}, {"[1]"}},
      {R"({"items":{"type":"integer"},"maxItems":1999})", {"[1]"}, {}},
      {R"({"type":"string","maxLength":1})", {"\"\\u00e9\"", "\"\xF0\x9F\x98\x80\""}, {"\"\\ud83d\\ude00\"", "\"\\/\""}},
      {R"({"minLength":3})", {"\"abc\""}, {"1", "\"ab\""}},
      {R"({"format":"email"})", {"1"}, {}},
      {R"({"type":"string","format":"email"})", {"\"x\""}, {"1"}},
      {R"({"type":"string","format":"date"})", {"\"2023-02-31\""}, {"\"2023-13-01\""}},
      {R"({"format":"time"})", {"\"00:00:00.123+23:59\""}, {"\"23:59:59\""}},
      {R"({"format":"date-time"})", {"\"2023-02-31T00:00:00Z\""}, {"\"2023-02-31 00:00:00Z\""}},
      {R"({"format":"uuid"})", {"\"12345678-abcd-ABCD-0000-123456789012\""}, {"\"12345678\""}},
  });
  EXPECT_NE(refusal(R"({"items":{"type":"integer"},"minItems":5,"maxItems":3})"), "");
  EXPECT_NE(refusal(R"({"type":"string","minLength":5,"maxLength":3})"), "");
  EXPECT_EQ(refusal(R"({"minLength":-1})"), "JSON schema error at #: minLength must be a non-negative integer");
}

TEST(LlamaSchema, patterns) {
  check({
      {R"({"pattern":"^a\\.+$"})", {"\"a.a.\""}, {"\"a..\""}},
      {R"({"pattern":"^a|b$"})", {"\"a\"", "\"b\""}, {"\"ab\""}},
      {R"({"pattern":"^.*$"})", {"\"a\"b\""}, {}},
      {R"({"pattern":"^a+?$"})", {"\"\""}, {}},
      {R"({"pattern":"^a\\-b$"})", {"\"a-b\""}, {}},
      {R"({"pattern":"^\\d+$"})", {"\"zz\""}, {}},
      {R"({"pattern":"abc"})", {"\"zz\""}, {}},
      {R"({"pattern":"^[\\w-]+$"})", {"\"zz\""}, {}},
      {R"({"pattern":"^(?=a)b$"})", {"\"zz\""}, {}},
      {R"({"pattern":"^a]$"})", {"\"zz\""}, {}},
      {"{\"pattern\":\"^[\xC3\xA9]+$\"}", {"\"\xC3\xA9\xC3\xA9\""}, {"\"e\""}},
      {R"({"pattern":"^x*{2,}$"})", {"\"xxx\""}, {}},
      {R"({"type":"string","pattern":"^a*$","maxLength":2})", {"\"aaaa\""}, {}},
      {R"({"pattern":"^(ab|c){2,3}d$"})", {"\"abcd\"", "\"ccabd\""}, {"\"cd\""}},
  });
  for (const auto& [pattern, reason] : std::vector<std::pair<const char*, const char*>>{{"^(a$", "unbalanced parentheses"},
                                                                                        {"^a)$", "unbalanced parentheses"},
                                                                                        {"^[a$", "unterminated character class"},
                                                                                        {"^*a$", "nothing to repeat"},
                                                                                        {"^a\\$", "trailing backslash"}}) {
    std::string escaped = pattern;
    for (size_t at = 0; (at = escaped.find('\\', at)) != std::string::npos; at += 2) escaped.insert(at, "\\");
    EXPECT_EQ(refusal("{\"pattern\":\"" + escaped + "\"}"), std::string("Invalid pattern ") + pattern + ": " + reason);
  }
  EXPECT_NE(refusal("{\"pattern\":\"^\xC3\xA9+$\"}"), "");
  EXPECT_NE(refusal(R"({"pattern":"^a**$"})"), "");
}

TEST(LlamaSchema, errors) {
  EXPECT_EQ(refusal(R"({"properties":{"a":true}})"), "JSON schema error at #/properties/a: schema must be an object");
  EXPECT_EQ(refusal(R"({"type":"kaboom"})"), "JSON schema error at #: unrecognized type kaboom");
  EXPECT_EQ(refusal(R"({"items":false})"), "JSON schema error at #/items: schema must be an object");
  EXPECT_EQ(refusal(R"({"enum":[]})"), "JSON schema error at #: enum must be a non-empty array");
  EXPECT_EQ(refusal(R"({"anyOf":[]})"), "JSON schema error at #/anyOf: must not be empty");
  EXPECT_EQ(refusal(R"({"anyOf":{}})"), "JSON schema error at #/anyOf: must be an array of schemas");
  EXPECT_EQ(refusal(R"({"type":[]})"), "JSON schema error at #: type must not be empty");
  EXPECT_EQ(refusal(R"({"additionalProperties":5})"), "JSON schema error at #: additionalProperties must be a boolean or a schema");
  EXPECT_EQ(refusal(R"({"properties":5})"), "JSON schema error at #: properties must be an object");
  EXPECT_EQ(refusal(R"({"$ref":5})"), "JSON schema error at #: $ref must be a string");
  EXPECT_EQ(refusal(R"({"type":"string","format":5})"), "JSON schema error at #: format must be a string");
}

}  // namespace
}  // namespace bankml::schema
