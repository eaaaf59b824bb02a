// Random JSON schemas in which the reference's decisions meet: odd names, bounds, patterns, references, unions, wrong values now
// and then.
#pragma once

#include <random>
#include <string>

namespace bankml::schema {

class RandomSchema {
 public:
  explicit RandomSchema(std::mt19937& dice) : dice_(dice) {}

  std::string document() {
    const std::string root = schema(3);
    if (root.size() < 2 || root[0] != '{' || !with_definitions_) return root;
    const std::string inside = root.substr(1, root.size() - 2);
    return "{" + inside + (inside.empty() ? "" : ",") + "\"$defs\":{\"A\":" + schema(2) + ",\"a_b\":" + schema(1) +
           ",\"a-b\":" + schema(1) + ",\"N\":{\"properties\":{\"n\":{\"$ref\":\"#/$defs/N\"}}}}}";
  }

 private:
  uint32_t roll(uint32_t n) { return static_cast<uint32_t>(dice_() % n); }
  template <size_t N>
  std::string any_of(const char* const (&texts)[N]) {
    return texts[roll(N)];
  }

  std::string name() {
    return any_of({"a", "b", "ab", "abc", "a-b", "a_b", "x", "y", "", "*", "decimal_part", "date_time", "item", "\\u00e9", "\\n",
                   "a.b", "string", "a b"});
  }
  std::string number() {
    static const char* const all[] = {"0",
                                      "1",
                                      "-1",
                                      "5",
                                      "9",
                                      "10",
                                      "12",
                                      "99",
                                      "100",
                                      "215",
                                      "1015",
                                      "1230",
                                      "456",
                                      "-5",
                                      "-12",
                                      "-100",
                                      "1.5",
                                      "-2.5",
                                      "1e3",
                                      "2.0",
                                      "1e15",
                                      "0.1",
                                      "-0",
                                      "40.957376",
                                      "1e-7",
                                      "1e5",
                                      "123456789012345678",
                                      "9223372036854775807",
                                      "-9223372036854775808",
                                      "18446744073709551615"};
    return all[roll(sizeof all / sizeof *all)];
  }
  std::string count() {
    static const char* const all[] = {"0", "1", "2", "3", "5", "7", "20", "2.0", "-1", "null", "4294967297", "2147483647", "\"1\""};
    return all[roll(roll(6) == 0 ? 13 : 7)];
  }
  std::string value(int depth) {
    switch (roll(depth > 0 ? 7u : 5u)) {
      case 0:
        return number();
      case 1:
        return "\"" + name() + "\"";
      case 2:
        return "true";
      case 3:
        return "null";
      case 4:
        return "\"\\\"\\\\/\\t\\u0001\"";
      case 5:
        return "[" + value(depth - 1) + "," + value(depth - 1) + "]";
      default:
        return "{\"" + name() + "\":" + value(depth - 1) + "}";
    }
  }
  std::string pattern() {
    static const char* const pieces[] = {"a",        "b",     "ab",      ".",        "[a-c]", "[^a]",  "(a|b)", "(?:ab)",  "\\\\.",
                                         "\\\\-",    "+",     "*",       "?",        "{2}",   "{1,3}", "{,2}",  "{2,}",    "|",
                                         "\\\"",     "\\\\d", "\\\\n",   "^",        "$",     "(a",    ")",     "[\\\\w]", "x",
                                         "\xC3\xA9", "-",     "\\\\x41", "\\\\\\\\", "[x",    "]",     "(?=a)", "{0}",     "\\\\"};
    std::string out;
    for (uint32_t n = roll(6); n > 0; --n) out += pieces[roll(roll(4) == 0 ? 36 : 16)];
    return roll(12) == 0 ? out : "^" + out + "$";
  }
  std::string list(int depth) {
    std::string out;
    for (uint32_t n = 1 + roll(3); n > 0; --n) out += (out.empty() ? "" : ",") + schema(depth - 1);
    return roll(40) == 0 ? "[]" : "[" + out + "]";
  }

  std::string schema(int depth) {
    if (roll(60) == 0) return any_of({"true", "5", "[]", "null"});
    std::string out;
    const auto add = [&](const std::string& key, const std::string& text) {
      out += (out.empty() ? "\"" : ",\"") + key + "\":" + text;
    };
    const uint32_t kind = roll(depth > 0 ? 16u : 9u);
    switch (kind) {
      case 0:
        add("type", "\"integer\"");
        break;
      case 1:
      case 2:
        add("type", "\"integer\"");
        if (roll(2) == 0) add(roll(3) == 0 ? "exclusiveMinimum" : "minimum", number());
        if (roll(2) == 0) add(roll(3) == 0 ? "exclusiveMaximum" : "maximum", number());
        break;
      case 3:
        add("type", any_of({"\"number\"", "\"boolean\"", "\"null\"", "\"string\"", "\"object\"", "\"array\"", "\"\"", "null", "5",
                            "\"odd\""}));
        break;
      case 4:
        if (roll(2) == 0) add("type", "\"string\"");
        if (roll(2) == 0) add("minLength", count());
        if (roll(2) == 0) add("maxLength", count());
        break;
      case 5:
        if (roll(2) == 0) add("type", "\"string\"");
        add("pattern", "\"" + pattern() + "\"");
        break;
      case 6:
        add("format", any_of({"\"date\"", "\"time\"", "\"date-time\"", "\"uuid\"", "\"uuid3\"", "\"email\"", "5"}));
        break;
      case 7:
        add("const", value(2));
        break;
      case 8: {
        std::string values;
        for (uint32_t n = 1 + roll(3); n > 0; --n) values += (values.empty() ? "" : ",") + value(1);
        add("enum", roll(30) == 0 ? "[]" : "[" + values + "]");
        break;
      }
      case 9:
      case 10:
      case 11: {
        if (roll(2) == 0) add("type", "\"object\"");
        std::string properties, required;
        for (uint32_t n = roll(4); n > 0; --n) {
          const std::string one = name();
          properties += (properties.empty() ? "\"" : ",\"") + one + "\":" + schema(depth - 1);
          if (roll(2) == 0) required += (required.empty() ? "\"" : ",\"") + one + "\"";
        }
        if (roll(5) != 0) add("properties", "{" + properties + "}");
        if (!required.empty()) add("required", "[" + required + "]");
        if (roll(2) == 0) add("additionalProperties", roll(3) == 0 ? "true" : roll(2) == 0 ? "false" : schema(depth - 1));
        break;
      }
      case 12:
        if (roll(2) == 0) add("type", "\"array\"");
        if (roll(4) != 0) add(roll(3) == 0 ? "prefixItems" : "items", roll(3) == 0 ? list(depth) : schema(depth - 1));
        if (roll(2) == 0) add("minItems", count());
        if (roll(2) == 0) add("maxItems", count());
        break;
      case 13:
        add(any_of({"anyOf", "oneOf"}), list(depth));
        break;
      case 14:
        if (roll(3) == 0) add("type", any_of({"\"object\"", "\"string\"", "[\"object\",\"string\"]"}));
        add("allOf", list(depth));
        break;
      default:
        with_definitions_ = true;
        add("$ref", "\"" +
                        any_of({"#/$defs/A", "#/$defs/a_b", "#/$defs/a-b", "#/$defs/N", "#/$defs/none", "#", "#/$defs/A/type/0"}) +
                        "\"");
    }
    if (roll(12) == 0) add("type", "[\"string\",\"integer\",\"object\"]");
    if (roll(10) == 0) add("description", "\"x\"");
    return "{" + out + "}";
  }

  std::mt19937& dice_;
  bool with_definitions_ = false;
};

}  // namespace bankml::schema
