// Configurations: what must stay small, and that shortened stacks answer alike.
#include <gtest/gtest.h>

#include "core/grammar/machine.h"
#include "tests/grammar/fixture.h"

namespace bankml::grammar {
namespace {

struct Made {
  explicit Made(const std::string& text, uint32_t longest = 4, size_t max_bytes = size_t{64} << 20, uint32_t level = 24)
      : program(std::make_shared<const Program>(parse_gbnf(text, {}), longest, level)), machine(program, max_bytes) {}
  Config run(const std::string& text) {
    Config config = machine.start();
    for (const char c : text) config = machine.step(config, machine.program().class_of(static_cast<uint8_t>(c)));
    return config;
  }
  std::shared_ptr<const Program> program;
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
  Machine shapes(made.program, size_t{64} << 20, true);
  const Config at10 = shapes.shortened(made.machine, made.run(std::string(10, '[')), 2);
  EXPECT_EQ(at10, shapes.shortened(made.machine, made.run(std::string(20, '[')), 2));
  Config config = shapes.step(at10, made.program->class_of('x'));
  EXPECT_FALSE(shapes.lost(config));
  config = shapes.step(config, made.program->class_of(']'));
  EXPECT_FALSE(shapes.lost(config));
  config = shapes.step(config, made.program->class_of(']'));
  EXPECT_TRUE(shapes.lost(config));
}

// Every frame may be left at once, so a mask takes all of the stack, however deep.
TEST(Machine, StacksOfManyFramesAreBroughtOver) {
  Made made("root ::= v\nv ::= \"[\" v \" \"* | \"x\"", 4, size_t{256} << 20);
  Machine shapes(made.program, size_t{256} << 20, true);
  const Config deep = made.run(std::string(100000, '['));
  const Config shape = shapes.shortened(made.machine, deep, UINT32_MAX);
  EXPECT_EQ(shapes.items(shape).size(), made.machine.items(deep).size());
  EXPECT_FALSE(shapes.lost(shapes.step(shape, made.program->class_of('x'))));
  EXPECT_TRUE(shapes.complete(shapes.step(shape, made.program->class_of('x'))));
}

// The longest piece has 10 code points, settled is what has 3 or more copies left.
TEST(Machine, LongRepetitionsSettle) {
  for (const char* text : {"root ::= \"<\" [a-z]{0,1000} \">\"", "root ::= \"<\" [a-z]{1000} \">\""}) {
    Made made(text, 10, size_t{64} << 20, 4);
    Machine shapes(made.program, size_t{64} << 20, true);
    const auto shape = [&](size_t n) { return shapes.shortened(made.machine, made.run("<" + std::string(n, 'a')), 1); };
    const auto scarce = [&](size_t n) { return made.machine.scarce(made.run("<" + std::string(n, 'a'))); };
    EXPECT_EQ(shape(1), shape(900));
    EXPECT_EQ(shape(1), shape(995));
    EXPECT_EQ(shapes.step(shape(1), made.program->class_of('a')), shape(1));  // a loop
    EXPECT_NE(shape(1), shape(998));
    EXPECT_NE(shape(998), shape(999));
    EXPECT_FALSE(scarce(900));
    EXPECT_TRUE(scarce(993));
    EXPECT_FALSE(scarce(999));
  }
  Made few("root ::= [a-z]{0,12}", 10, size_t{64} << 20, 4);  // not long: pieces may take all of it
  Machine shapes(few.program, size_t{64} << 20, true);
  EXPECT_NE(shapes.shortened(few.machine, few.run("a"), 1), shapes.shortened(few.machine, few.run("aa"), 1));
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
