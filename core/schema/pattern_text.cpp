// Tested by tests/schema/llama_schema.cpp
#include "core/schema/pattern_text.h"

#include <charconv>
#include <cstdlib>
#include <optional>
#include <vector>

#include "core/schema/gbnf_rules.h"

namespace bankml::schema {
namespace pattern_text_detail {

constexpr int max_groups = 100;
constexpr std::string_view special = "|.()[]{}*+?";
constexpr std::string_view literal_escapes = "^$.[]()|{}*+?";

struct AnyString {};
struct Invalid {
  const char* reason;
};

class Translator {
 public:
  Translator(std::string_view inside, const std::function<std::string(const std::string&)>& add_rule)
      : text_(inside), add_rule_(add_rule) {}

  std::string run() {
    const std::string out = group(0);
    if (at_ < text_.size()) throw Invalid{"unbalanced parentheses"};
    return out;
  }

 private:
  struct Part {
    std::string text;
    bool literal;
    std::string rule() const { return literal ? "\"" + text + "\"" : text; }
  };

  bool more() const { return at_ < text_.size(); }

  static bool is_hex(std::string_view text) {
    for (const char c : text) {
      if (!((c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'))) return false;
    }
    return true;
  }
  // The length of the GBNF escape at `at`, 0 if it is none; `extra`: characters that may be escaped besides.
  size_t escape_size(size_t at, std::string_view extra) const {
    const char c = at + 1 < text_.size() ? text_[at + 1] : '\0';
    const size_t digits = c == 'x' ? 2 : c == 'u' ? 4 : c == 'U' ? 8 : 0;
    if (digits > 0) {
      const std::string_view hex = std::string_view(text_).substr(at + 2, digits);
      return hex.size() == digits && is_hex(hex) ? 2 + digits : 0;
    }
    return c != '\0' && (std::string_view("trn\\\"-").find(c) != std::string_view::npos || extra.find(c) != std::string_view::npos)
               ? 2
               : 0;
  }

  std::string group(int depth) {
    if (depth > max_groups) throw AnyString{};
    std::vector<Part> parts;
    while (more()) {
      const char c = text_[at_];
      if (c == '.') {
        parts.push_back({"[^\\x0A\\x0D]", false});
        ++at_;
      } else if (c == '(') {
        ++at_;
        if (more() && text_[at_] == '?') {
          if (at_ + 1 >= text_.size() || text_[at_ + 1] != ':') throw AnyString{};
          at_ += 2;
        }
        const std::string inner = group(depth + 1);
        if (!more()) throw Invalid{"unbalanced parentheses"};
        ++at_;
        parts.push_back({"(" + inner + ")", false});
      } else if (c == ')') {
        if (depth == 0) throw Invalid{"unbalanced parentheses"};
        break;
      } else if (c == '^' || c == '$') {
        throw AnyString{};
      } else if (c == '[') {
        parts.push_back({char_class(), false});
      } else if (c == '|') {
        parts.push_back({"|", false});
        ++at_;
      } else if (c == '*' || c == '+' || c == '?') {
        if (parts.empty()) throw Invalid{"nothing to repeat"};
        parts.back() = {parts.back().rule() + c, false};
        ++at_;
      } else if (c == '{') {
        repeat(parts);
      } else if (c == ']' || c == '}') {
        throw AnyString{};
      } else {
        parts.push_back({literals(), true});
      }
    }
    std::string out;
    for (const Part& part : parts) out += (out.empty() ? "" : " ") + part.rule();
    return out;
  }

  std::string char_class() {
    const size_t begin = at_++;
    if (more() && text_[at_] == '^') ++at_;
    while (more() && text_[at_] != ']') {
      if (text_[at_] != '\\') {
        ++at_;
        continue;
      }
      if (at_ + 1 >= text_.size()) throw Invalid{"unterminated character class"};
      const size_t size = escape_size(at_, "[]");
      if (size == 0) throw AnyString{};
      at_ += size;
    }
    if (!more()) throw Invalid{"unterminated character class"};
    ++at_;
    const std::string_view taken = std::string_view(text_).substr(begin, at_ - begin);
    // An empty class matches the empty text.
    return taken == "[]" || taken == "[^]" ? "\"\"" : std::string(taken);
  }

  // As C's strtol reads it: blanks in front, anything behind.
  static std::optional<uint64_t> number(const std::string& text) {
    char* end = nullptr;
    const long value = std::strtol(text.c_str(), &end, 10);
    if (end == text.c_str()) throw AnyString{};
    return static_cast<uint64_t>(value);
  }

  void repeat(std::vector<Part>& parts) {
    if (parts.empty()) throw Invalid{"nothing to repeat"};
    const size_t end = text_.find('}', at_);
    if (end == std::string::npos) throw AnyString{};
    const std::string inside = text_.substr(at_ + 1, end - at_ - 1);
    at_ = end + 1;
    std::vector<std::string> values(1);
    for (const char c : inside) {
      if (c == ',') {
        values.emplace_back();
      } else {
        values.back() += c;
      }
    }
    if (values.size() > 2) throw AnyString{};
    uint64_t least = 0;
    std::optional<uint64_t> most;
    if (values.size() == 1) {
      least = *number(values[0]);
      most = least;
    } else {
      if (!values[0].empty()) least = *number(values[0]);
      if (!values[1].empty()) most = number(values[1]);
    }
    Part& last = parts.back();
    const std::string item = last.literal ? last.rule() : add_rule_(last.text);
    last = {repeated(item, least, most), false};
  }

  std::string literals() {
    std::string out;
    while (more()) {
      const char c = text_[at_];
      if (c == '\\') {
        if (at_ + 1 >= text_.size()) throw Invalid{"trailing backslash"};
        const size_t size = escape_size(at_, literal_escapes);
        if (size == 0) throw AnyString{};
        const char escaped = text_[at_ + 1];
        if (size == 2 && (literal_escapes.find(escaped) != std::string_view::npos || escaped == '-')) {
          out += escaped;
        } else {
          out += text_.substr(at_, size);
        }
        at_ += size;
      } else if (c == '"') {
        out += "\\\"";
        ++at_;
      } else if (special.find(c) == std::string_view::npos && c != '^' && c != '$' &&
                 (at_ + 1 == text_.size() || out.empty() || text_[at_ + 1] == '.' ||
                  special.find(text_[at_ + 1]) == std::string_view::npos)) {
        out += c;
        ++at_;
      } else {
        break;
      }
    }
    return out;
  }

  std::string text_;
  const std::function<std::string(const std::string&)>& add_rule_;
  size_t at_ = 0;
};

}  // namespace pattern_text_detail

PatternText pattern_text(std::string_view pattern, const std::function<std::string(const std::string&)>& add_rule) {
  using namespace pattern_text_detail;
  PatternText out;
  if (pattern.size() < 2 || pattern.front() != '^' || pattern.back() != '$') {
    out.any_string = true;
    return out;
  }
  try {
    out.text = Translator(pattern.substr(1, pattern.size() - 2), add_rule).run();
  } catch (const AnyString&) {
    out.any_string = true;
  } catch (const Invalid& invalid) {
    out.error = "Invalid pattern " + std::string(pattern) + ": " + invalid.reason;
  }
  return out;
}

}  // namespace bankml::schema
