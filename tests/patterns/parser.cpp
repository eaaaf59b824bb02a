// Text to tree: shapes, sets, and every refusal with its position.
#include "core/patterns/parser.h"

#include <gtest/gtest.h>

#include <string>

#include "core/base/status.h"
#include "core/patterns/program.h"

namespace bankml::patterns {
namespace {

// The tree in prefix form: sets as ranges, groups as (n ...), repetitions as {min,max ...}.
std::string shape(const Ast& ast, uint32_t index) {
  const Node& node = ast.nodes[index];
  std::string inner;
  for (uint32_t i = 0; i < node.count; ++i) {
    if (i > 0 && node.kind == Node::alternation) inner += '|';
    inner += shape(ast, ast.children[node.first + i]);
  }
  switch (node.kind) {
    case Node::empty:
      return "-";
    case Node::set:
      for (const Range& range : ast.sets[node.value]) inner += std::to_string(range.lo) + ".." + std::to_string(range.hi) + " ";
      return "[" + inner + "]";
    case Node::group:
      return "(" + std::to_string(node.value) + " " + inner + ")";
    case Node::repeat:
      return "{" + std::to_string(node.min) + "," + (node.max == unbounded ? "" : std::to_string(node.max)) +
             (node.lazy ? "? " : " ") + inner + "}";
    case Node::assertion:
      return "@" + std::to_string(node.value);
    default:
      return inner;
  }
}
std::string shape(const std::string& text) {
  const Ast ast = parse(text);
  return shape(ast, ast.root);
}

std::string refusal(const std::string& text) {
  try {
    Program made{std::string_view(text)};
  } catch (const Failure& failure) {
    return (failure.status() == Status::limit ? "limit " : "") + failure.text();
  }
  return "ok";
}

TEST(PatternParser, Shapes) {
  EXPECT_EQ(shape(""), "-");
  EXPECT_EQ(shape("a|"), "[97..97 ]|-");
  EXPECT_EQ(shape("(a)(?:b)(c)"), "(1 [97..97 ])[98..98 ](2 [99..99 ])");
  EXPECT_EQ(shape("a*?b+c{2,}d{3}e{0,4}?"), "{0,? [97..97 ]}{1, [98..98 ]}{2, [99..99 ]}{3,3 [100..100 ]}{0,4? [101..101 ]}");
  EXPECT_EQ(shape("^\\b.\\B$"), "@0@2[0..9 11..12 14..255 ]@3@1");
  EXPECT_EQ(shape("[^a-z_]"), "[0..94 96..96 123..255 ]");
  EXPECT_EQ(shape("[]"), "[]");
  EXPECT_EQ(parse("aaaa").sets.size(), 1u);  // equal sets are one
  EXPECT_EQ(parse("((a)(?:b))|(c)").groups, 3u);
}

TEST(PatternParser, RefusalsSayWhatAndWhere) {
  const std::pair<const char*, const char*> cases[] = {
      {"a(?=b)", "position 2: look-ahead '(?=' is not supported"},
      {"a(?!b)", "position 2: look-ahead '(?!' is not supported"},
      {"(?<=a)b", "position 1: look-behind '(?<' is not supported"},
      {"(?<n>a)", "position 1: named groups '(?<' are not supported"},
      {"(?P<n>a)", "position 1: invalid '(?...)'"},
      {"(?", "position 1: invalid '(?...)'"},
      {"(a)\\1", "position 4: back-references are not supported"},
      {"[\\1]", "position 2: back-references are not supported"},
      {"[[.a.]]", "position 2: collating elements '[.' are not supported"},
      {"[[=a=]]", "position 2: equivalence classes '[=' are not supported"},
      {"[[:none:]]", "position 2: unknown class '[:none:]'"},
      {"[[:alpha", "position 2: '[:' without a ':]'"},
      {"(a", "position 1: '(' without a ')'"},
      {"a)", "position 2: ')' without a '('"},
      {"[a", "position 1: '[' without a ']'"},
      {"*a", "position 1: nothing before '*' that could be repeated"},
      {"^+", "position 2: nothing before '+' that could be repeated"},
      {"a|?", "position 3: nothing before '?' that could be repeated"},
      {"{2}", "position 1: nothing before '{' that could be repeated"},
      {"a{,2}", "position 3: a number is missing in '{...}'"},
      {"\\p{L}", "position 4: a number is missing in '{...}'"},
      {"a{3,2}", "position 2: the maximum in '{...}' is below the minimum"},
      {"a{2", "position 2: '{' without a '}'"},
      {"a{99999999999}", "position 2: the number in '{...}' is too large"},
      {"a\\", "position 2: '\\' at the end"},
      {"\\c", "position 1: '\\c' at the end"},
      {"\\x1", "position 1: '\\x' needs two hexadecimal digits"},
      {"\\u123g", "position 1: '\\u' needs four hexadecimal digits"},
      {"[z-a]", "position 3: a range whose end is below its beginning"},
      {"[a-\\xFF]", "position 3: a range whose end is below its beginning"},  // characters have a sign
      {"[\\w-a]", "position 4: a range cannot begin with a class"},
      {"[a-\\w]", "position 3: a range cannot end with a class"},
      {"[\\B]", "position 2: '\\B' inside '[...]'"}};
  for (const auto& [text, message] : cases) EXPECT_EQ(refusal(text), std::string("pattern, ") + message) << text;
}

TEST(PatternParser, SizeIsBounded) {
  EXPECT_EQ(refusal("(a{1000}){1000}").substr(0, 45), "limit pattern: more than 20000 parts once its");
  EXPECT_EQ(refusal("((((((a{99}){99}){99}){99}){99}){99}){99}").substr(0, 6), "limit ");
  EXPECT_EQ(refusal("(a{1000000000}){1000000000}").substr(0, 6), "limit ");
  EXPECT_EQ(refusal("a{20000}").substr(0, 6), "limit ");
  EXPECT_EQ(refusal("a{19999}"), "ok");
  EXPECT_EQ(refusal(std::string(100000, '(') + std::string(100000, ')')).substr(0, 6), "limit ");
  EXPECT_EQ(refusal("a" + std::string(100000, '*')).substr(0, 6), "limit ");
  EXPECT_EQ(refusal(std::string(100, '(') + "a" + std::string(100, ')')), "ok");
  std::string groups;
  for (int i = 0; i < 3000; ++i) groups += "(a)";
  EXPECT_EQ(refusal(groups).substr(0, 6), "limit ");
  EXPECT_EQ(refusal(std::string(19999, 'a')), "ok");
  EXPECT_EQ(refusal(std::string(3000000, 'a')).substr(0, 6), "limit ");
}

}  // namespace
}  // namespace bankml::patterns
