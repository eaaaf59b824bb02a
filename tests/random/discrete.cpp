// The weighted draw against std::discrete_distribution<int>: the index and the random outputs it takes.
#include "core/random/discrete.h"

#include <gtest/gtest.h>

#include <bit>
#include <limits>
#include <random>
#include <vector>

namespace {

using bankml::random::discrete;
using bankml::random::Engine;

struct Field {
  int32_t id;
  float logit;
  float p;
};

// Draws `draws` times from the same weights, both ways, and leaves both engines at the same place.
void expect_same_draws(const std::vector<float>& weights, uint32_t seed, int draws) {
  Engine ours(seed), strided(seed);
  std::mt19937 theirs(seed);
  std::vector<Field> fields;
  for (float w : weights) fields.push_back({0, 0.0f, w});
  for (int i = 0; i < draws; ++i) {
    // As the reference does it: a distribution over an iterator of floats.
    std::discrete_distribution<int> distribution(weights.begin(), weights.end());
    const size_t expected = static_cast<size_t>(distribution(theirs));
    ASSERT_EQ(discrete(weights.data(), weights.size(), 1, ours), expected) << "n = " << weights.size() << ", seed " << seed;
    ASSERT_EQ(discrete(fields.empty() ? nullptr : &fields[0].p, fields.size(), sizeof(Field) / sizeof(float), strided), expected);
  }
  ASSERT_EQ(ours.outputs(), weights.size() < 2 ? 0u : 2u * static_cast<uint64_t>(draws));
  ASSERT_EQ(ours.next(), theirs());
}

TEST(Discrete, fewer_than_two_weights_take_no_random_output) {
  expect_same_draws({}, 1, 3);
  expect_same_draws({0.25f}, 1, 3);
  expect_same_draws({0.0f}, 1, 3);
  Engine engine(1);
  EXPECT_EQ(discrete(nullptr, 0, 3, engine), 0u);
  EXPECT_EQ(engine.outputs(), 0u);
}

TEST(Discrete, small_sets_zeros_and_tiny_weights) {
  const float tiny = std::numeric_limits<float>::denorm_min();
  for (const std::vector<float>& weights : std::vector<std::vector<float>>{{0.5f, 0.5f},
                                                                           {0.0f, 1.0f},
                                                                           {1.0f, 0.0f},
                                                                           {0.0f, 0.0f, 1.0f},
                                                                           {1.0f, 0.0f, 0.0f},
                                                                           {tiny, tiny},
                                                                           {tiny, 1.0f},
                                                                           {1.0f, tiny},
                                                                           {1.0f, tiny, 0.0f, tiny},
                                                                           {0.1f, 0.2f, 0.3f, 0.4f},
                                                                           {3e38f, 3e38f, 3e38f},
                                                                           {1e-30f, 2e-30f, 3e-30f},
                                                                           {0.0f, 0.3f, 0.0f, 0.7f}}) {
    for (uint32_t seed = 0; seed < 50; ++seed) expect_same_draws(weights, seed, 20);
  }
}

TEST(Discrete, random_weights_over_many_seeds) {
  std::mt19937 random(2);
  for (uint32_t seed = 0; seed < 1500; ++seed) {
    std::vector<float> weights(2 + random() % (seed % 10 == 0 ? 3000 : 60));
    for (float& w : weights) {
      switch (random() % 4) {
        case 0:
          w = 0.0f;
          break;
        case 1:
          w = static_cast<float>(random()) * 0x1p-60f;
          break;
        default:
          w = static_cast<float>(random()) * 0x1p-32f;
      }
    }
    weights[random() % weights.size()] = 0.5f;
    ASSERT_NO_FATAL_FAILURE(expect_same_draws(weights, seed, 8));
  }
}

// Weights that already sum to about 1, as a softmax leaves them: the partial sums end near 1, so the last one's value matters.
TEST(Discrete, normalised_weights) {
  std::mt19937 random(4);
  for (uint32_t seed = 0; seed < 200; ++seed) {
    std::vector<float> weights(1000);
    float sum = 0.0f;
    for (float& w : weights) sum += w = static_cast<float>(random() % 1000 + 1);
    for (float& w : weights) w /= sum;
    ASSERT_NO_FATAL_FAILURE(expect_same_draws(weights, seed, 10));
  }
}

// A double as floats that sum to it exactly: its leading 24 bits, the next 24, the rest.
std::vector<float> exact_parts(double x) {
  std::vector<float> parts;
  while (x > 0.0) {
    const double leading = std::bit_cast<double>(std::bit_cast<uint64_t>(x) & ~((uint64_t{1} << 29) - 1));
    parts.push_back(static_cast<float>(leading));
    x -= leading;
  }
  return parts;
}

// What random weights do not reach: a partial sum that equals the draw is taken. All sums below are exact and the total is 1.
TEST(Discrete, draw_equal_to_a_partial_sum) {
  for (uint32_t seed = 0; seed < 200; ++seed) {
    const double u = Engine(seed).uniform_double();
    std::vector<float> weights = exact_parts(u);
    const size_t reached = weights.size() - 1;
    for (float part : exact_parts(1.0 - u)) weights.push_back(part);
    Engine engine(seed);
    ASSERT_EQ(discrete(weights.data(), weights.size(), 1, engine), reached) << "seed " << seed;
    ASSERT_NO_FATAL_FAILURE(expect_same_draws(weights, seed, 1));
  }
}

}  // namespace
