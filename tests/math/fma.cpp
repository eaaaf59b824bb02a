// SoftwareFma against the machine's fma, which is exact everywhere: random operands, cancellation, and sums that lie at or next to
// the middle between two doubles.
#include "core/math/fma.h"

#include <gtest/gtest.h>

#include "tests/math/samples.h"

namespace {

using namespace math_samples;

int failures_at(double a, double b, double c) {
  const double got = math::SoftwareFma::fma(a, b, c), expected = libm_fma(a, b, c);
  if (got == expected) return 0;  // not by bits: the sign of a zero is not promised
  ADD_FAILURE() << std::hexfloat << a << " * " << b << " + " << c << ": got " << got << ", expected " << expected;
  return 1;
}

// A double with random bits and an exponent in [low, high]; often with few set bits, for exact halves.
double operand(Random& random, int low, int high) {
  uint64_t mantissa = random.next() >> 12;
  if (random.next() % 3 == 0) mantissa &= ~uint64_t{0} << (random.next() % 52);
  const uint64_t exponent =
      1023 + static_cast<uint64_t>(low + static_cast<int>(random.next() % static_cast<uint64_t>(high - low + 1)));
  return math::double_of((random.next() << 63) | (exponent << 52) | mantissa);
}

TEST(SoftwareFma, equals_the_machines_fma) {
  Random random(4);
  int failures = 0;
  for (int i = 0; i < (long_run() ? 50000000 : 500000) && failures < 5; ++i) {
    const double a = operand(random, -60, 60), b = operand(random, -60, 60);
    const double product = a * b;
    failures += failures_at(a, b, operand(random, -120, 120));
    failures += failures_at(a, b, -product);
    failures += failures_at(a, b, -product * (1.0 + operand(random, -54, -50)));
    failures += failures_at(a, b, product * operand(random, -56, 56));
    // Halves: a product of few bits and an addend whose last place is twice as large.
    const double unit = operand(random, -3, 3);
    const double few = static_cast<double>(random.next() >> 48) + 0.5;
    failures += failures_at(few, 0x1p-40, static_cast<double>((random.next() >> 11) | (uint64_t{1} << 52)) * 0x1p-40);
    failures += failures_at(few, unit, static_cast<double>(random.next() >> 11) * unit);
  }
  EXPECT_EQ(failures, 0);
}

TEST(SoftwareFma, far_exponents_and_zeros) {
  Random random(5);
  int failures = 0;
  for (int i = 0; i < 200000 && failures < 5; ++i) {
    failures += failures_at(operand(random, -400, 400), operand(random, -400, 400), operand(random, -900, 900));
    failures += failures_at(operand(random, -400, 400), 0.0, operand(random, -900, 900));
    failures += failures_at(operand(random, -400, 400), operand(random, -400, 400), 0.0);
  }
  EXPECT_EQ(failures, 0);
}

TEST(SoftwareFma, rounding_to_odd_is_needed_here) {
  // 2^53 + 1 + tiny: rounding the small parts first would make it a tie and round down.
  const double tiny = 0x1p-60;
  EXPECT_EQ(math::SoftwareFma::fma(1.0 + 0x1p-30, 1.0 + tiny * 0x1p8, 0x1p53), libm_fma(1.0 + 0x1p-30, 1.0 + tiny * 0x1p8, 0x1p53));
  EXPECT_EQ(math::SoftwareFma::fma(1.0 + 0x1p-52, 1.0, 0x1p53), 0x1p53 + 2.0);
  EXPECT_EQ(math::SoftwareFma::fma(1.0, 1.0, 0x1p53), 0x1p53);
}

#if defined(__x86_64__)
TEST(HasFma, agrees_with_the_compilers_view_of_the_cpu) {
  __builtin_cpu_init();
  EXPECT_EQ(math::has_fma(), __builtin_cpu_supports("fma") != 0);
}
#endif

}  // namespace
