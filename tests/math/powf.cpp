// powf against the machine's libm, and its two ways to a fused multiply-add against each other.
#include "core/math/powf.h"

#include <gtest/gtest.h>

#include "core/math/powf_method.h"
#include "tests/math/samples.h"

namespace {

using namespace math_samples;

// Calls visit(x, y): what mirostat and dynamic temperature ask for, results over the whole range, bases near 1, subnormals, all bit
// patterns, special values with each other.
template <class Visit>
void visit_pairs(int n, Visit visit) {
  Random random(3);
  // Braces, because their elements are evaluated from left to right, which arguments need not be.
  struct Pair {
    float x, y;
  };
  const auto call = [&](Pair pair) { visit(pair.x, pair.y); };
  const auto real = [&](double low, double high) { return static_cast<float>(random.between(low, high)); };
  for (int i = 0; i < n; ++i) {
    call({2.0f, real(-5.0, 25.0)});                                            // mirostat's 2 to the mu
    call({static_cast<float>(2 + random.next() % 300000), -real(-1.0, 2.0)});  // its vocabulary size to the -eps
    call({real(0.0, i % 2 == 0 ? 10.0 : 1e6), real(0.2, 10.0)});               // its k
    call({real(0.0, 1.0), real(0.0, 5.0)});                                    // normalised entropy to an exponent
    if (i % 4 == 0) {
      const float x = math::float_of(static_cast<uint32_t>(random.next() % 0x7F800000u));
      call({x, static_cast<float>(random.between(-155.0, 135.0) / (rough_log2(static_cast<double>(x)) + 0x1p-30))});
      call({1.0f + real(-0x1p-12, 0x1p-12), real(-1e6, 1e6)});
      call({math::float_of(static_cast<uint32_t>(random.next() >> 41)), real(-2.0, 2.0)});
      call({math::float_of(static_cast<uint32_t>(random.next())), math::float_of(static_cast<uint32_t>(random.next()))});
      call({-real(0.0, 10.0), static_cast<float>(static_cast<int>(random.next() % 401) - 200)});
      call({2.0f, real(-151.0, -125.0)});  // subnormal results
      call({2.0f, real(127.9, 128.1)});
    }
  }
  for (float x : special_values<float>()) {
    for (float y : special_values<float>()) call({x, y});
  }
}

TEST(Powf, equals_libm) {
  if (!libm_is_the_reference()) GTEST_SKIP() << not_the_reference;
  int failures = 0;
  visit_pairs(long_run() ? 30000000 : 700000, [&](float x, float y) {
    if (math::bits_of(math::powf(x, y)) != math::bits_of(libm_powf(x, y)) && failures++ == 0) {
      ADD_FAILURE() << std::hexfloat << x << " to the " << y << ": got " << math::powf(x, y) << ", expected " << libm_powf(x, y);
    }
  });
  EXPECT_EQ(failures, 0);
}

TEST(Powf, software_fma_gives_the_same_bits) {
  int failures = 0;
  visit_pairs(long_run() ? 3000000 : 150000, [&](float x, float y) {
    const float soft = math::powf_by<math::SoftwareFma>(x, y);
    if (math::bits_of(soft) != math::bits_of(math::powf(x, y)) && failures++ == 0) {
      ADD_FAILURE() << std::hexfloat << x << " to the " << y << ": got " << soft << ", expected " << math::powf(x, y);
    }
  });
  EXPECT_EQ(failures, 0);
}

TEST(Powf, recorded_fingerprint) {
  Fingerprint results;
  visit_pairs(50000, [&](float x, float y) { results.add(math::powf(x, y)); });
  EXPECT_EQ(results.value(), 0xdf93e4fce11c621au);
}

}  // namespace
