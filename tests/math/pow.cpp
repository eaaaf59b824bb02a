// pow against the machine's libm, and its two ways to a fused multiply-add against each other.
#include "core/math/pow.h"

#include <gtest/gtest.h>

#include "core/math/pow_method.h"
#include "tests/math/samples.h"

namespace {

using namespace math_samples;

// Calls visit(x, y): what DRY asks for (a float base in [1, 100], integer exponents), results over the whole range, bases near 1,
// subnormals, all bit patterns, special values with each other.
template <class Visit>
void visit_pairs(int n, Visit visit) {
  Random random(2);
  // Braces, because their elements are evaluated from left to right, which arguments need not be.
  struct Pair {
    double x, y;
  };
  const auto call = [&](Pair pair) { visit(pair.x, pair.y); };
  for (int i = 0; i < n; ++i) {
    const double base = static_cast<double>(static_cast<float>(random.between(1.0, i % 2 == 0 ? 3.0 : 100.0)));
    call({base, static_cast<double>(random.next() % 400)});
    const double x = math::double_of(random.next() % 0x7FF0000000000000u);
    call({x, random.between(-1080.0, 1080.0) / (std::abs(rough_log2(x)) + 0x1p-52)});
    if (i % 4 == 0) {
      call({random.between(0.5, 2.0), random.between(-300.0, 300.0)});
      call({1.0 + random.between(-0x1p-30, 0x1p-30), random.between(-0x1p40, 0x1p40)});
      call({math::double_of(random.next() >> 12), random.between(-2.0, 2.0)});
      call({math::double_of(random.next()), math::double_of(random.next())});
      call({-random.between(0.0, 10.0), static_cast<double>(random.next() % 2001) - 1000.0});
      call({2.0, random.between(-1080.0, -1020.0)});  // subnormal results
    }
  }
  for (double base : {1.0, 1.75, 2.0, 1.1, 8.0, 100.0, 0x1.c8p0, static_cast<double>(1.0000011f)}) {
    for (int exponent = 0; exponent < 1500; ++exponent) call({base, static_cast<double>(exponent)});
  }
  for (double x : special_values<double>()) {
    for (double y : special_values<double>()) call({x, y});
  }
}

TEST(Pow, equals_libm) {
  if (!libm_is_the_reference()) GTEST_SKIP() << not_the_reference;
  int failures = 0;
  visit_pairs(long_run() ? 20000000 : 700000, [&](double x, double y) {
    if (math::bits_of(math::pow(x, y)) != math::bits_of(libm_pow(x, y)) && failures++ == 0) {
      ADD_FAILURE() << std::hexfloat << x << " to the " << y << ": got " << math::pow(x, y) << ", expected " << libm_pow(x, y);
    }
  });
  EXPECT_EQ(failures, 0);
}

TEST(Pow, software_fma_gives_the_same_bits) {
  int failures = 0;
  visit_pairs(long_run() ? 3000000 : 150000, [&](double x, double y) {
    const double soft = math::pow_by<math::SoftwareFma>(x, y);
    if (math::bits_of(soft) != math::bits_of(math::pow(x, y)) && failures++ == 0) {
      ADD_FAILURE() << std::hexfloat << x << " to the " << y << ": got " << soft << ", expected " << math::pow(x, y);
    }
  });
  EXPECT_EQ(failures, 0);
}

// Signaling NaN, which a pass through special_values could lose on the way.
TEST(Pow, signaling_nan_is_not_ignored) {
  const double signaling = math::double_of(uint64_t{0x7FF0000000000001u});
  EXPECT_TRUE(std::isnan(math::pow(signaling, 0.0)));
  EXPECT_TRUE(std::isnan(math::pow(1.0, signaling)));
  EXPECT_EQ(math::pow(std::numeric_limits<double>::quiet_NaN(), 0.0), 1.0);
  EXPECT_EQ(math::pow(1.0, std::numeric_limits<double>::quiet_NaN()), 1.0);
}

TEST(Pow, recorded_fingerprint) {
  Fingerprint results;
  visit_pairs(50000, [&](double x, double y) { results.add(math::pow(x, y)); });
  EXPECT_EQ(results.value(), 0x07dc5849b8729ca9u);
}

}  // namespace
