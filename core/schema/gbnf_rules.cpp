// Tested by tests/schema/llama_schema.cpp
#include "core/schema/gbnf_rules.h"

#include <algorithm>
#include <vector>

#include "core/base/status.h"

namespace bankml::schema {
namespace gbnf_rules {

struct Builtin {
  const char* name;
  const char* text;
  std::vector<const char*> needs;
};

const std::vector<Builtin>& builtins() {
  static const std::vector<Builtin> all = {
      {"boolean", R"("true" | "false")", {}},
      {"null", R"("null")", {}},
      {"integral-part", "[0] | [1-9] [0-9]{0,15}", {}},
      {"decimal-part", "[0-9]{1,16}", {}},
      {"integer", R"("-"? integral-part)", {"integral-part"}},
      {"number", R"("-"? integral-part ("." decimal-part)? ([eE] [-+]? integral-part)?)", {"integral-part", "decimal-part"}},
      {"char", R"([^"\\\x7F\x00-\x1F] | [\\] (["\\bfnrt] | "u" [0-9a-fA-F]{4}))", {}},
      {"string", R"("\"" char* "\"")", {"char"}},
      {"value", "object | array | string | number | boolean | null", {"object", "array", "string", "number", "boolean", "null"}},
      {"object", R"("{" space ( string ":" space value ("," space string ":" space value)* )? space "}")", {"string", "value"}},
      {"array", R"("[" space ( value ("," space value)* )? space "]")", {"value"}},
      {"uuid", R"("\"" [0-9a-fA-F]{8} "-" [0-9a-fA-F]{4} "-" [0-9a-fA-F]{4} "-" [0-9a-fA-F]{4} "-" [0-9a-fA-F]{12} "\"")", {}},
      {"date", R"([0-9]{4} "-" ("0" [1-9] | "1" [0-2]) "-" ("0" [1-9] | [1-2] [0-9] | "3" [0-1]))", {}},
      {"time",
       R"(([01] [0-9] | "2" [0-3]) ":" [0-5] [0-9] ":" [0-5] [0-9] ("." [0-9]{3})? )"
       R"(("Z" | ("+" | "-") ([01] [0-9] | "2" [0-3]) ":" [0-5] [0-9]))",
       {}},
      {"date-time", R"(date "T" time)", {"date", "time"}},
      {"date-string", R"("\"" date "\"")", {"date"}},
      {"time-string", R"("\"" time "\"")", {"time"}},
      {"date-time-string", R"("\"" date-time "\"")", {"date-time"}},
  };
  return all;
}

const Builtin& builtin_named(std::string_view name) {
  return *std::find_if(builtins().begin(), builtins().end(), [&](const Builtin& b) { return name == b.name; });
}

bool fits_name(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-'; }

}  // namespace gbnf_rules

GbnfRules::GbnfRules() { rules_["space"] = R"(| " " | "\n"{1,2} [ \t]{0,20})"; }

bool GbnfRules::is_reserved(std::string_view name) {
  return name == "root" || std::any_of(gbnf_rules::builtins().begin(), gbnf_rules::builtins().end(),
                                       [&](const gbnf_rules::Builtin& b) { return name == b.name; });
}

std::string GbnfRules::cleaned(std::string_view name) {
  std::string out;
  bool run = false;
  for (const char c : name) {
    if (gbnf_rules::fits_name(c)) {
      out += c;
    } else if (!run) {
      out += '-';
    }
    run = !gbnf_rules::fits_name(c);
  }
  return out;
}

std::string GbnfRules::add(std::string_view name, const std::string& text) {
  std::string key = cleaned(name);
  for (size_t i = 0;; ++i) {
    const std::string tried = i == 0 ? key : key + std::to_string(i - 1);
    const auto [at, is_new] = rules_.emplace(tried, text);
    if (is_new) {
      bytes_ += tried.size() + text.size();
      if (bytes_ > max_text)
        throw Failure(Status::limit,
                      "the grammar of the JSON schema has more than max_text = " + std::to_string(max_text) + " bytes");
    }
    if (is_new || at->second == text) return tried;
  }
}

std::string GbnfRules::add_builtin(std::string_view name, std::string_view builtin) {
  const gbnf_rules::Builtin& rule = gbnf_rules::builtin_named(builtin);
  const std::string added = add(name, rule.text);
  for (const char* need : rule.needs) {
    if (!has(need)) add_builtin(need, need);
  }
  return added;
}

std::string GbnfRules::text() const {
  std::string out;
  for (const auto& [name, text] : rules_) out += name + " ::= " + text + "\n";
  return out;
}

std::string literal(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    switch (c) {
      case '"':
        out += "\\\"";
        break;
      case '\\':
        out += "\\\\";
        break;
      case '\n':
        out += "\\n";
        break;
      case '\r':
        out += "\\r";
        break;
      default:
        out += c;
    }
  }
  return out + "\"";
}

std::string repeated(const std::string& item, uint64_t least, std::optional<uint64_t> most, const std::string& separator) {
  if (most == 0u) return "";
  if (least == 0 && most == 1u) return item + "?";
  if (separator.empty()) {
    if (!most.has_value() && least <= 1) return item + (least == 0 ? "*" : "+");
    return item + "{" + std::to_string(least) + "," + (most.has_value() ? std::to_string(*most) : "") + "}";
  }
  const std::optional<uint64_t> more = most.has_value() ? std::optional<uint64_t>(*most - 1) : std::nullopt;
  const std::string all = item + " " + repeated("(" + separator + " " + item + ")", least == 0 ? 0 : least - 1, more);
  return least == 0 ? "(" + all + ")?" : all;
}

}  // namespace bankml::schema
