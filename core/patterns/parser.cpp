// Recursive descent; the depth is bounded by max_height.
#include "core/patterns/parser.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "core/base/status.h"
#include "core/patterns/classes.h"

namespace bankml::patterns {
namespace pattern_parser {

// As on x86, where the reference runs: characters have a sign.
int signed_value(uint8_t byte) { return byte < 128 ? byte : byte - 256; }

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  Ast run() {
    ast_.root = alternation(0);
    if (!done()) fail("')' without a '('", at_);
    return std::move(ast_);
  }

 private:
  [[noreturn]] void fail(const std::string& message, size_t at) const {
    throw Failure(Status::parse, "pattern, position " + std::to_string(at + 1) + ": " + message);
  }
  bool done() const { return at_ >= text_.size(); }
  bool at(char c) const { return !done() && text_[at_] == c; }
  bool take(char c) {
    if (!at(c)) return false;
    ++at_;
    return true;
  }

  uint32_t add(Node node, const std::vector<uint32_t>& children = {}) {
    node.first = static_cast<uint32_t>(ast_.children.size());
    node.count = static_cast<uint32_t>(children.size());
    for (const uint32_t child : children) node.height = std::max(node.height, ast_.nodes[child].height);
    if (node.kind == Node::group || node.kind == Node::repeat) ++node.height;
    if (node.height > max_height) too_deep();
    if (ast_.nodes.size() == max_nodes) {
      throw Failure(Status::limit,
                    "pattern, position " + std::to_string(at_ + 1) + ": more than " + std::to_string(max_nodes) + " parts");
    }
    ast_.children.insert(ast_.children.end(), children.begin(), children.end());
    ast_.nodes.push_back(node);
    return static_cast<uint32_t>(ast_.nodes.size() - 1);
  }
  [[noreturn]] void too_deep() const {
    throw Failure(Status::limit, "pattern, position " + std::to_string(at_ + 1) + ": more than " + std::to_string(max_height) +
                                     " groups and repetitions inside one another");
  }
  uint32_t add_set(const ByteSet& bytes) {
    Set set;
    for (uint32_t byte = 0; byte < 256; ++byte) {
      if (!bytes[byte]) continue;
      if (!set.empty() && set.back().hi + 1 == byte) {
        ++set.back().hi;
      } else {
        set.push_back({byte, byte});
      }
    }
    std::string key;  // one entry for equal sets
    for (const Range& range : set) {
      key.push_back(static_cast<char>(range.lo));
      key.push_back(static_cast<char>(range.hi));
    }
    const auto [found, fresh] = sets_.try_emplace(std::move(key), static_cast<uint32_t>(ast_.sets.size()));
    if (fresh) ast_.sets.push_back(std::move(set));
    return add({.kind = Node::set, .value = found->second});
  }
  uint32_t add_byte(uint8_t byte) {
    ByteSet set;
    set.set(byte);
    return add_set(set);
  }

  uint32_t alternation(uint32_t depth) {
    if (depth > max_height) too_deep();
    std::vector<uint32_t> ways{sequence(depth)};
    while (take('|')) ways.push_back(sequence(depth));
    return ways.size() == 1 ? ways[0] : add({.kind = Node::alternation}, ways);
  }

  uint32_t sequence(uint32_t depth) {
    std::vector<uint32_t> parts;
    while (!done() && !at('|') && !at(')')) {
      if (const auto assertion = this->assertion()) {
        parts.push_back(*assertion);
        continue;
      }
      uint32_t part = atom(depth);
      while (quantified(part)) {
      }
      parts.push_back(part);
    }
    if (parts.empty()) return add({.kind = Node::empty});
    return parts.size() == 1 ? parts[0] : add({.kind = Node::sequence}, parts);
  }

  std::optional<uint32_t> assertion() {
    uint32_t kind;
    if (take('^')) {
      kind = at_begin;
    } else if (take('$')) {
      kind = at_end;
    } else if (at('\\') && at_ + 1 < text_.size() && (text_[at_ + 1] == 'b' || text_[at_ + 1] == 'B')) {
      kind = text_[at_ + 1] == 'b' ? at_word_border : inside_or_outside_word;
      at_ += 2;
    } else {
      return std::nullopt;
    }
    return add({.kind = Node::assertion, .value = kind});
  }

  uint32_t atom(uint32_t depth) {
    const size_t begin = at_;
    const char c = text_[at_++];
    switch (c) {
      case '.': {
        ByteSet line_ends;
        line_ends.set('\n');
        line_ends.set('\r');
        return add_set(~line_ends);
      }
      case '(':
        return group(begin, depth);
      case '[':
        return add_set(bracket(begin));
      case '\\': {
        const Escape escape = this->escape(begin, false);
        return escape.is_class ? add_set(escape.set) : add_byte(escape.byte);
      }
      case '*':
      case '+':
      case '?':
      case '{':
        fail(std::string("nothing before '") + c + "' that could be repeated", begin);
      default:
        return add_byte(static_cast<uint8_t>(c));
    }
  }

  uint32_t group(size_t begin, uint32_t depth) {
    bool captures = true;
    if (take('?')) {
      if (take(':')) {
        captures = false;
      } else if (at('=') || at('!')) {
        fail("look-ahead '(?" + std::string(1, text_[at_]) + "' is not supported", begin);
      } else if (at('<')) {
        const bool behind = at_ + 1 < text_.size() && (text_[at_ + 1] == '=' || text_[at_ + 1] == '!');
        fail(behind ? "look-behind '(?<' is not supported" : "named groups '(?<' are not supported", begin);
      } else {
        fail("invalid '(?...)'", begin);
      }
    }
    const uint32_t number = captures ? ++ast_.groups : 0;
    const uint32_t inner = alternation(depth + 1);
    if (!take(')')) fail("'(' without a ')'", begin);
    return captures ? add({.kind = Node::group, .value = number}, {inner}) : inner;
  }

  // `part` with the quantifier that follows, if one does.
  bool quantified(uint32_t& part) {
    Node node{.kind = Node::repeat};
    if (take('*')) {
      node.max = unbounded;
    } else if (take('+')) {
      node.min = 1;
      node.max = unbounded;
      node.looped = true;
    } else if (take('?')) {
      node.max = 1;
    } else if (at('{')) {
      braces(node);
    } else {
      return false;
    }
    node.lazy = take('?');
    part = add(node, {part});
    return true;
  }

  void braces(Node& node) {
    const size_t begin = at_++;
    const auto number = [&] {
      uint64_t value = 0;
      if (done() || text_[at_] < '0' || text_[at_] > '9') fail("a number is missing in '{...}'", at_);
      for (; !done() && text_[at_] >= '0' && text_[at_] <= '9'; ++at_) {
        value = value * 10 + static_cast<uint64_t>(text_[at_] - '0');
        if (value > 0x7FFFFFFF) fail("the number in '{...}' is too large", begin);
      }
      return static_cast<uint32_t>(value);
    };
    node.min = node.max = number();
    if (take(',')) node.max = at('}') ? unbounded : number();
    if (!take('}')) fail("'{' without a '}'", begin);
    if (node.max < node.min) fail("the maximum in '{...}' is below the minimum", begin);
  }

  struct Escape {
    bool is_class;
    uint8_t byte;
    ByteSet set;
  };
  // Behind the backslash at `begin`.
  Escape escape(size_t begin, bool in_bracket) {
    if (done()) fail("'\\' at the end", begin);
    const char c = text_[at_++];
    const auto byte = [](char b) { return Escape{false, static_cast<uint8_t>(b), {}}; };
    switch (c) {
      case '0':
        return byte('\0');
      case 'f':
        return byte('\f');
      case 'n':
        return byte('\n');
      case 'r':
        return byte('\r');
      case 't':
        return byte('\t');
      case 'v':
        return byte('\v');
      case 'b':
        return byte('\b');  // in a bracket; outside it is an assertion
      case 'B':
        if (in_bracket) fail("'\\B' inside '[...]'", begin);
        return byte('B');
      case 'd':
      case 's':
      case 'w':
        return {true, 0, *class_of_name(std::string_view(&c, 1))};
      case 'D':
      case 'S':
      case 'W':
        return {true, 0, ~*class_of_name(std::string_view(&c, 1))};
      case 'c':
        if (done()) fail("'\\c' at the end", begin);
        return byte(text_[at_++]);
      case 'x':
        return {false, hex(begin, 2), {}};
      case 'u':
        return {false, hex(begin, 4), {}};
      default:
        if (c >= '1' && c <= '9') fail("back-references are not supported", begin);
        return byte(c);
    }
  }

  uint8_t hex(size_t begin, int digits) {
    uint32_t value = 0;
    for (int i = 0; i < digits; ++i, ++at_) {
      const char c = done() ? ' ' : text_[at_];
      uint32_t digit;
      if (c >= '0' && c <= '9') {
        digit = static_cast<uint32_t>(c - '0');
      } else if ((c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F')) {
        digit = static_cast<uint32_t>((c | 0x20) - 'a' + 10);
      } else {
        fail(digits == 2 ? "'\\x' needs two hexadecimal digits" : "'\\u' needs four hexadecimal digits", begin);
      }
      value = value * 16 + digit;
    }
    return static_cast<uint8_t>(value);
  }

  // One thing inside a bracket: a byte, a class, an unescaped dash, or the closing bracket.
  struct Term {
    enum { byte, set, dash, close } kind;
    uint8_t value;
    ByteSet bytes;
  };
  Term term(size_t bracket_begin) {
    if (done()) fail("'[' without a ']'", bracket_begin);
    const size_t begin = at_;
    const char c = text_[at_++];
    if (c == ']') return {Term::close, 0, {}};
    if (c == '-') return {Term::dash, 0, {}};
    if (c == '\\') {
      const Escape found = escape(begin, true);
      return {found.is_class ? Term::set : Term::byte, found.byte, found.set};
    }
    if (c == '[') {
      if (done()) fail("'[' without a ']'", bracket_begin);
      if (at('.')) fail("collating elements '[.' are not supported", begin);
      if (at('=')) fail("equivalence classes '[=' are not supported", begin);
      if (take(':')) {
        const size_t end = text_.find(':', at_);
        if (end == std::string_view::npos || end + 1 >= text_.size() || text_[end + 1] != ']') fail("'[:' without a ':]'", begin);
        const auto set = class_of_name(text_.substr(at_, end - at_));
        if (!set) fail("unknown class '[:" + std::string(text_.substr(at_, end - at_)) + ":]'", begin);
        at_ = end + 2;
        return {Term::set, 0, *set};
      }
    }
    return {Term::byte, static_cast<uint8_t>(c), {}};
  }

  ByteSet bracket(size_t begin) {
    const bool negated = take('^');
    ByteSet set;
    enum { nothing, byte, some_class } last = nothing;  // what a dash would follow
    uint8_t from = 0;
    const auto put = [&](uint8_t value) {
      if (last == byte) set.set(from);
      last = byte;
      from = value;
    };
    for (bool first = true;; first = false) {
      const size_t place = at_;
      Term now = term(begin);
      if (now.kind == Term::close) break;
      if (now.kind == Term::byte) {
        put(now.value);
      } else if (now.kind == Term::set) {
        if (last == byte) set.set(from);
        last = some_class;
        set |= now.bytes;
      } else if (first) {
        put('-');
      } else if (at(']')) {
        put('-');  // the last one stands for itself
      } else if (last == some_class) {
        fail("a range cannot begin with a class", place);
      } else if (last == nothing) {
        put('-');
      } else {
        now = term(begin);
        if (now.kind == Term::set) fail("a range cannot end with a class", place);
        const uint8_t to = now.kind == Term::dash ? uint8_t{'-'} : now.value;
        if (signed_value(from) > signed_value(to)) fail("a range whose end is below its beginning", place);
        for (int v = signed_value(from); v <= signed_value(to); ++v) set.set(static_cast<uint8_t>(v));
        last = nothing;
      }
    }
    if (last == byte) set.set(from);
    return negated ? ~set : set;
  }

  std::string_view text_;
  size_t at_ = 0;
  Ast ast_;
  std::map<std::string, uint32_t> sets_;
};

}  // namespace pattern_parser

Ast parse(std::string_view text) { return pattern_parser::Parser(text).run(); }

}  // namespace bankml::patterns
