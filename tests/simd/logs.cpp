// log equals the scalar logf bit for bit; the sums below an edge equal the plain loop in every order. BANKML_TEST_LONG=1 sweeps all
// 2^32 floats.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <vector>

#include "core/math/expf.h"
#include "core/math/logf.h"
#include "tests/simd/levels.h"

namespace bankml {
namespace {

using testing::Dice;

constexpr float infinity = std::numeric_limits<float>::infinity();

uint32_t bits(float x) { return std::bit_cast<uint32_t>(x); }

::testing::AssertionResult same(float actual, float wanted, float input) {
  if (bits(actual) == bits(wanted) || (actual != actual && wanted != wanted)) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << "log(" << std::hexfloat << input << ") = " << actual << ", not " << wanted;
}

TEST(Log, SweepOfFloats) {
  const uint64_t step = std::getenv("BANKML_TEST_LONG") != nullptr ? 1 : 4099;
  constexpr size_t batch = 4096;
  for (const simd::Kernels* kernels : testing::levels()) {
    if (kernels->level == simd::Level::scalar) continue;
    std::vector<float> x(batch), y(batch);
    for (uint64_t first = 0; first < uint64_t{1} << 32; first += batch * step) {
      for (size_t i = 0; i < batch; ++i) x[i] = std::bit_cast<float>(static_cast<uint32_t>(first + i * step));
      kernels->log(x.data(), y.data(), batch);
      for (size_t i = 0; i < batch; ++i) ASSERT_TRUE(same(y[i], math::logf(x[i]), x[i])) << kernels->name;
    }
  }
}

TEST(Log, EdgesAndLengthsInPlace) {
  std::vector<float> special;
  for (const float centre : {1.0f, 0x1p-126f, 0x1.66p-1f, 0x1.66p0f, 2.0f, 0.5f, 0x1p100f}) {
    for (uint32_t d = 0; d < 64; ++d) special.push_back(std::bit_cast<float>(bits(centre) + d - 32));
  }
  for (const uint32_t b :
       {0u, 0x80000000u, 1u, 0x80000001u, 0x7F800000u, 0xFF800000u, 0x7FC00000u, 0xFF800001u, 0x7F7FFFFFu, 0xFF7FFFFFu}) {
    special.push_back(std::bit_cast<float>(b));
  }
  Dice dice(71);
  for (const simd::Kernels* kernels : testing::levels()) {
    for (size_t round = 0; round < 2000; ++round) {
      const size_t n = dice.below(100), lead = dice.below(17);
      std::vector<float> data(lead + n + 20, 7.0f);
      for (size_t i = 0; i < n; ++i) {
        data[lead + i] = dice.once_in(8) ? special[dice.below(special.size())] : dice.between(0, 2);
      }
      const std::vector<float> before = data;
      kernels->log(data.data() + lead, data.data() + lead, n);
      for (size_t i = 0; i < data.size(); ++i) {
        const bool inside = i >= lead && i < lead + n;
        ASSERT_TRUE(same(data[i], inside ? math::logf(before[i]) : before[i], before[i])) << kernels->name << " at " << i;
      }
    }
  }
}

// Rows of logits not above 0, the shift.
std::vector<float> make_row(Dice& dice, size_t n) {
  std::vector<float> x(n);
  const size_t kind = dice.below(8);
  const float spread = dice.between(1, 30);
  for (float& v : x) {
    v = dice.between(-spread, 0);
    if (kind == 0) v = -10.0f - dice.between(0, 1);
    if (kind == 1) v = static_cast<float>(static_cast<int>(v * 4.0f)) * 0.25f;
    if (kind == 2 && dice.once_in(3)) v = -infinity;
    if (kind == 3) v *= 20.0f;
    if (kind == 4) v = -1.5f;
    if (kind == 5) v *= 0x1p-20f;
    if (kind == 6) v -= 80.0f;
  }
  if (dice.once_in(2)) x[dice.below(n)] = 0.0f;
  return x;
}

template <class Term, class Kernel>
size_t compare_orders(uint64_t seed, Term term, Kernel kernel) {
  Dice dice(seed);
  size_t proven = 0;
  for (size_t round = 0; round < 3000; ++round) {
    std::vector<float> x = make_row(dice, 1 + dice.below(1500));
    const float edges[] = {infinity, -2.0f, -10.0f, 0.0f, dice.between(-20, 0)};
    const float edge = edges[dice.below(5)];
    const float starts[] = {1.0f, dice.between(0, 8), dice.between(0, 2000), 0.0f, 0x1p-70f, 0x1p-110f};
    const float start = starts[dice.below(6)];
    const float divisor = dice.once_in(4) ? 1.0f : dice.between(1, 3000);
    for (const simd::Kernels* kernels : testing::levels()) {
      float sum = start;
      if (!kernel(*kernels, x, edge, divisor, sum)) continue;
      ++proven;
      for (size_t turn = 0; turn < 3; ++turn) {
        float wanted = start;
        for (const float v : x) wanted += v < edge ? term(v, divisor) : 0.0f;
        EXPECT_EQ(bits(wanted), bits(sum)) << kernels->name << " round " << round;
        if (wanted != sum) return proven;
        for (size_t i = x.size(); i > 1; --i) std::swap(x[i - 1], x[dice.below(i)]);
      }
    }
  }
  return proven;
}

TEST(Log, ExpSumBelowAnEdge) {
  const size_t proven = compare_orders(
      72, [](float v, float) { return math::expf(v); },
      [](const simd::Kernels& kernels, const std::vector<float>& x, float edge, float, float& sum) {
        return kernels.exp_sum_below(x.data(), x.size(), edge, 0.0f, sum);
      });
  EXPECT_TRUE(proven > 300 || testing::levels().size() == 1) << proven;
}

TEST(Log, EntropyBelowAnEdge) {
  const size_t proven = compare_orders(
      73,
      [](float v, float divisor) {
        const float p = math::expf(v) / divisor;
        return p > 0.0f ? -(p * math::logf(p)) : 0.0f;
      },
      [](const simd::Kernels& kernels, const std::vector<float>& x, float edge, float divisor, float& sum) {
        return kernels.entropy_below(x.data(), x.size(), edge, 0.0f, divisor, sum);
      });
  EXPECT_TRUE(proven > 300 || testing::levels().size() == 1) << proven;
}

}  // namespace
}  // namespace bankml
