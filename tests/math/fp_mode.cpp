// The guard of the floating-point mode: hostile modes set by a host are undone for its length and come back afterwards.
#include "core/math/fp_mode.h"

#include <gtest/gtest.h>

#include <cfenv>
#include <limits>

#include "core/math/exp.h"
#include "core/math/expf.h"
#include "tests/math/samples.h"

namespace {

using bankml::math::FpModeGuard;

// Operands the compiler cannot fold.
volatile float one = 1.0f;
volatile float three = 3.0f;
volatile float least_normal = 0x1p-126f;

TEST(FpModeGuard, default_mode_is_the_assumed_one) { EXPECT_TRUE(FpModeGuard::assumed_mode()); }

TEST(FpModeGuard, rounding_direction) {
  const float nearest = one / three;
  for (int direction : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
    ASSERT_EQ(std::fesetround(direction), 0);
    const bool assumed_before = FpModeGuard::assumed_mode();
    bool assumed_inside = false;
    float inside = 0.0f;
    {
      FpModeGuard guard;
      assumed_inside = FpModeGuard::assumed_mode();
      inside = one / three;
    }
    const int after = std::fegetround();
    std::fesetround(FE_TONEAREST);
    EXPECT_FALSE(assumed_before);
    EXPECT_TRUE(assumed_inside);
    EXPECT_EQ(inside, nearest);
    EXPECT_EQ(after, direction);
  }
}

TEST(FpModeGuard, nests) {
  std::fesetround(FE_UPWARD);
  {
    FpModeGuard outer;
    {
      FpModeGuard inner;
      EXPECT_TRUE(FpModeGuard::assumed_mode());
    }
    EXPECT_TRUE(FpModeGuard::assumed_mode());
  }
  EXPECT_EQ(std::fegetround(), FE_UPWARD);
  std::fesetround(FE_TONEAREST);
}

#if defined(__SSE2__)
TEST(FpModeGuard, flushed_subnormals) {
  const unsigned before = _mm_getcsr();
  for (unsigned flush : {0x8000u, 0x0040u, 0x8040u}) {  // flush to zero, denormals are zero, both
    _mm_setcsr(before | flush);
    const float flushed = least_normal / three * three;
    float inside = 0.0f, exp_inside = 0.0f;
    {
      FpModeGuard guard;
      inside = least_normal / three;
      exp_inside = bankml::math::expf(-100.0f * one);
    }
    const unsigned after = _mm_getcsr();
    _mm_setcsr(before);
    if ((flush & 0x8000u) != 0) {
      EXPECT_EQ(flushed, 0.0f);
    }
    EXPECT_EQ(inside, 0x1.555556p-128f);
    EXPECT_EQ(math_samples::math::bits_of(exp_inside), 0x0000001bu);
    EXPECT_EQ(after & 0xFFC0u, (before | flush) & 0xFFC0u);
  }
}

TEST(FpModeGuard, traps_are_masked_inside) {
  const unsigned before = _mm_getcsr();
  _mm_setcsr(before & ~0x0280u & ~0x3Fu);  // division by zero and invalid would now raise a signal
  float inside = 0.0f;
  {
    FpModeGuard guard;
    inside = one / (one - 1.0f);
  }
  const unsigned after = _mm_getcsr();
  _mm_setcsr(before);
  EXPECT_EQ(inside, std::numeric_limits<float>::infinity());
  EXPECT_EQ(after & 0x1F80u, before & ~0x0280u & 0x1F80u);
}

TEST(FpModeGuard, usual_mode_keeps_the_status_flags) {
  _mm_setcsr(_mm_getcsr() & ~0x3Fu);
  {
    FpModeGuard guard;
    const volatile float third = one / three;
    static_cast<void>(third);
  }
  EXPECT_NE(_mm_getcsr() & 0x20u, 0u);  // inexact
}
#elif defined(__aarch64__)
TEST(FpModeGuard, flushed_subnormals) {
  const auto read = [] {
    uint64_t word;
    __asm__ volatile("mrs %0, fpcr" : "=r"(word));
    return word;
  };
  const auto write = [](uint64_t word) { __asm__ volatile("msr fpcr, %0" : : "r"(word) : "memory"); };
  const uint64_t before = read();
  write(before | (uint64_t{1} << 24));
  const float flushed = least_normal / three;
  float inside = 0.0f;
  {
    FpModeGuard guard;
    inside = least_normal / three;
  }
  const uint64_t after = read();
  write(before);
  EXPECT_EQ(flushed, 0.0f);
  EXPECT_EQ(inside, 0x1.555556p-128f);
  EXPECT_EQ(after, before | (uint64_t{1} << 24));
}
#endif

}  // namespace
