// The sums with a fixed order of additions equal the plain loop in every bit at every level, on rows that provoke each fallback.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <vector>

#include "core/math/expf.h"
#include "tests/simd/levels.h"

namespace bankml {
namespace {

using testing::Dice;

const simd::Kernels& scalar() { return *simd::kernels_of(simd::Level::scalar); }

uint32_t bits(float x) { return std::bit_cast<uint32_t>(x); }

// Terms that are hard for a sum in blocks.
std::vector<float> make_terms(Dice& dice, size_t n, float start) {
  const size_t kind = dice.below(9);
  const float ulp = std::max(start, 1.0f) * 0x1p-23f;
  std::vector<float> x(n);
  for (float& v : x) {
    switch (kind) {
      case 0:
        v = dice.between(0, 1);
        break;
      case 1:  // halves in every block
        v = ulp * (static_cast<float>(dice.below(8)) + 0.5f);
        break;
      case 2:  // one value everywhere
        v = 0x1.8p-9f;
        break;
      case 3:  // bf16 terms: halves wherever the sum is large
        v = std::bit_cast<float>(bits(dice.between(0, 1)) & 0xFFFF0000u);
        break;
      case 4:  // next to a half
        v = std::bit_cast<float>(bits(ulp * 2.5f) + static_cast<uint32_t>(dice.below(3)) - 1);
        break;
      case 5:
        v = dice.once_in(40) ? dice.between(0, 1000) : std::ldexp(1.0f, -static_cast<int>(dice.below(149)));
        break;
      case 6:  // subnormal
        v = std::bit_cast<float>(static_cast<uint32_t>(dice.below(0x800000)));
        break;
      case 7:  // the sum stays on the border of a binade
        v = dice.once_in(2) ? 0.0f : 0x1p-24f;
        break;
      default:
        v = dice.once_in(200) ? 0.5f : 0.0f;
        break;
    }
  }
  if (dice.once_in(20)) x[dice.below(n)] = std::numeric_limits<float>::infinity();
  if (dice.once_in(20)) x[dice.below(n)] = std::numeric_limits<float>::quiet_NaN();
  return x;
}

TEST(Sums, PlainTerms) {
  Dice dice(61);
  for (size_t round = 0; round < 6000; ++round) {
    const size_t n = 1 + dice.below(round % 20 == 0 ? 20000 : 1500);
    const float starts[] = {0.0f, 1.0f, 0x1.fffffep0f, 0x1p-100f, 0x1p-126f, 0x1p23f, 0x1.8p30f, dice.between(0, 100)};
    const float start = starts[dice.below(8)];
    const std::vector<float> x = make_terms(dice, n, start);
    const float wanted = scalar().sum(x.data(), n, start);
    for (const simd::Kernels* kernels : testing::levels()) {
      const float got = kernels->sum(x.data(), n, start);
      if (wanted != wanted) {
        ASSERT_NE(got, got);
      } else {
        ASSERT_EQ(bits(got), bits(wanted)) << kernels->name << " round " << round << " n " << n;
      }
    }
  }
}

TEST(Sums, Exponentials) {
  Dice dice(62);
  for (size_t round = 0; round < 4000; ++round) {
    const size_t n = 1 + dice.below(round % 20 == 0 ? 20000 : 1500);
    const size_t kind = dice.below(7);
    std::vector<float> x(n);
    for (float& v : x) {
      v = dice.between(-20, 0);
      if (kind == 0) v = static_cast<float>(static_cast<int>(v)) * 0.25f;
      if (kind == 1) v = 0.0f;
      if (kind == 2) v *= 10.0f;
      if (kind == 3 && dice.once_in(3)) v = -std::numeric_limits<float>::infinity();
      if (kind == 4) v -= 60.0f;
      if (kind == 5) v *= 0x1p-20f;
      if (kind == 6) v = -0.0f;
    }
    const float shift = dice.once_in(2) ? 0.0f : dice.between(0, 30);
    if (dice.once_in(30)) x[dice.below(n)] = std::numeric_limits<float>::quiet_NaN();
    const float starts[] = {0.0f, 1.0f, 3.9999f, dice.between(0, 50), 0x1p-90f, 0x1p20f};
    const float start = starts[dice.below(6)];
    const float wanted = scalar().exp_sum(x.data(), n, shift, start);
    for (const simd::Kernels* kernels : testing::levels()) {
      const float got = kernels->exp_sum(x.data(), n, shift, start);
      if (wanted != wanted) {
        ASSERT_NE(got, got);
      } else {
        ASSERT_EQ(bits(got), bits(wanted)) << kernels->name << " round " << round << " n " << n << " kind " << kind;
      }
    }
  }
}

// What is proven for one order must hold for others.
TEST(Sums, AnyOrder) {
  Dice dice(65);
  size_t proven = 0;
  for (size_t round = 0; round < 3000; ++round) {
    const size_t n = 1 + dice.below(1500);
    std::vector<float> x(n);
    const float spread = dice.between(1, 30);
    for (float& v : x) v = dice.once_in(2) ? dice.between(-spread, 0) : -10.0f - dice.between(0, 1);
    const float start = dice.once_in(2) ? 1.0f : dice.between(0, 2000);
    for (const simd::Kernels* kernels : testing::levels()) {
      float sum = start;
      if (!kernels->exp_sum_any_order(x.data(), n, 0.0f, sum)) continue;
      ++proven;
      for (size_t turn = 0; turn < 3; ++turn) {
        ASSERT_EQ(bits(scalar().exp_sum(x.data(), n, 0.0f, start)), bits(sum)) << kernels->name << " round " << round;
        for (size_t i = n; i > 1; --i) std::swap(x[i - 1], x[dice.below(i)]);
      }
    }
  }
  EXPECT_TRUE(proven > 300 || testing::levels().size() == 1);
}

TEST(Sums, BucketPlaces) {
  Dice dice(66);
  for (size_t round = 0; round < 3000; ++round) {
    const size_t n = 1 + dice.below(256);
    std::vector<float> x(n), wanted(n), got(n);
    for (float& v : x) {
      v = dice.between(-30, 30);
      if (dice.once_in(5)) v = static_cast<float>(static_cast<int>(v)) * 0.15625f;  // edges of buckets
      if (dice.once_in(20)) v = -std::numeric_limits<float>::infinity();
      if (dice.once_in(20)) v *= 1e6f;
    }
    const float divisor = dice.once_in(2) ? 1.0f : dice.between(0.5f, 3.0f);
    std::vector<uint8_t> wanted_place(n), place(n);
    scalar().bucket_places(x.data(), n, divisor, wanted.data(), wanted_place.data());
    for (const simd::Kernels* kernels : testing::levels()) {
      kernels->bucket_places(x.data(), n, divisor, got.data(), place.data());
      ASSERT_EQ(got, wanted) << kernels->name;
      ASSERT_EQ(place, wanted_place) << kernels->name;
    }
  }
}

TEST(Sums, QuotientsBetweenAndBelow) {
  Dice dice(73);
  const float infinity = std::numeric_limits<float>::infinity();
  for (size_t round = 0; round < 3000; ++round) {
    const size_t n = 1 + dice.below(256);
    std::vector<float> x(n), wanted(n + 16), got(n + 16), below(n), got_below(n);
    std::vector<int32_t> wanted_index(n + 16), index(n + 16);
    for (float& v : x) {
      v = dice.between(-30, 30);
      if (dice.once_in(5)) v = static_cast<float>(static_cast<int>(v));
      if (dice.once_in(20)) v = -infinity;
    }
    const float divisor = dice.once_in(2) ? 1.0f : dice.between(0.5f, 3.0f);
    const float low = dice.once_in(4) ? -infinity : x[dice.below(n)] / divisor;
    const float high = dice.once_in(4) ? infinity : low + dice.between(0, 20);
    const size_t count = scalar().quotients_between(x.data(), n, divisor, low, high, 1000, wanted.data(), wanted_index.data());
    scalar().quotients_below(x.data(), n, divisor, low, below.data());
    size_t reached = 0;
    for (size_t i = 0; i < n; ++i) {
      const float q = x[i] / divisor;
      ASSERT_EQ(below[i], q < low ? q : -infinity);
      if (!(q >= low && q < high)) continue;
      ASSERT_EQ(wanted[reached], q);
      ASSERT_EQ(wanted_index[reached], 1000 + static_cast<int32_t>(i));
      ++reached;
    }
    ASSERT_EQ(count, reached);
    for (const simd::Kernels* kernels : testing::levels()) {
      ASSERT_EQ(kernels->quotients_between(x.data(), n, divisor, low, high, 1000, got.data(), index.data()), count)
          << kernels->name;
      ASSERT_TRUE(std::equal(got.begin(), got.begin() + static_cast<std::ptrdiff_t>(count), wanted.begin())) << kernels->name;
      ASSERT_TRUE(std::equal(index.begin(), index.begin() + static_cast<std::ptrdiff_t>(count), wanted_index.begin()));
      kernels->quotients_below(x.data(), n, divisor, low, got_below.data());
      ASSERT_EQ(got_below, below) << kernels->name;
    }
  }
}

// One value beside 255 that weigh nothing shows the polynomial alone, whose margin is 2^-23; short of that every float is tried.
TEST(Sums, MassOfOne) {
  const uint32_t step = std::getenv("BANKML_TEST_LONG") != nullptr ? 1 : 997;
  for (const simd::Kernels* kernels : testing::levels()) {
    for (uint32_t b = bits(-0x1p-30f); b <= bits(-60.0f); b += step) {
      const float x = std::bit_cast<float>(b);
      const double exact = static_cast<double>(math::expf(x));
      ASSERT_LE(std::fabs(static_cast<double>(kernels->exp_mass(&x, 1, 1.0f, 0.0f)) - exact), exact * 0x1p-23)
          << kernels->name << " " << x;
    }
  }
}

TEST(Sums, MassIsWithinItsError) {
  Dice dice(63);
  for (size_t round = 0; round < 20000; ++round) {
    const size_t n = 1 + dice.below(256);
    std::vector<float> x(n);
    const float spread = dice.once_in(2) ? 20.0f : dice.between(0, 300);
    for (float& v : x) v = dice.once_in(9) ? -std::numeric_limits<float>::infinity() : dice.between(-spread, 0);
    const float divisor = dice.once_in(3) ? 1.0f : dice.between(0.1f, 3.0f);
    const float shift = dice.once_in(2) ? 0.0f : dice.between(0, 20);
    double exact = 0;
    for (const float v : x) exact += static_cast<double>(math::expf(v / divisor - shift));
    for (const simd::Kernels* kernels : testing::levels()) {
      const double got = static_cast<double>(kernels->exp_mass(x.data(), n, divisor, shift));
      ASSERT_LE(std::fabs(got - exact), exact * simd::mass_error + 0x1p-115) << kernels->name << " round " << round;
    }
  }
}

TEST(Sums, MomentsAreWithinRounding) {
  Dice dice(64);
  for (size_t round = 0; round < 5000; ++round) {
    const size_t n = 1 + dice.below(256);
    std::vector<float> x(n);
    for (float& v : x) v = dice.once_in(9) ? -std::numeric_limits<float>::infinity() : dice.between(-50, 50);
    const simd::Moments wanted = scalar().moments(x.data(), n);
    for (const simd::Kernels* kernels : testing::levels()) {
      const simd::Moments got = kernels->moments(x.data(), n);
      ASSERT_EQ(got.count, wanted.count) << kernels->name;
      ASSERT_NEAR(got.sum, wanted.sum, 0x1p-44 * 50 * static_cast<double>(n));
      ASSERT_NEAR(got.squares, wanted.squares, 0x1p-44 * wanted.squares);
    }
  }
}

}  // namespace
}  // namespace bankml
