// Proves in the user's own process what exactness rests on: how this build and this CPU compute, under the floating-point mode that
// draws use, and one golden draw of the reference at every CPU level.
//
// Tested by tests/capi/library.c
#include "core/math/fp_env.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <iterator>
#include <vector>

#include "capi/src/handles.h"
#include "core/math/bits.h"
#include "core/math/exp.h"
#include "core/math/expf.h"
#include "core/math/fp_mode.h"
#include "core/math/log2f.h"
#include "core/math/logf.h"
#include "core/math/pow.h"
#include "core/math/powf.h"
#include "core/simd/kernels.h"

namespace bankml::capi {

// Collects one line a check and the first failure.
class Report {
 public:
  Report(char* out, size_t cap) : out_(out), cap_(out == nullptr ? 0 : cap) {
    if (cap_ > 0) out_[0] = '\0';
  }
  void check(bool good, const char* what) {
    failed_ = failed_ || !good;
    if (used_ + 1 >= cap_) return;
    const int written = std::snprintf(out_ + used_, cap_ - used_, "%s: %s\n", good ? "ok" : "FAILED", what);
    if (written > 0) used_ = std::min(cap_ - 1, used_ + static_cast<size_t>(written));
  }
  bool failed() const { return failed_; }

 private:
  char* out_;
  size_t cap_;
  size_t used_ = 0;
  bool failed_ = false;
};

void check_arithmetic(Report& report) {
  // Volatile operands: the operations happen at run time, in the mode of this thread.
  const volatile float near_one = 1.0f + 0x1p-12f;
  const volatile float minus_square = -(1.0f + 0x1p-11f);
  report.check(near_one * near_one + minus_square == 0.0f, "no fused multiply-add");  // fused: 0x1p-24
  const volatile float largest = 0x1.fffffep127f;
  report.check(std::isinf(largest * 2.0f / 2.0f), "float arithmetic is not computed wider");
  const volatile float one = 1.0f, half_ulp = 0x1p-24f;
  report.check(one + half_ulp == 1.0f && one + 3.0f * half_ulp == 1.0f + 0x1p-22f && -one - half_ulp == -1.0f,
               "rounding to nearest, ties to even");
  const volatile float smallest_normal = 0x1p-126f;
  const volatile float subnormal = smallest_normal * 0.25f;
  report.check(subnormal > 0.0f && subnormal * 4.0f == smallest_normal, "subnormal numbers are kept");
}

void check_functions(Report& report) {
  report.check(math::bits_of(math::expf(1.0f)) == 0x402df854u && math::bits_of(math::expf(0x1.04845ep+5f)) == 0x56fc9f1cu &&
                   math::bits_of(math::expf(-0x1.f8cbb2p+5f)) == 0x11fa2993u,
               "expf");
  report.check(math::bits_of(math::logf(2.0f)) == 0x3f317218u, "logf");
  report.check(math::bits_of(math::log2f(3.0f)) == 0x3fcae00du, "log2f");
  report.check(math::bits_of(math::powf(2.0f, 0.5f)) == 0x3fb504f3u, "powf");
  report.check(math::pow(1.75, 8.0) == 5764801.0 / 65536.0, "pow");
  report.check(math::exp(1.0) == 0x1.5bf0a8b145769p+1, "exp");
}

// The logits of the golden draw: splitmix64, the sum of an output's four 16-bit fields, scaled to about +-0.1.
std::vector<float> golden_logits(uint64_t seed, size_t n) {
  std::vector<float> logits(n);
  for (float& logit : logits) {
    seed += 0x9E3779B97F4A7C15u;
    uint64_t x = seed;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    x ^= x >> 31;
    const auto fields = static_cast<int32_t>((x & 0xFFFF) + (x >> 16 & 0xFFFF) + (x >> 32 & 0xFFFF) + (x >> 48));
    logit = static_cast<float>(fields - 131070) * 0x1p-20f;
  }
  return logits;
}

// Four draws that llama.cpp was recorded to make (row C0001 of tests/vectors/chain.jsonl).
void check_draws(Report& report) {
  constexpr size_t n = 32000;
  constexpr uint64_t logits_seed = 1025372832763;
  constexpr int32_t expected[] = {16130, 16443, 15414, 21276};
  Params params;
  params.seed = 1;
  params.temperature = 1.0f;
  params.min_p = 0.1f;
  for (const simd::Level level : {simd::Level::scalar, simd::Level::avx2, simd::Level::avx512, simd::Level::neon}) {
    const simd::Kernels* kernels = simd::kernels_of(level);
    if (kernels == nullptr) continue;
    Sampler sampler(params, nullptr, n, *kernels);
    bool equal = true;
    for (uint64_t step = 0; step < std::size(expected); ++step) {
      int32_t token = -1;
      ErrorText error;
      const std::vector<float> logits = golden_logits(logits_seed + step, n);
      equal = equal && sampler.sample(logits.data(), n, nullptr, &token, error) == Status::ok && token == expected[step] &&
              sampler.accept(&token, 1, error) == Status::ok;
    }
    char what[64];
    std::snprintf(what, sizeof what, "golden draws, %s", kernels->name);
    report.check(equal, what);
  }
}

}  // namespace bankml::capi

extern "C" bankml_status bankml_self_check(char* report, size_t report_cap) noexcept {
  bankml::ErrorText error;
  return bankml::capi::guard(error, [&] {
    bankml::capi::Report checks(report, report_cap);
    const bankml::math::FpModeGuard fp_mode;
    bankml::capi::check_arithmetic(checks);
    bankml::capi::check_functions(checks);
    bankml::capi::check_draws(checks);
    return checks.failed() ? bankml::Status::internal : bankml::Status::ok;
  });
}
