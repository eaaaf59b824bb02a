// Configurations: what must stay small, and that shortened stacks answer alike.
#include <gtest/gtest.h>

#include "core/grammar/machine.h"
#include "tests/grammar/fixture.h"

namespace bankml::grammar {
namespace {

struct Made {
  explicit Made(const std::string& text, uint32_t longest = 4, size_t max_bytes = size_t{64} << 20)
      : machine(std::make_shared<const Program>(parse_gbnf(text, {}), longest), max_bytes) {}
  Config run(const std::string& text) {
    Config config = machine.start();
    for (const char c : text) config = machine.step(config, machine.program().class_of(static_cast<uint8_t>(c)));
    return config;
  }
  Machine machine;
};

TEST(Machine, StacksThatWouldDouble) {
  Made made("root ::= s\ns ::= \"x\" s \"y\" | \"x\" s \"z\" | \"w\"");
  const Config deep = made.run(std::string(10000, 'x'));
  EXPECT_LE(made.machine.items(deep).size(), 4u);
  EXPECT_LT(made.machine.bytes(), size_t{8} << 20);
  std::string text = std::string(10000, 'x') + "w";
  for (int i = 0; i < 10000; ++i) text += i % 3 == 0 ? 'y' : 'z';
  EXPECT_TRUE(made.machine.complete(made.run(text)));
}

TEST(Machine, LastCallsPushNothing) {
  Made made("root ::= \"a\" root | \"b\"");
  EXPECT_EQ(made.run("a"), made.run("aaaaaaaa"));
  Made loops("root ::= [a-z ]* \"!\"");
  EXPECT_EQ(loops.run("a"), loops.run("some words"));
}

TEST(Machine, OptionalItemsInARow) {
  std::string text = "root ::= ";
  for (int i = 0; i < 40; ++i) text += "\"x\"? ";
  Made made(text + "\"y\"");
  EXPECT_TRUE(made.machine.complete(made.run("xxxxxxy")));
  EXPECT_EQ(made.run(std::string(41, 'x')), Machine::dead);
}

TEST(Machine, NestedBoundsAreMetLazily) {
  Made made("root ::= b{0,2000}\nb ::= a{0,2000}\na ::= \"x\"{0,2000}");
  EXPECT_TRUE(made.machine.complete(made.run("xxxx")));
}

TEST(Machine, ShortenedStacks) {
  Made made("root ::= v\nv ::= \"[\" v \"]\" | \"x\"");
  const Config at10 = made.machine.shortened(made.run(std::string(10, '[')), 2);
  EXPECT_EQ(at10, made.machine.shortened(made.run(std::string(20, '[')), 2));
  Config config = made.machine.step(at10, made.machine.program().class_of('x'));
  EXPECT_FALSE(made.machine.lost(config));
  config = made.machine.step(config, made.machine.program().class_of(']'));
  EXPECT_FALSE(made.machine.lost(config));
  config = made.machine.step(config, made.machine.program().class_of(']'));
  EXPECT_TRUE(made.machine.lost(config));
}

TEST(Machine, CountsAboveTheLongestPieceAreEqual) {
  Made made("root ::= \"<\" [a-z]{0,1000} \">\"", 4);
  const Config many = made.machine.shortened(made.run("<"), 1);
  EXPECT_EQ(many, made.machine.shortened(made.run("<" + std::string(900, 'a')), 1));
  EXPECT_NE(many, made.machine.shortened(made.run("<" + std::string(998, 'a')), 1));
  Made exact("root ::= \"<\" [a-z]{1000} \">\"", 4);
  EXPECT_EQ(exact.machine.shortened(exact.run("<aa"), 1), exact.machine.shortened(exact.run("<" + std::string(900, 'a')), 1));
  EXPECT_NE(exact.machine.shortened(exact.run("<aa"), 1), exact.machine.shortened(exact.run("<" + std::string(998, 'a')), 1));
}

TEST(Machine, FullIsAnError) {
  Made made("root ::= v\nv ::= \"[\" v \"]\" | \"x\"", 4, 100000);
  try {
    made.run(std::string(100000, '['));
    FAIL();
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.status(), Status::limit);
  }
}

}  // namespace
}  // namespace bankml::grammar
