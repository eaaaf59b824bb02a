// Sums of signed terms and of squared distances equal the plain loop in every bit at every level.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "tests/simd/levels.h"

namespace bankml {
namespace {

using testing::Dice;

const simd::Kernels& scalar() { return *simd::kernels_of(simd::Level::scalar); }

uint32_t bits(float x) { return std::bit_cast<uint32_t>(x); }

// Logits that are hard for sums in blocks: signs that cancel, coarse grids, halves, masked ones, small and large.
std::vector<float> make_terms(Dice& dice, size_t n) {
  const size_t kind = dice.below(10);
  const float centre = dice.between(-20, 20);
  std::vector<float> x(n);
  for (float& v : x) {
    v = dice.between(-3, 3);
    if (kind == 1) v += centre;
    if (kind == 2) v = static_cast<float>(static_cast<int>(v * 4.0f)) * 0.25f;
    if (kind == 3) v = static_cast<float>(static_cast<int>(v * 16384.0f)) * 0x1p-14f;
    if (kind == 4 && dice.once_in(3)) v = -std::numeric_limits<float>::infinity();
    if (kind == 5) v *= 0x1p-70f;
    if (kind == 6) v *= 0x1p90f;
    if (kind == 7) v = std::bit_cast<float>(bits(v + centre) & 0xFFFF0000u);
    if (kind == 8) v = centre;
    if (kind == 9 && dice.once_in(50)) v *= 1000.0f;
  }
  return x;
}

TEST(Moments, SignedSum) {
  Dice dice(81);
  for (size_t round = 0; round < 6000; ++round) {
    const std::vector<float> x = make_terms(dice, 1 + dice.below(round % 20 == 0 ? 20000 : 1500));
    const float starts[] = {0.0f, -0.0f, 1.0f, -1000.0f, dice.between(-1e5f, 1e5f), 0x1p-126f, 0x1.8p23f, -0x1p24f};
    const float start = starts[dice.below(8)];
    const float wanted = scalar().signed_sum(x.data(), x.size(), start);
    for (const simd::Kernels* kernels : testing::levels()) {
      const float got = kernels->signed_sum(x.data(), x.size(), start);
      ASSERT_TRUE(bits(got) == bits(wanted) || (got == 0.0f && wanted == 0.0f)) << kernels->name << " round " << round;
    }
  }
}

TEST(Moments, SquaresSum) {
  Dice dice(82);
  for (size_t round = 0; round < 6000; ++round) {
    const std::vector<float> x = make_terms(dice, 1 + dice.below(round % 20 == 0 ? 20000 : 1500));
    const float starts[] = {0.0f, 1.0f, dice.between(0, 1e6f), 0x1.fffffep20f, 0x1p-126f};
    const float start = starts[dice.below(5)];
    const float means[] = {0.0f, x[0], dice.between(-20, 20), 0.25f};
    const float mean = means[dice.below(4)];
    if (!(mean > -1e38f)) continue;
    const float wanted = scalar().squares_sum(x.data(), x.size(), mean, start);
    for (const simd::Kernels* kernels : testing::levels()) {
      ASSERT_EQ(bits(kernels->squares_sum(x.data(), x.size(), mean, start)), bits(wanted)) << kernels->name << " round " << round;
    }
  }
}

}  // namespace
}  // namespace bankml
