// GBNF rules by name, as the reference's converter collects them: a name that is taken by another rule gets a number behind it.
//
// Source: llama.cpp b11192. Tested by tests/schema/llama_schema.cpp
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace bankml::schema {

constexpr size_t max_text = size_t{16} << 20;  // bytes of the grammar; names grow with the nesting, so the text can be its square

class GbnfRules {
 public:
  GbnfRules();

  bool has(const std::string& name) const { return rules_.contains(name); }
  // The name under which the rule stands. Every run of characters that names cannot have becomes one `-`. Throws Failure(limit).
  std::string add(std::string_view name, const std::string& text);
  // One of the reference's own rules under `name`, with those that it needs, as far as no rule has their names.
  std::string add_builtin(std::string_view name, std::string_view builtin);

  static bool is_reserved(std::string_view name);
  static std::string cleaned(std::string_view name);

  std::string text() const;  // sorted by name

 private:
  std::map<std::string, std::string> rules_;
  size_t bytes_ = 0;
};

// A text in quotes.
std::string literal(std::string_view text);

// `item` between `least` and `most` times, with `separator` between.
std::string repeated(const std::string& item, uint64_t least, std::optional<uint64_t> most, const std::string& separator = "");

}  // namespace bankml::schema
