// The AVX-512 twins: the thin vector type of 16 floats, and the table of its kernels. See avx2.cpp for what each member means.
//
// Fused multiply-adds stand where expf's definition has them and nowhere else; fp_env.h keeps the compiler from making others.
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

// GCC 12 warns about its own _mm512_undefined_ps wherever an intrinsic uses it (GCC bug 105593).
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

#define BANKML_SIMD_NAMESPACE avx512
#define BANKML_SIMD_TARGET __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl")))
#define BANKML_AVX512 BANKML_SIMD_TARGET __attribute__((always_inline)) static inline

namespace bankml::simd::avx512 {

struct V {
  using F = __m512;
  using D = __m512d;
  using Count = __m512i;
  using Lanes = __mmask16;
  using Nans = __mmask16;  // 1 = none so far
  static constexpr size_t width = 16;
  static constexpr bool fused = true;

  BANKML_AVX512 F load(const float* p) { return _mm512_loadu_ps(p); }
  BANKML_AVX512 F load_once(const float* p) {
    F v = _mm512_loadu_ps(p);
    __asm__("" : "+v"(v));
    return v;
  }
  BANKML_AVX512 void store(float* p, F v) { _mm512_storeu_ps(p, v); }
  BANKML_AVX512 F all(float x) { return _mm512_set1_ps(x); }
  BANKML_AVX512 F add(F a, F b) { return _mm512_add_ps(a, b); }
  BANKML_AVX512 F sub(F a, F b) { return _mm512_sub_ps(a, b); }
  BANKML_AVX512 F mul(F a, F b) { return _mm512_mul_ps(a, b); }
  BANKML_AVX512 F div(F a, F b) { return _mm512_div_ps(a, b); }
  BANKML_AVX512 F mul_add(F a, F b, F c) { return _mm512_fmadd_ps(a, b, c); }
  BANKML_AVX512 F shift_exponent(F y, F t) {
    return _mm512_castsi512_ps(_mm512_add_epi32(_mm512_castps_si512(y), _mm512_slli_epi32(_mm512_castps_si512(t), 23)));
  }
  BANKML_AVX512 void put_bytes(uint8_t* p, F v) {
    const __m512i clamped =
        _mm512_max_epi32(_mm512_min_epi32(_mm512_cvttps_epi32(v), _mm512_set1_epi32(127)), _mm512_setzero_si512());
    _mm_storeu_si128(reinterpret_cast<__m128i*>(p), _mm512_cvtepi32_epi8(clamped));
  }
  BANKML_AVX512 float sum(F v) { return _mm512_reduce_add_ps(v); }
  BANKML_AVX512 F max(F a, F b) { return _mm512_max_ps(a, b); }
  BANKML_AVX512 F min(F a, F b) { return _mm512_min_ps(a, b); }
  BANKML_AVX512 float greatest(F v) {
    const __m256 h = _mm256_max_ps(_mm512_castps512_ps256(v), _mm512_extractf32x8_ps(v, 1));
    __m128 m = _mm_max_ps(_mm256_castps256_ps128(h), _mm256_extractf128_ps(h, 1));
    m = _mm_max_ps(m, _mm_movehl_ps(m, m));
    return _mm_cvtss_f32(_mm_max_ss(m, _mm_movehdup_ps(m)));
  }

  BANKML_AVX512 Lanes above(F a, F b) { return _mm512_cmp_ps_mask(a, b, _CMP_GT_OQ); }
  BANKML_AVX512 Lanes reaching(F a, F b) { return _mm512_cmp_ps_mask(a, b, _CMP_GE_OQ); }
  BANKML_AVX512 Lanes equal(F a, F b) { return _mm512_cmp_ps_mask(a, b, _CMP_EQ_OQ); }
  BANKML_AVX512 bool every(Lanes chosen) { return chosen == 0xFFFF; }
  BANKML_AVX512 uint32_t bits(Lanes chosen) { return chosen; }
  BANKML_AVX512 Lanes lanes_at(const uint32_t* words, size_t at) { return static_cast<__mmask16>(words[at / 32] >> at % 32); }
  BANKML_AVX512 Lanes both(Lanes a, Lanes b) { return a & b; }
  // The chosen lanes of v, and first + lane of each, close together; the rest of both vectors is written too.
  BANKML_AVX512 void pack(float* value, int32_t* index, F v, int32_t first, Lanes chosen) {
    const __m512i lanes = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    _mm512_storeu_ps(value, _mm512_maskz_compress_ps(chosen, v));
    _mm512_storeu_si512(index, _mm512_maskz_compress_epi32(chosen, _mm512_add_epi32(lanes, _mm512_set1_epi32(first))));
  }
  BANKML_AVX512 F keep(Lanes chosen, F a, F b) { return _mm512_mask_mov_ps(b, chosen, a); }

  BANKML_AVX512 Nans no_nans() { return 0xFFFF; }
  BANKML_AVX512 Nans note_nans(Nans so_far, F a, F b) { return _mm512_mask_cmp_ps_mask(so_far, a, b, _CMP_ORD_Q); }
  BANKML_AVX512 bool any_nan(Nans nans) { return nans != 0xFFFF; }

  BANKML_AVX512 Count zero() { return _mm512_setzero_si512(); }
  BANKML_AVX512 Count add_above(Count c, F a, F b) {
    return _mm512_mask_add_epi32(c, _mm512_cmp_ps_mask(a, b, _CMP_GT_OQ), c, _mm512_set1_epi32(1));
  }
  BANKML_AVX512 Count add_reaching(Count c, F a, F b) {
    return _mm512_mask_add_epi32(c, _mm512_cmp_ps_mask(a, b, _CMP_GE_OQ), c, _mm512_set1_epi32(1));
  }
  BANKML_AVX512 size_t total(Count c) { return static_cast<uint32_t>(_mm512_reduce_add_epi32(c)); }
  BANKML_AVX512 void put(uint32_t* p, Count c) { _mm512_storeu_si512(p, c); }

  BANKML_AVX512 D low(F v) { return _mm512_cvtps_pd(_mm512_castps512_ps256(v)); }
  BANKML_AVX512 D high(F v) { return _mm512_cvtps_pd(_mm512_extractf32x8_ps(v, 1)); }
  BANKML_AVX512 F join(D l, D h) { return _mm512_insertf32x8(_mm512_castps256_ps512(_mm512_cvtpd_ps(l)), _mm512_cvtpd_ps(h), 1); }
  BANKML_AVX512 double sum_d(D v) { return _mm512_reduce_add_pd(v); }
  BANKML_AVX512 D all_d(double x) { return _mm512_set1_pd(x); }
  BANKML_AVX512 D add(D a, D b) { return _mm512_add_pd(a, b); }
  BANKML_AVX512 D sub(D a, D b) { return _mm512_sub_pd(a, b); }
  BANKML_AVX512 D mul(D a, D b) { return _mm512_mul_pd(a, b); }
  BANKML_AVX512 D mul_add(D a, D b, D c) { return _mm512_fmadd_pd(a, b, c); }
  BANKML_AVX512 D remainder(D a, D b, D c) { return _mm512_fmsub_pd(a, b, c); }
  // The table's 32 entries fill four registers: two permutes look at all five bits of k.
  BANKML_AVX512 D power_of_two(D k_bits) {
    const __m512i k = _mm512_castpd_si512(k_bits);
    const __m512i first = _mm512_permutex2var_epi64(_mm512_loadu_si512(math::exp2_32), k, _mm512_loadu_si512(math::exp2_32 + 8));
    const __m512i second =
        _mm512_permutex2var_epi64(_mm512_loadu_si512(math::exp2_32 + 16), k, _mm512_loadu_si512(math::exp2_32 + 24));
    const __m512i base = _mm512_mask_mov_epi64(first, _mm512_test_epi64_mask(k, _mm512_set1_epi64(16)), second);
    return _mm512_castsi512_pd(_mm512_add_epi64(base, _mm512_slli_epi64(k, 47)));
  }

  struct LogParts {
    D z, k, reciprocal, ln;
  };
  // 16 table entries fill two registers.
  BANKML_AVX512 D pick(const double* table, __m512i place) {
    return _mm512_permutex2var_pd(_mm512_loadu_pd(table), place, _mm512_loadu_pd(table + 8));
  }
  BANKML_AVX512 void reduce_log(F x, const double* reciprocals, const double* lns, LogParts parts[2]) {
    const __m512i bits = _mm512_castps_si512(x);
    const __m512i offset = _mm512_sub_epi32(bits, _mm512_set1_epi32(0x3F330000));
    const __m512i z = _mm512_sub_epi32(bits, _mm512_slli_epi32(_mm512_srli_epi32(offset, 23), 23));
    const __m512i k = _mm512_srai_epi32(offset, 23);
    const __m512i place = _mm512_and_si512(_mm512_srli_epi32(offset, 19), _mm512_set1_epi32(15));
    const D zs[2] = {low(_mm512_castsi512_ps(z)), high(_mm512_castsi512_ps(z))};
    const __m256i ks[2] = {_mm512_castsi512_si256(k), _mm512_extracti32x8_epi32(k, 1)};
    const __m256i places[2] = {_mm512_castsi512_si256(place), _mm512_extracti32x8_epi32(place, 1)};
    for (size_t i = 0; i < 2; ++i) {
      const __m512i wide = _mm512_cvtepu32_epi64(places[i]);
      parts[i] = {zs[i], _mm512_cvtepi32_pd(ks[i]), pick(reciprocals, wide), pick(lns, wide)};
    }
  }

  // 16 records in three vectors: field 0 lies in lanes 0 3 6 ... of the first, 2 5 8 ... of the second, 1 4 7 ... of the third.
  struct Records {
    F part[3];
  };
  BANKML_AVX512 Records load_records(const float* p) { return {{load(p), load(p + 16), load(p + 32)}}; }
  BANKML_AVX512 F first_fields(const Records& r) {
    return _mm512_mask_mov_ps(_mm512_mask_mov_ps(r.part[0], 0x4924, r.part[1]), 0x2492, r.part[2]);
  }
  BANKML_AVX512 void store_records(float* p, const Records& r, F second) {
    const __m512i places = _mm512_setr_epi32(15, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14);
    const F turned = _mm512_permutexvar_ps(places, second);
    store(p, _mm512_mask_mov_ps(r.part[0], 0x2492, turned));
    store(p + 16, _mm512_mask_mov_ps(r.part[1], 0x9249, turned));
    store(p + 32, _mm512_mask_mov_ps(r.part[2], 0x4924, turned));
  }
};

}  // namespace bankml::simd::avx512

#include "core/simd/vector_kernels.inl"
// After the helpers it uses.
#include "core/simd/sum_kernels.inl"
// After both.
#include "core/simd/log_kernels.inl"
// After sum_kernels.inl.
#include "core/simd/moment_kernels.inl"

namespace bankml::simd {

const Kernels avx512_kernels = {Level::avx512,
                                "avx512",
                                avx512::exp_shift,
                                avx512::maximum,
                                avx512::block_maxima,
                                avx512::count_reaching,
                                avx512::collect_reaching,
                                avx512::copy_allowed,
                                avx512::hits_above,
                                avx512::find_equal,
                                avx512::rank,
                                avx512::sum,
                                avx512::exp_sum,
                                avx512::sum_any_order,
                                avx512::exp_sum_any_order,
                                avx512::exp_mass,
                                avx512::moments,
                                avx512::bucket_places,
                                avx512::log,
                                avx512::exp_sum_below,
                                avx512::entropy_below,
                                avx512::signed_sum,
                                avx512::squares_sum,
                                avx512::quotients_between,
                                avx512::quotients_below};

}  // namespace bankml::simd

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif

#undef BANKML_AVX512
#undef BANKML_SIMD_TARGET
#undef BANKML_SIMD_NAMESPACE

#endif
