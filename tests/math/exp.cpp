// exp in double against the machine's libm, and its two ways to a fused multiply-add against each other.
#include "core/math/exp.h"

#include <gtest/gtest.h>

#include "core/math/exp_method.h"
#include "tests/math/samples.h"

namespace {

using namespace math_samples;

// Calls visit(x) for dense inputs of a softmax, wide ones, all bit patterns, thresholds with their neighbours.
template <class Visit>
void visit_inputs(int n, Visit visit) {
  Random random(1);
  for (int i = 0; i < n; ++i) {
    visit(random.between(-800.0, 1.0));
    visit(random.between(-20.0, 0.0));
    if (i % 4 == 0) {
      visit(random.between(-746.0, -707.0));  // subnormal results
      visit(random.between(0.0, 711.0));
      visit(math::double_of(random.next()));
      visit(static_cast<double>(static_cast<float>(random.between(-100.0, 0.0))));  // differences of floats
    }
  }
  for (double centre : {0.0, 0x1p-54, -0x1p-54, 512.0, -512.0, 1024.0, -1024.0, 0x1.62e42fefa39efp+9, -0x1.74910d52d3051p+9,
                        -0x1.6232bdd7abcd2p+9, -0x1.74385446d71c3p+9, 0x1.62e42fefa39efp-1, 0x1.62e42fefa39efp-9}) {
    for (uint64_t i = 0; i < 2000; ++i) visit(math::double_of(math::bits_of(centre) + i - 1000));
  }
  for (double x : special_values<double>()) visit(x);
  visit(math::double_of(uint64_t{0x7FF0000000000001u}));
}

TEST(Exp, equals_libm) {
  if (!libm_is_the_reference()) GTEST_SKIP() << not_the_reference;
  int failures = 0;
  visit_inputs(long_run() ? 50000000 : 2000000, [&](double x) {
    if (math::bits_of(math::exp(x)) != math::bits_of(libm_exp(x)) && failures++ == 0) {
      ADD_FAILURE() << std::hexfloat << x << ": got " << math::exp(x) << ", expected " << libm_exp(x);
    }
  });
  EXPECT_EQ(failures, 0);
}

TEST(Exp, software_fma_gives_the_same_bits) {
  int failures = 0;
  visit_inputs(long_run() ? 5000000 : 300000, [&](double x) {
    if (math::bits_of(math::exp_by<math::SoftwareFma>(x)) != math::bits_of(math::exp(x)) && failures++ == 0) {
      ADD_FAILURE() << std::hexfloat << x << ": got " << math::exp_by<math::SoftwareFma>(x) << ", expected " << math::exp(x);
    }
  });
  EXPECT_EQ(failures, 0);
}

TEST(Exp, recorded_fingerprint) {
  Fingerprint results;
  visit_inputs(100000, [&](double x) { results.add(math::exp(x)); });
  EXPECT_EQ(results.value(), 0x8370bf4a1b3bc77bu);
}

}  // namespace
