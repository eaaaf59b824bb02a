// The AVX2 twins: the thin vector type of 8 floats, and the table of its kernels.
//
// AVX2 without FMA: where a fused instruction exists the compiler may choose it, so the target leaves it out; the two floats that
// expf then rounds otherwise are set by hand.
//
// Tested by tests/simd/kernels.cpp, tests/simd/exp_shift.cpp
#include "core/math/fp_env.h"

#if defined(__x86_64__) || defined(__i386__)

#include <immintrin.h>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "core/math/expf.h"
#include "core/math/logf.h"
#include "core/math/tables/exp2_32.h"
#include "core/simd/kernels.h"
#include "core/simd/levels.h"

#define BANKML_SIMD_NAMESPACE avx2
#define BANKML_SIMD_TARGET __attribute__((target("avx2")))
#define BANKML_AVX2 BANKML_SIMD_TARGET __attribute__((always_inline)) static inline

namespace bankml::simd::avx2 {

// Byte k of entry c is the k-th set bit of c.
struct Packing {
  uint64_t lanes[256] = {};
  constexpr Packing() {
    for (unsigned c = 0; c < 256; ++c) {
      unsigned k = 0;
      for (unsigned bit = 0; bit < 8; ++bit) {
        if ((c >> bit & 1) != 0) lanes[c] |= uint64_t{bit} << (8 * k++);
      }
    }
  }
};
inline constexpr Packing packing;

struct V {
  using F = __m256;
  using D = __m256d;
  using Count = __m256i;
  using Lanes = __m256;
  using Nans = __m256;
  static constexpr size_t width = 8;
  static constexpr bool fused = false;

  BANKML_AVX2 F load(const float* p) { return _mm256_loadu_ps(p); }
  // Keeps the compiler from loading again for a second use of the value.
  BANKML_AVX2 F load_once(const float* p) {
    F v = _mm256_loadu_ps(p);
    __asm__("" : "+x"(v));
    return v;
  }
  BANKML_AVX2 void store(float* p, F v) { _mm256_storeu_ps(p, v); }
  BANKML_AVX2 F all(float x) { return _mm256_set1_ps(x); }
  BANKML_AVX2 F add(F a, F b) { return _mm256_add_ps(a, b); }
  BANKML_AVX2 F sub(F a, F b) { return _mm256_sub_ps(a, b); }
  BANKML_AVX2 F mul(F a, F b) { return _mm256_mul_ps(a, b); }
  BANKML_AVX2 F div(F a, F b) { return _mm256_div_ps(a, b); }
  // Fused where the CPU has it, so only for values that are tested afterwards.
  BANKML_AVX2 F mul_add(F a, F b, F c) { return _mm256_add_ps(_mm256_mul_ps(a, b), c); }
  // y * 2^k, k the low bits of the float t; the result is normal.
  BANKML_AVX2 F shift_exponent(F y, F t) {
    return _mm256_castsi256_ps(_mm256_add_epi32(_mm256_castps_si256(y), _mm256_slli_epi32(_mm256_castps_si256(t), 23)));
  }
  // The lanes truncated toward zero (what does not fit becomes the smallest int), clamped to 0...127.
  BANKML_AVX2 void put_bytes(uint8_t* p, F v) {
    const __m256i words = _mm256_packs_epi32(_mm256_cvttps_epi32(v), _mm256_setzero_si256());
    const __m256i bytes = _mm256_max_epi8(_mm256_packs_epi16(words, words), _mm256_setzero_si256());
    const int halves[2] = {_mm256_extract_epi32(bytes, 0), _mm256_extract_epi32(bytes, 4)};
    __builtin_memcpy(p, halves, 8);
  }
  // In any order.
  BANKML_AVX2 float sum(F v) {
    __m128 m = _mm_add_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1));
    m = _mm_add_ps(m, _mm_movehl_ps(m, m));
    return _mm_cvtss_f32(_mm_add_ss(m, _mm_movehdup_ps(m)));
  }
  // b where a or b is NaN.
  BANKML_AVX2 F max(F a, F b) { return _mm256_max_ps(a, b); }
  BANKML_AVX2 F min(F a, F b) { return _mm256_min_ps(a, b); }
  BANKML_AVX2 float greatest(F v) {
    __m128 m = _mm_max_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1));
    m = _mm_max_ps(m, _mm_movehl_ps(m, m));
    return _mm_cvtss_f32(_mm_max_ss(m, _mm_movehdup_ps(m)));
  }

  BANKML_AVX2 Lanes above(F a, F b) { return _mm256_cmp_ps(a, b, _CMP_GT_OQ); }
  BANKML_AVX2 Lanes reaching(F a, F b) { return _mm256_cmp_ps(a, b, _CMP_GE_OQ); }
  BANKML_AVX2 Lanes equal(F a, F b) { return _mm256_cmp_ps(a, b, _CMP_EQ_OQ); }
  BANKML_AVX2 bool every(Lanes chosen) { return _mm256_movemask_ps(chosen) == 0xFF; }
  // Bit i tells about lane i.
  BANKML_AVX2 uint32_t bits(Lanes chosen) { return static_cast<uint32_t>(_mm256_movemask_ps(chosen)); }
  // Lane i is chosen if bit at + i is set in a bitset of 32-bit words; at is a multiple of width. Only the sign bits count.
  BANKML_AVX2 Lanes lanes_at(const uint32_t* words, size_t at) {
    const __m256i to_sign =
        _mm256_sub_epi32(_mm256_setr_epi32(31, 30, 29, 28, 27, 26, 25, 24), _mm256_set1_epi32(static_cast<int>(at % 32)));
    return _mm256_castsi256_ps(_mm256_sllv_epi32(_mm256_set1_epi32(static_cast<int>(words[at / 32])), to_sign));
  }
  // a in the chosen lanes, b in the others.
  BANKML_AVX2 Lanes both(Lanes a, Lanes b) { return _mm256_and_ps(a, b); }
  // The chosen lanes of v, and first + lane of each, close together; the rest of both vectors is written too.
  BANKML_AVX2 void pack(float* value, int32_t* index, F v, int32_t first, Lanes chosen) {
    const uint64_t* const entry = packing.lanes + _mm256_movemask_ps(chosen);
    const __m256i lanes = _mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(entry)));
    _mm256_storeu_ps(value, _mm256_permutevar8x32_ps(v, lanes));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(index), _mm256_add_epi32(lanes, _mm256_set1_epi32(first)));
  }
  BANKML_AVX2 F keep(Lanes chosen, F a, F b) { return _mm256_blendv_ps(b, a, chosen); }

  BANKML_AVX2 Nans no_nans() { return _mm256_setzero_ps(); }
  BANKML_AVX2 Nans note_nans(Nans so_far, F a, F b) { return _mm256_or_ps(so_far, _mm256_cmp_ps(a, b, _CMP_UNORD_Q)); }
  BANKML_AVX2 bool any_nan(Nans nans) { return _mm256_movemask_ps(nans) != 0; }

  BANKML_AVX2 Count zero() { return _mm256_setzero_si256(); }
  BANKML_AVX2 Count add_above(Count c, F a, F b) {
    return _mm256_sub_epi32(c, _mm256_castps_si256(_mm256_cmp_ps(a, b, _CMP_GT_OQ)));
  }
  BANKML_AVX2 Count add_reaching(Count c, F a, F b) {
    return _mm256_sub_epi32(c, _mm256_castps_si256(_mm256_cmp_ps(a, b, _CMP_GE_OQ)));
  }
  BANKML_AVX2 size_t total(Count c) {
    __m128i s = _mm_add_epi32(_mm256_castsi256_si128(c), _mm256_extracti128_si256(c, 1));
    s = _mm_add_epi32(s, _mm_shuffle_epi32(s, 0x4E));
    return static_cast<uint32_t>(_mm_cvtsi128_si32(_mm_add_epi32(s, _mm_shuffle_epi32(s, 0xB1))));
  }
  BANKML_AVX2 void put(uint32_t* p, Count c) { _mm256_storeu_si256(reinterpret_cast<__m256i*>(p), c); }

  BANKML_AVX2 D low(F v) { return _mm256_cvtps_pd(_mm256_castps256_ps128(v)); }
  BANKML_AVX2 D high(F v) { return _mm256_cvtps_pd(_mm256_extractf128_ps(v, 1)); }
  BANKML_AVX2 F join(D l, D h) { return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm256_cvtpd_ps(l)), _mm256_cvtpd_ps(h), 1); }
  BANKML_AVX2 double sum_d(D v) {
    const __m128d m = _mm_add_pd(_mm256_castpd256_pd128(v), _mm256_extractf128_pd(v, 1));
    return _mm_cvtsd_f64(_mm_add_sd(m, _mm_unpackhi_pd(m, m)));
  }
  BANKML_AVX2 D all_d(double x) { return _mm256_set1_pd(x); }
  BANKML_AVX2 D add(D a, D b) { return _mm256_add_pd(a, b); }
  BANKML_AVX2 D sub(D a, D b) { return _mm256_sub_pd(a, b); }
  BANKML_AVX2 D mul(D a, D b) { return _mm256_mul_pd(a, b); }
  BANKML_AVX2 D mul_add(D a, D b, D c) { return _mm256_add_pd(_mm256_mul_pd(a, b), c); }
  // a * b - c
  BANKML_AVX2 D remainder(D a, D b, D c) { return _mm256_sub_pd(_mm256_mul_pd(a, b), c); }
  // 2^(k/32), k in the low bits of k_bits.
  BANKML_AVX2 D power_of_two(D k_bits) {
    const __m256i k = _mm256_castpd_si256(k_bits);
    const __m256i place = _mm256_and_si256(k, _mm256_set1_epi64x(31));
    const __m256i base = _mm256_i64gather_epi64(reinterpret_cast<const long long*>(math::exp2_32), place, 8);
    return _mm256_castsi256_pd(_mm256_add_epi64(base, _mm256_slli_epi64(k, 47)));
  }

  // x = 2^k * z of half a vector of positive normal floats, and what the tables of 16 hold for z: core/math/log_reduction.h.
  struct LogParts {
    D z, k, reciprocal, ln;
  };
  // With a mask, because GCC 12 warns about the undefined register that the plain form starts from.
  BANKML_AVX2 D pick(const double* table, __m128i place) {
    return _mm256_mask_i32gather_pd(_mm256_setzero_pd(), table, place, _mm256_castsi256_pd(_mm256_set1_epi64x(-1)), 8);
  }
  BANKML_AVX2 void reduce_log(F x, const double* reciprocals, const double* lns, LogParts parts[2]) {
    const __m256i bits = _mm256_castps_si256(x);
    const __m256i offset = _mm256_sub_epi32(bits, _mm256_set1_epi32(0x3F330000));
    const __m256i z = _mm256_sub_epi32(bits, _mm256_slli_epi32(_mm256_srli_epi32(offset, 23), 23));
    const __m256i k = _mm256_srai_epi32(offset, 23);
    const __m256i place = _mm256_and_si256(_mm256_srli_epi32(offset, 19), _mm256_set1_epi32(15));
    const D zs[2] = {low(_mm256_castsi256_ps(z)), high(_mm256_castsi256_ps(z))};
    const __m128i ks[2] = {_mm256_castsi256_si128(k), _mm256_extracti128_si256(k, 1)};
    const __m128i places[2] = {_mm256_castsi256_si128(place), _mm256_extracti128_si256(place, 1)};
    for (size_t i = 0; i < 2; ++i)
      parts[i] = {zs[i], _mm256_cvtepi32_pd(ks[i]), pick(reciprocals, places[i]), pick(lns, places[i])};
  }

  // 8 records of three floats as they lie in memory. Field 0 of record r lies in vector 0 (r = 0 1 2), 1 (3 4 5), 2 (6 7), in
  // different lanes, so blends alone make one vector of them; field 1 lies one lane further.
  struct Records {
    F part[3];
  };
  BANKML_AVX2 Records load_records(const float* p) { return {{load(p), load(p + 8), load(p + 16)}}; }
  BANKML_AVX2 F first_fields(const Records& r) {
    return _mm256_blend_ps(_mm256_blend_ps(r.part[0], r.part[1], 0x92), r.part[2], 0x24);
  }
  // Sets field 1, in the lane order of first_fields, and writes the records back.
  BANKML_AVX2 void store_records(float* p, const Records& r, F second) {
    const F turned = _mm256_permutevar8x32_ps(second, _mm256_setr_epi32(7, 0, 1, 2, 3, 4, 5, 6));
    store(p, _mm256_blend_ps(r.part[0], turned, 0x92));
    store(p + 8, _mm256_blend_ps(r.part[1], turned, 0x24));
    store(p + 16, _mm256_blend_ps(r.part[2], turned, 0x49));
  }
};

}  // namespace bankml::simd::avx2

#include "core/simd/vector_kernels.inl"
// After the helpers it uses.
#include "core/simd/sum_kernels.inl"
// After both.
#include "core/simd/log_kernels.inl"
// After sum_kernels.inl.
#include "core/simd/moment_kernels.inl"

namespace bankml::simd {

const Kernels avx2_kernels = {Level::avx2,
                              "avx2",
                              avx2::exp_shift,
                              avx2::maximum,
                              avx2::block_maxima,
                              avx2::count_reaching,
                              avx2::collect_reaching,
                              avx2::copy_allowed,
                              avx2::hits_above,
                              avx2::find_equal,
                              avx2::rank,
                              avx2::sum,
                              avx2::exp_sum,
                              avx2::sum_any_order,
                              avx2::exp_sum_any_order,
                              avx2::exp_mass,
                              avx2::moments,
                              avx2::bucket_places,
                              avx2::log,
                              avx2::exp_sum_below,
                              avx2::entropy_below,
                              avx2::signed_sum,
                              avx2::squares_sum,
                              avx2::quotients_between,
                              avx2::quotients_below};

}  // namespace bankml::simd

#undef BANKML_AVX2
#undef BANKML_SIMD_TARGET
#undef BANKML_SIMD_NAMESPACE

#endif
