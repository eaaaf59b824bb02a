// expf, logf, log2f and sqrtf against the machine's libm: every 16th float and the zones around special inputs; all floats
// with BANKML_TEST_LONG=1. Also against a transcription of the method with fused operations, which runs on every architecture.
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "core/math/expf.h"
#include "core/math/log2f.h"
#include "core/math/logf.h"
#include "core/math/sqrtf.h"
#include "tests/math/samples.h"

namespace {

using namespace math_samples;
using Function = float (*)(float);

// The method's FMA variant as specified, one operation a line, with std::fma.
float expf_with_fma(float x) {
  using C = math::ExpfConstants;
  if (x != x) return x + x;
  if (x > 0x1.62e42ep6f) return std::numeric_limits<float>::infinity();
  if (x < -0x1.9fe368p6f) return 0.0f;
  const double z = C::inverse_ln2_32 * static_cast<double>(x);
  const double shifted = z + 0x1.8p52;
  const double kd = shifted - 0x1.8p52;
  const double r = libm_fma(C::inverse_ln2_32, static_cast<double>(x), -kd);
  const int64_t k = static_cast<int64_t>(kd);
  const double scale = math::double_of(math::exp2_32[k & 31] + (static_cast<uint64_t>(k) << 47));
  const double a = libm_fma(C::c0, r, C::c1);
  const double y = libm_fma(a, r * r, libm_fma(C::c2, r, 1.0));
  return static_cast<float>(y * scale);
}
float logf_with_fma(float x) {
  using C = math::LogfConstants;
  if (!(x >= std::numeric_limits<float>::min()) || x > std::numeric_limits<float>::max() || x == 1.0f) return math::logf(x);
  const math::LogReduction reduced = math::reduce_log(math::bits_of(x));
  const double r = libm_fma(reduced.z, reduced.part.reciprocal, -1.0);
  const double y0 = libm_fma(reduced.k, C::ln2, reduced.part.ln);
  const double y = libm_fma(r * r, C::a0, libm_fma(C::a1, r, C::a2));
  return static_cast<float>(libm_fma(r * r, y, r + y0));
}
float log2f_with_fma(float x) {
  using C = math::Log2fConstants;
  if (!(x >= std::numeric_limits<float>::min()) || x > std::numeric_limits<float>::max() || x == 1.0f) return math::log2f(x);
  const math::LogReduction reduced = math::reduce_log(math::bits_of(x));
  const double r = libm_fma(reduced.z, reduced.part.reciprocal, -1.0);
  const double y = libm_fma(r * r, C::a0, libm_fma(C::a1, r, C::a2));
  return static_cast<float>(libm_fma(r * r, y, libm_fma(C::a3, r, reduced.k + reduced.part.log2)));
}

// The machine's expf, made the reference's where it runs its variant without FMA.
float expf_of_machine(float x) {
  if (x == 0x1.04845ep+5f) return math::float_of(uint32_t{0x56fc9f1cu});
  if (x == -0x1.f8cbb2p+5f) return math::float_of(uint32_t{0x11fa2993u});
  return libm_expf(x);
}
float expf_plain(float x) { return libm_expf(x); }
float logf_plain(float x) { return libm_logf(x); }
float log2f_plain(float x) { return libm_log2f(x); }
float sqrtf_plain(float x) { return libm_sqrtf(x); }
// Rounding twice is harmless for a square root: 53 >= 2 * 24 + 2 bits.
float sqrtf_by_double(float x) { return static_cast<float>(std::sqrt(static_cast<double>(x))); }

std::string hex(float x) {
  char text[64];
  std::snprintf(text, sizeof text, "%a (%08x)", static_cast<double>(x), static_cast<unsigned>(math::bits_of(x)));
  return text;
}

template <class Ours>
void compare_one(Ours ours, Function theirs, uint32_t bits, std::atomic<int>& failures) {
  const float x = math::float_of(bits);
  const float got = ours(x), expected = theirs(x);
  if (math::bits_of(got) != math::bits_of(expected) && failures++ == 0) {
    ADD_FAILURE() << "at " << hex(x) << ": got " << hex(got) << ", expected " << hex(expected);
  }
}

// One float of each `step` consecutive ones, at a place that varies, on two threads.
template <class Ours>
void sweep(Ours ours, Function theirs, uint32_t step) {
  std::atomic<int> failures{0};
  const auto half = [&](uint64_t first, uint64_t last) {
    uint32_t place = 0;
    for (uint64_t i = first; i < last; i += step) {
      place = place * 1664525u + 1013904223u;
      compare_one(ours, theirs, static_cast<uint32_t>(i + (place >> 8) % step), failures);
    }
  };
  std::thread other(half, uint64_t{1} << 31, uint64_t{1} << 32);
  half(0, uint64_t{1} << 31);
  other.join();
  EXPECT_EQ(failures, 0);
}

// All floats within 2^14 of inputs where something changes.
template <class Ours>
void zones(Ours ours, Function theirs) {
  std::atomic<int> failures{0};
  for (float centre : {0.0f,
                       -0.0f,
                       0x1p-126f,
                       1.0f,
                       -1.0f,
                       0x1.66p-1f,
                       0x1.66p0f,
                       2.0f,
                       88.0f,
                       -88.0f,
                       0x1.62e42ep6f,
                       -0x1.9fe368p6f,
                       -0x1.9d1d9ep6f,
                       -0x1.5d58ap6f,
                       0x1.04845ep+5f,
                       -0x1.f8cbb2p+5f,
                       0x1.fffffep127f,
                       -0x1.fffffep127f,
                       math::float_of(uint32_t{0x7FC00000u}),
                       math::float_of(uint32_t{0xFFC00000u})}) {
    for (uint32_t i = 0; i < 0x8000u; ++i) compare_one(ours, theirs, math::bits_of(centre) + i - 0x4000u, failures);
  }
  EXPECT_EQ(failures, 0);
}

template <class Ours>
void equals_libm(Ours ours, Function theirs) {
  zones(ours, theirs);
  sweep(ours, theirs, long_run() ? 1 : 16);
}

TEST(OneArgument, expf_equals_libm) {
  if (!libm_has_the_methods()) GTEST_SKIP() << not_the_reference;
  equals_libm([](float x) { return math::expf(x); }, libm_is_the_reference() ? expf_plain : expf_of_machine);
}
TEST(OneArgument, logf_equals_libm) {
  if (!libm_has_the_methods()) GTEST_SKIP() << not_the_reference;
  equals_libm([](float x) { return math::logf(x); }, logf_plain);
}
TEST(OneArgument, log2f_equals_libm) {
  if (!libm_has_the_methods()) GTEST_SKIP() << not_the_reference;
  equals_libm([](float x) { return math::log2f(x); }, log2f_plain);
}
TEST(OneArgument, sqrtf_equals_libm_and_a_rounded_double) {
  const auto by_bits = [](float x) { return x >= 0.0f ? math::sqrtf(x) : 0.0f; };  // the sign of a NaN is the machine's
  const Function machine = [](float x) { return x >= 0.0f ? sqrtf_plain(x) : 0.0f; };
  const Function twice = [](float x) { return x >= 0.0f ? sqrtf_by_double(x) : 0.0f; };
  zones(by_bits, machine);
  sweep(by_bits, machine, long_run() ? 1 : 509);
  zones(by_bits, twice);
  sweep(by_bits, twice, long_run() ? 1 : 509);
}

// On any architecture: plain operations give what fused ones give.
TEST(OneArgument, plain_operations_equal_the_fma_variants) {
  const uint32_t step = long_run() ? 16 : 1021;
  const auto same_nan = [](float x) { return x != x ? std::numeric_limits<float>::quiet_NaN() : x; };
  const auto check = [&](auto ours, Function with_fma) {
    zones([&](float x) { return same_nan(ours(x)); }, with_fma);
    sweep([&](float x) { return same_nan(ours(x)); }, with_fma, step);
  };
  check([](float x) { return math::expf(x); },
        [](float x) { return x != x ? std::numeric_limits<float>::quiet_NaN() : expf_with_fma(x); });
  check([](float x) { return math::logf(x); },
        [](float x) { return x >= 0.0f   ? logf_with_fma(x)
                             : x == 0.0f ? math::logf(x)
                                         : std::numeric_limits<float>::quiet_NaN(); });
  check([](float x) { return math::log2f(x); },
        [](float x) {
          return x >= 0.0f ? log2f_with_fma(x) : x == 0.0f ? math::log2f(x) : std::numeric_limits<float>::quiet_NaN();
        });
}

TEST(OneArgument, the_two_inputs_that_need_fma) {
  EXPECT_EQ(math::bits_of(math::expf(0x1.04845ep+5f)), 0x56fc9f1cu);
  EXPECT_EQ(math::bits_of(math::expf(-0x1.f8cbb2p+5f)), 0x11fa2993u);
}

TEST(OneArgument, recorded_fingerprints) {
  Fingerprint expf_results, logf_results, log2f_results;
  for (uint64_t i = 0; i < (uint64_t{1} << 32); i += 4099) {
    const float x = math::float_of(static_cast<uint32_t>(i));
    expf_results.add(math::expf(x));
    logf_results.add(math::logf(x));
    log2f_results.add(math::log2f(x));
  }
  EXPECT_EQ(expf_results.value(), 0x44ddd42958b53479u);
  EXPECT_EQ(logf_results.value(), 0xdd5b91527b4387f3u);
  EXPECT_EQ(log2f_results.value(), 0x9219694855ef508cu);
}

}  // namespace
