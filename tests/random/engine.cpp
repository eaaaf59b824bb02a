// The engine against std::mt19937 and libstdc++'s distributions, and its undo.
#include "core/random/engine.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <random>
#include <vector>

#if !defined(__GLIBCXX__)
#error "the draws are compared with libstdc++: build the tests with it"
#endif

namespace {

using bankml::random::Engine;
using bankml::random::unit_double;
using bankml::random::unit_float;

// Scripted outputs for libstdc++'s distributions.
struct Script {
  using result_type = uint32_t;
  static constexpr result_type min() { return 0; }
  static constexpr result_type max() { return 0xFFFFFFFFu; }
  result_type operator()() { return outputs.at(taken++); }
  std::vector<uint32_t> outputs;
  size_t taken = 0;
};

TEST(Engine, C1_is_the_standards_mt19937) {
  Engine engine(5489);
  EXPECT_EQ(engine.next(), 3499211612u);
  uint32_t last = 0;
  for (int i = 2; i <= 10000; ++i) last = engine.next();
  EXPECT_EQ(last, 4123659995u);
  EXPECT_EQ(engine.outputs(), 10000u);
}

TEST(Engine, C2_a_double_takes_two_outputs_and_a_float_one) {
  Engine engine(42);
  EXPECT_EQ(engine.uniform_double(), .79654298428784598);
  EXPECT_EQ(engine.uniform_double(), .18343478789336848);
  EXPECT_EQ(engine.uniform_double(), .77969099761266125);
  EXPECT_EQ(engine.outputs(), 6u);
  engine.seed(42);
  EXPECT_EQ(engine.outputs(), 0u);
  EXPECT_EQ(engine.uniform_float(), .37454012f);
  EXPECT_EQ(engine.uniform_float(), .796543002f);
  EXPECT_EQ(engine.uniform_float(), .95071429f);
  EXPECT_EQ(engine.outputs(), 3u);
}

TEST(Engine, equals_std_mt19937_over_seeds_and_blocks) {
  std::vector<uint32_t> seeds = {0, 1, 2, 42, 1234, 5489, 0x7FFFFFFFu, 0x80000000u, 0xFFFFFFFEu, 0xFFFFFFFFu};
  for (uint32_t i = 0; i < 200; ++i) seeds.push_back(i * 0x9E3779B9u);
  for (uint32_t seed : seeds) {
    Engine ours(seed);
    std::mt19937 theirs(seed);
    for (int i = 0; i < 2000; ++i) ASSERT_EQ(ours.next(), theirs()) << "seed " << seed << ", output " << i;
  }
}

TEST(Engine, draws_equal_libstdcxx_over_seeds) {
  for (uint32_t i = 0; i < 300; ++i) {
    const uint32_t seed = i * 0x85EBCA6Bu;
    Engine ours(seed);
    std::mt19937 theirs(seed);
    std::uniform_real_distribution<double> doubles(0.0, 1.0);
    std::uniform_real_distribution<float> floats(0.0f, 1.0f);
    for (int draw = 0; draw < 700; ++draw) {
      if ((draw * 7 + static_cast<int>(i)) % 3 == 0) {
        ASSERT_EQ(ours.uniform_float(), floats(theirs)) << "seed " << seed << ", draw " << draw;
      } else {
        ASSERT_EQ(ours.uniform_double(), doubles(theirs)) << "seed " << seed << ", draw " << draw;
      }
    }
    ASSERT_EQ(ours.next(), theirs());
  }
}

TEST(Engine, doubles_from_scripted_outputs) {
  std::vector<uint32_t> edges = {0, 1, 2, 0x7FFFFFFFu, 0x80000000u, 0x80000001u, 0xFFFFFFFEu, 0xFFFFFFFFu};
  for (uint32_t i = 0; i < 32; ++i) {  // around the roundings: 2^64 - 2^10 and half of each unit below
    edges.push_back(0xFFFFFFFFu - (uint32_t{1} << i));
    edges.push_back(uint32_t{1} << i);
    edges.push_back((uint32_t{1} << i) + 1);
  }
  for (uint32_t low : edges) {
    for (uint32_t high : edges) {
      Script script{{low, high}};
      const double expected = std::generate_canonical<double, 53>(script);
      ASSERT_EQ(script.taken, 2u);
      ASSERT_EQ(unit_double(low, high), expected) << low << " " << high;
      ASSERT_LT(unit_double(low, high), 1.0);
    }
  }
  EXPECT_EQ(unit_double(0xFFFFFFFFu, 0xFFFFFFFFu), 0x1.fffffffffffffp-1);
}

TEST(Engine, floats_from_scripted_outputs) {
  const uint64_t step = std::getenv("BANKML_TEST_LONG") != nullptr ? 1 : 4093;
  Script script{{0}};
  for (uint64_t output = 0; output <= 0xFFFFFFFFu; output += output < 0xFFFF0000u ? step : 1) {
    script.outputs[0] = static_cast<uint32_t>(output);
    script.taken = 0;
    const float expected = std::generate_canonical<float, 24>(script);
    ASSERT_EQ(unit_float(static_cast<uint32_t>(output)), expected) << output;
    ASSERT_LT(expected, 1.0f);
  }
  EXPECT_EQ(unit_float(0xFFFFFFFFu), 0x1.fffffep-1f);
}

TEST(Engine, copy_is_a_clone) {
  Engine engine(9);
  for (int i = 0; i < 1000; ++i) engine.next();
  engine.mark();
  for (int i = 0; i < 500; ++i) engine.next();
  Engine clone = engine;
  for (int i = 0; i < 1500; ++i) ASSERT_EQ(clone.next(), engine.next());
  engine.rewind();
  clone.rewind();
  EXPECT_EQ(clone.outputs(), 1000u);
  for (int i = 0; i < 1500; ++i) ASSERT_EQ(clone.next(), engine.next());
}

TEST(Engine, rewind_restores_the_mark_across_block_regenerations) {
  for (int before : {0, 1, 623, 624, 625, 1000, 1247, 1248, 1249}) {
    for (int after : {0, 1, 2, 622, 623, 624, 625, 1248, 1249, 5000}) {
      Engine ours(77);
      std::mt19937 theirs(77);
      for (int i = 0; i < before; ++i) ASSERT_EQ(ours.next(), theirs());
      ours.mark();
      for (int round = 0; round < 3; ++round) {  // a mark serves any number of rewinds
        for (int i = 0; i < after; ++i) ours.next();
        ASSERT_EQ(ours.outputs(), static_cast<uint64_t>(before + after));
        ours.rewind();
        ASSERT_EQ(ours.outputs(), static_cast<uint64_t>(before));
      }
      for (int i = 0; i < 1300; ++i) ASSERT_EQ(ours.next(), theirs()) << before << " " << after << " " << i;
    }
  }
}

TEST(Engine, random_sequences_of_marks_draws_and_rewinds) {
  std::mt19937 random(1);
  for (int round = 0; round < 200; ++round) {
    const uint32_t seed = static_cast<uint32_t>(random());
    Engine ours(seed);
    std::mt19937 theirs(seed), at_mark = theirs;
    for (int action = 0; action < 60; ++action) {
      switch (random() % 4) {
        case 0:
          ours.mark();
          at_mark = theirs;
          break;
        case 1:
          ours.rewind();
          theirs = at_mark;
          break;
        default:
          for (size_t i = random() % 900; i > 0; --i) ASSERT_EQ(ours.next(), theirs());
      }
    }
  }
}

TEST(Engine, rewind_without_a_mark_goes_back_to_the_seed) {
  Engine engine(3);
  const uint32_t first = engine.next();
  for (int i = 0; i < 2000; ++i) engine.next();
  engine.rewind();
  EXPECT_EQ(engine.next(), first);
  engine.mark();
  engine.next();
  engine.seed(4);
  const uint32_t other = engine.next();
  engine.rewind();
  EXPECT_EQ(engine.next(), other);
  EXPECT_EQ(engine.outputs(), 1u);
}

}  // namespace
