// The choice of kernels: levels of the machine, forcing, undoing.
#include <gtest/gtest.h>

#include <string>

#include "tests/simd/levels.h"

namespace bankml {
namespace {

TEST(Choice, ScalarIsAlwaysThere) {
  ASSERT_NE(simd::kernels_of(simd::Level::scalar), nullptr);
  EXPECT_EQ(std::string(simd::kernels_of(simd::Level::scalar)->name), "scalar");
}

TEST(Choice, TheBestLevelIsTheWidest) {
  simd::force_best();
  const simd::Level best = simd::kernels().level;
#if defined(__aarch64__)
  EXPECT_EQ(best, simd::Level::neon);
#elif defined(__x86_64__) || defined(__i386__)
  EXPECT_EQ(best == simd::Level::avx512, simd::kernels_of(simd::Level::avx512) != nullptr);
  EXPECT_EQ(best == simd::Level::scalar, simd::kernels_of(simd::Level::avx2) == nullptr);
#else
  EXPECT_EQ(best, simd::Level::scalar);
#endif
}

TEST(Choice, ForceHoldsUntilUndone) {
  for (const simd::Kernels* kernels : testing::levels()) {
    ASSERT_TRUE(simd::force(kernels->level)) << kernels->name;
    EXPECT_EQ(&simd::kernels(), kernels);
  }
  simd::force(simd::Level::scalar);
  simd::force_best();
  EXPECT_EQ(&simd::kernels(), testing::levels().back());
}

TEST(Choice, ALevelOfAnotherCpuIsRefused) {
#if defined(__aarch64__)
  const simd::Level foreign = simd::Level::avx2;
#else
  const simd::Level foreign = simd::Level::neon;
#endif
  EXPECT_EQ(simd::kernels_of(foreign), nullptr);
  EXPECT_FALSE(simd::force(foreign));
  EXPECT_EQ(&simd::kernels(), testing::levels().back());
}

}  // namespace
}  // namespace bankml
