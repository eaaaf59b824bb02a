// The NEON twins (aarch64): the thin vector type of 4 floats, and the table of its kernels. See avx2.cpp for what each member
// means.
//
// NEON belongs to every aarch64 CPU, so no target attribute is needed. Its double lanes fuse where expf's definition does.
//
// Tested by tests/simd/kernels.cpp, tests/simd/exp_shift.cpp
#include "core/math/fp_env.h"

#if defined(__aarch64__)

#include <arm_neon.h>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "core/math/expf.h"
#include "core/math/logf.h"
#include "core/math/tables/exp2_32.h"
#include "core/simd/kernels.h"
#include "core/simd/levels.h"

#define BANKML_SIMD_NAMESPACE neon
#define BANKML_SIMD_TARGET
#define BANKML_NEON __attribute__((always_inline)) static inline

namespace bankml::simd::neon {

struct V {
  using F = float32x4_t;
  using D = float64x2_t;
  using Count = uint32x4_t;
  using Lanes = uint32x4_t;
  using Nans = uint32x4_t;
  static constexpr size_t width = 4;
  static constexpr bool fused = true;

  BANKML_NEON F load(const float* p) { return vld1q_f32(p); }
  BANKML_NEON F load_once(const float* p) { return vld1q_f32(p); }
  BANKML_NEON void store(float* p, F v) { vst1q_f32(p, v); }
  BANKML_NEON F all(float x) { return vdupq_n_f32(x); }
  BANKML_NEON F add(F a, F b) { return vaddq_f32(a, b); }
  BANKML_NEON F sub(F a, F b) { return vsubq_f32(a, b); }
  BANKML_NEON F mul(F a, F b) { return vmulq_f32(a, b); }
  BANKML_NEON F div(F a, F b) { return vdivq_f32(a, b); }
  BANKML_NEON F mul_add(F a, F b, F c) { return vfmaq_f32(c, a, b); }
  BANKML_NEON F shift_exponent(F y, F t) {
    return vreinterpretq_f32_u32(vaddq_u32(vreinterpretq_u32_f32(y), vshlq_n_u32(vreinterpretq_u32_f32(t), 23)));
  }
  BANKML_NEON void put_bytes(uint8_t* p, F v) {
    const int32x4_t clamped = vmaxq_s32(vminq_s32(vcvtq_s32_f32(v), vdupq_n_s32(127)), vdupq_n_s32(0));
    const uint16x4_t narrow = vreinterpret_u16_s16(vmovn_s32(clamped));
    const uint32_t bytes = vget_lane_u32(vreinterpret_u32_u8(vmovn_u16(vcombine_u16(narrow, narrow))), 0);
    __builtin_memcpy(p, &bytes, 4);
  }
  BANKML_NEON float sum(F v) { return vaddvq_f32(v); }
  // NaN where a or b is.
  BANKML_NEON F max(F a, F b) { return vmaxq_f32(a, b); }
  BANKML_NEON F min(F a, F b) { return vminq_f32(a, b); }
  BANKML_NEON float greatest(F v) { return vmaxvq_f32(v); }

  BANKML_NEON Lanes above(F a, F b) { return vcgtq_f32(a, b); }
  BANKML_NEON Lanes reaching(F a, F b) { return vcgeq_f32(a, b); }
  BANKML_NEON Lanes equal(F a, F b) { return vceqq_f32(a, b); }
  BANKML_NEON bool every(Lanes chosen) { return vminvq_u32(chosen) != 0; }
  BANKML_NEON uint32_t bits(Lanes chosen) { return vaddvq_u32(vandq_u32(chosen, uint32x4_t{1, 2, 4, 8})); }
  BANKML_NEON Lanes lanes_at(const uint32_t* words, size_t at) {
    return vtstq_u32(vdupq_n_u32(words[at / 32] >> at % 32), uint32x4_t{1, 2, 4, 8});
  }
  BANKML_NEON Lanes both(Lanes a, Lanes b) { return vandq_u32(a, b); }
  // The chosen lanes of v, and first + lane of each, close together; more may be written behind them, up to 4 in all.
  BANKML_NEON void pack(float* value, int32_t* index, F v, int32_t first, Lanes chosen) {
    float lanes[4];
    vst1q_f32(lanes, v);
    const uint32_t chosen_bits = bits(chosen);
    size_t count = 0;
    for (uint32_t lane = 0; lane < 4; ++lane) {
      value[count] = lanes[lane];
      index[count] = first + static_cast<int32_t>(lane);
      count += chosen_bits >> lane & 1u;
    }
  }
  BANKML_NEON F keep(Lanes chosen, F a, F b) { return vbslq_f32(chosen, a, b); }

  BANKML_NEON Nans no_nans() { return vdupq_n_u32(0); }
  BANKML_NEON Nans note_nans(Nans so_far, F a, F b) {
    return vorrq_u32(so_far, vmvnq_u32(vandq_u32(vceqq_f32(a, a), vceqq_f32(b, b))));
  }
  BANKML_NEON bool any_nan(Nans nans) { return vmaxvq_u32(nans) != 0; }

  BANKML_NEON Count zero() { return vdupq_n_u32(0); }
  BANKML_NEON Count add_above(Count c, F a, F b) { return vsubq_u32(c, vcgtq_f32(a, b)); }
  BANKML_NEON Count add_reaching(Count c, F a, F b) { return vsubq_u32(c, vcgeq_f32(a, b)); }
  BANKML_NEON size_t total(Count c) { return vaddvq_u32(c); }
  BANKML_NEON void put(uint32_t* p, Count c) { vst1q_u32(p, c); }

  BANKML_NEON D low(F v) { return vcvt_f64_f32(vget_low_f32(v)); }
  BANKML_NEON D high(F v) { return vcvt_high_f64_f32(v); }
  BANKML_NEON F join(D l, D h) { return vcvt_high_f32_f64(vcvt_f32_f64(l), h); }
  BANKML_NEON double sum_d(D v) { return vaddvq_f64(v); }
  BANKML_NEON D all_d(double x) { return vdupq_n_f64(x); }
  BANKML_NEON D add(D a, D b) { return vaddq_f64(a, b); }
  BANKML_NEON D sub(D a, D b) { return vsubq_f64(a, b); }
  BANKML_NEON D mul(D a, D b) { return vmulq_f64(a, b); }
  BANKML_NEON D mul_add(D a, D b, D c) { return vfmaq_f64(c, a, b); }
  BANKML_NEON D remainder(D a, D b, D c) { return vfmaq_f64(vnegq_f64(c), a, b); }
  BANKML_NEON D power_of_two(D k_bits) {
    const uint64x2_t k = vreinterpretq_u64_f64(k_bits);
    uint64x2_t base = vdupq_n_u64(math::exp2_32[vgetq_lane_u64(k, 0) & 31]);
    base = vsetq_lane_u64(math::exp2_32[vgetq_lane_u64(k, 1) & 31], base, 1);
    return vreinterpretq_f64_u64(vaddq_u64(base, vshlq_n_u64(k, 47)));
  }

  struct LogParts {
    D z, k, reciprocal, ln;
  };
  BANKML_NEON D pick(const double* table, uint32x4_t place, bool upper) {
    const uint32x2_t half = upper ? vget_high_u32(place) : vget_low_u32(place);
    return vsetq_lane_f64(table[vget_lane_u32(half, 1)], vdupq_n_f64(table[vget_lane_u32(half, 0)]), 1);
  }
  BANKML_NEON void reduce_log(F x, const double* reciprocals, const double* lns, LogParts parts[2]) {
    const uint32x4_t bits = vreinterpretq_u32_f32(x);
    const uint32x4_t offset = vsubq_u32(bits, vdupq_n_u32(0x3F330000));
    const F z = vreinterpretq_f32_u32(vsubq_u32(bits, vandq_u32(offset, vdupq_n_u32(0xFF800000))));
    const F k = vcvtq_f32_s32(vshrq_n_s32(vreinterpretq_s32_u32(offset), 23));  // small: exact
    const uint32x4_t place = vandq_u32(vshrq_n_u32(offset, 19), vdupq_n_u32(15));
    parts[0] = {low(z), low(k), pick(reciprocals, place, false), pick(lns, place, false)};
    parts[1] = {high(z), high(k), pick(reciprocals, place, true), pick(lns, place, true)};
  }

  // Structure loads take records apart.
  using Records = float32x4x3_t;
  BANKML_NEON Records load_records(const float* p) { return vld3q_f32(p); }
  BANKML_NEON F first_fields(const Records& r) { return r.val[0]; }
  BANKML_NEON void store_records(float* p, Records r, F second) {
    r.val[1] = second;
    vst3q_f32(p, r);
  }
};

}  // namespace bankml::simd::neon

#include "core/simd/vector_kernels.inl"
// After the helpers it uses.
#include "core/simd/sum_kernels.inl"
// After both.
#include "core/simd/log_kernels.inl"
// After sum_kernels.inl.
#include "core/simd/moment_kernels.inl"

namespace bankml::simd {

const Kernels neon_kernels = {Level::neon,
                              "neon",
                              neon::exp_shift,
                              neon::maximum,
                              neon::block_maxima,
                              neon::count_reaching,
                              neon::collect_reaching,
                              neon::copy_allowed,
                              neon::hits_above,
                              neon::find_equal,
                              neon::rank,
                              neon::sum,
                              neon::exp_sum,
                              neon::sum_any_order,
                              neon::exp_sum_any_order,
                              neon::exp_mass,
                              neon::moments,
                              neon::bucket_places,
                              neon::log,
                              neon::exp_sum_below,
                              neon::entropy_below,
                              neon::signed_sum,
                              neon::squares_sum,
                              neon::quotients_between,
                              neon::quotients_below};

}  // namespace bankml::simd

#undef BANKML_NEON
#undef BANKML_SIMD_TARGET
#undef BANKML_SIMD_NAMESPACE

#endif
