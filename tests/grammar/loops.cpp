// core/grammar/loops.h: a split allows what the whole allows, and loops lead to themselves.
#include "core/grammar/loops.h"

#include <gtest/gtest.h>

#include <set>

#include "tests/grammar/fixture.h"
#include "tests/grammar/random_grammar.h"

namespace bankml::grammar {
namespace {

Machine machine_of(const std::string& text) {
  return Machine(std::make_shared<const Program>(parse_gbnf(text, {}), 8), size_t{64} << 20);
}

Config after(Machine& machine, const std::string& text) {
  Config config = machine.start();
  for (const char c : text) config = machine.step(config, machine.program().class_of(static_cast<uint8_t>(c)));
  return config;
}

// Items and "complete" of the parts together are those of the whole, and each loop leads to itself on its spans.
void check(Machine& machine, Loops& loops, Config config) {
  const Split& split = loops.of(config);
  std::set<Item> items(machine.items(split.rest).begin(), machine.items(split.rest).end());
  bool complete = machine.complete(split.rest);
  for (const Loop& loop : split.loops) {
    items.insert(machine.items(loop.config).begin(), machine.items(loop.config).end());
    complete = complete || machine.complete(loop.config);
    ASSERT_FALSE(loop.spans.empty());
    for (const CharSpan& span : loop.spans) {
      for (uint64_t c = span.lowest; c < span.behind;
           c = machine.program().behind(machine.program().class_of(static_cast<uint32_t>(c)))) {
        EXPECT_EQ(machine.step(loop.config, machine.program().class_of(static_cast<uint32_t>(c))), loop.config);
      }
    }
  }
  EXPECT_EQ(items, std::set<Item>(machine.items(config).begin(), machine.items(config).end()));
  EXPECT_EQ(complete, machine.complete(config));
}

TEST(Loops, IdentifierBesideAKeyword) {
  Machine machine = machine_of("root ::= \"if\" \"(\" | name \"=\"\nname ::= [a-z] [a-z0-9]*\n");
  Loops loops(machine);
  const Config start = machine.start();
  EXPECT_TRUE(loops.of(start).loops.empty());
  EXPECT_EQ(loops.of(start).rest, start);
  const Split& split = loops.of(after(machine, "i"));
  ASSERT_EQ(split.loops.size(), 1u);
  EXPECT_EQ(split.loops[0].spans, (std::vector<CharSpan>{{'0', '9' + 1}, {'a', 'z' + 1}}));
  EXPECT_EQ(split.loops[0].config, after(machine, "xy"));
  EXPECT_EQ(machine.items(split.rest).size(), 1u);  // the f of "if"
  EXPECT_EQ(loops.of(after(machine, "xy")).rest, Machine::dead);
}

TEST(Loops, StringsAndComments) {
  Machine machine = machine_of("root ::= \"'\" char* \"'\" | \"#\" [^\\n]* \"\\n\"\nchar ::= [^'\\\\] | \"\\\\\" .");
  Loops loops(machine);
  const Split& string = loops.of(after(machine, "'"));
  ASSERT_EQ(string.loops.size(), 1u);
  EXPECT_EQ(string.loops[0].spans, (std::vector<CharSpan>{{0, '\''}, {'\'' + 1, '\\'}, {'\\' + 1, uint64_t{1} << 32}}));
  EXPECT_EQ(loops.of(after(machine, "#")).loops.size(), 1u);
  EXPECT_TRUE(loops.of(after(machine, "'\\")).loops.empty());
}

TEST(Loops, TogetherTheyAreTheWhole) {
  std::mt19937 dice(3);
  for (int round = 0, made = 0; made < 2000; ++round) {
    const std::string text = random_grammar(dice);
    if (parse_message(text) != "ok") continue;
    ++made;
    Machine machine = machine_of(text);
    Loops loops(machine);
    Config config = machine.start();
    for (int step = 0; step < 12 && config != Machine::dead; ++step) {
      check(machine, loops, config);
      ASSERT_FALSE(HasFailure()) << text;
      config = machine.step(config, machine.program().class_of("abc \n"[dice() % 5]));
    }
  }
}

}  // namespace
}  // namespace bankml::grammar
