// exp_shift equals the scalar expf bit for bit: special values, a sweep of floats, every stride, every length. BANKML_TEST_LONG=1
// sweeps all 2^32 floats.
#include <gtest/gtest.h>

#include <bit>
#include <cstdlib>
#include <vector>

#include "core/math/expf.h"
#include "tests/simd/levels.h"

namespace bankml {
namespace {

using testing::Dice;

::testing::AssertionResult same(float actual, float wanted, float input) {
  if (std::bit_cast<uint32_t>(actual) == std::bit_cast<uint32_t>(wanted) || (actual != actual && wanted != wanted)) {
    return ::testing::AssertionSuccess();
  }
  return ::testing::AssertionFailure() << "exp(" << std::hexfloat << input << ") = " << actual << ", not " << wanted;
}

TEST(ExpShift, SweepOfFloats) {
  const uint64_t step = std::getenv("BANKML_TEST_LONG") != nullptr ? 1 : 4099;
  constexpr size_t batch = 4096;
  for (const simd::Kernels* kernels : testing::levels()) {
    if (kernels->level == simd::Level::scalar) continue;
    std::vector<float> x(batch), y(batch);
    for (uint64_t first = 0; first < uint64_t{1} << 32; first += batch * step) {
      for (size_t i = 0; i < batch; ++i) x[i] = std::bit_cast<float>(static_cast<uint32_t>(first + i * step));
      kernels->exp_shift(x.data(), y.data(), 1, batch, 0.0f);
      for (size_t i = 0; i < batch; ++i) ASSERT_TRUE(same(y[i], math::expf(x[i]), x[i])) << kernels->name;
    }
  }
}

TEST(ExpShift, EdgesAndPatchedInputs) {
  std::vector<float> x;
  for (const float centre :
       {0x1.62e42ep6f, -0x1.9fe368p6f, -104.0f, 89.0f, -0x1.5d589ep6f, 0x1.04845ep+5f, -0x1.f8cbb2p+5f, 0x1p-126f, 1.0f}) {
    for (uint32_t d = 0; d < 64; ++d) x.push_back(std::bit_cast<float>(std::bit_cast<uint32_t>(centre) + d - 32));
  }
  for (const uint32_t bits :
       {0u, 0x80000000u, 1u, 0x80000001u, 0x7F800000u, 0xFF800000u, 0x7FC00000u, 0xFF800001u, 0x7F7FFFFFu, 0xFF7FFFFFu}) {
    x.push_back(std::bit_cast<float>(bits));
  }
  std::vector<float> y(x.size());
  for (const simd::Kernels* kernels : testing::levels()) {
    kernels->exp_shift(x.data(), y.data(), 1, x.size(), 0.0f);
    for (size_t i = 0; i < x.size(); ++i) EXPECT_TRUE(same(y[i], math::expf(x[i]), x[i])) << kernels->name;
  }
}

TEST(ExpShift, StridesLengthsAndNeighbours) {
  Dice dice(1);
  for (const simd::Kernels* kernels : testing::levels()) {
    for (size_t round = 0; round < 400; ++round) {
      const size_t n = dice.below(150), stride = 1 + dice.below(4), lead = dice.below(5);
      const size_t field = stride > 1 ? 1 + dice.below(stride - 1) : 0;  // out = in + field
      const float shift = dice.between(-30, 30);
      std::vector<float> data(lead + n * stride);
      for (float& v : data) v = dice.between(-100, 40);
      std::vector<float> wanted = data;
      for (size_t i = 0; i < n; ++i) wanted[lead + i * stride + field] = math::expf(data[lead + i * stride] - shift);
      kernels->exp_shift(data.data() + lead, data.data() + lead + field, stride, n, shift);
      for (size_t i = 0; i < data.size(); ++i)
        ASSERT_TRUE(same(data[i], wanted[i], 0)) << kernels->name << " at " << i << " stride " << stride;
    }
  }
}

}  // namespace
}  // namespace bankml
