// The vector kernels, once for every CPU: this body over a thin vector type `V` makes the twins of avx2.cpp, avx512.cpp, neon.cpp.
//
// Why an included body and not a template: a kernel and every helper inlined into it must carry the CPU's target attribute, which
// a template cannot take as a parameter, and flags for a whole file would let the linker merge a std function compiled for AVX-512
// into code that must run anywhere. The including file defines V, BANKML_SIMD_TARGET (the attribute) and BANKML_SIMD_NAMESPACE, and
// undefines both after; scripts that inline includes must repeat this file.
// V offers: F (width floats), D (half as many doubles), Count (width uint32), Lanes (a choice of lanes), Nans, Records; see
// avx2.cpp. No lambda stands inside a kernel: it would not inherit the target.
//
// Source of expf's method: llama-chain's reference, glibc (S. Nagy's expf of ARM's optimized-routines): see core/math.
// Tested by tests/simd/kernels.cpp, tests/simd/exp_shift.cpp

namespace bankml::simd::BANKML_SIMD_NAMESPACE {

#define BANKML_SIMD_INLINE BANKML_SIMD_TARGET __attribute__((always_inline)) static inline

constexpr float lowest = -std::numeric_limits<float>::infinity();
constexpr size_t unit = 64;  // elements that one 64-bit word of hits describes
constexpr size_t width = V::width;

enum class Compare : uint8_t { above, reaching, equal };

template <Compare compare>
BANKML_SIMD_INLINE uint32_t lane_bits(V::F x, V::F bound) {
  if constexpr (compare == Compare::above) return V::bits(V::above(x, bound));
  if constexpr (compare == Compare::reaching) return V::bits(V::reaching(x, bound));
  return V::bits(V::equal(x, bound));
}

// Copies x[0..n) and fills up to `size` with -inf.
BANKML_SIMD_INLINE void pad(float* out, size_t size, const float* x, size_t n) {
  for (size_t i = 0; i < n; ++i) out[i] = x[i];
  for (size_t i = n; i < size; ++i) out[i] = lowest;
}

template <Compare compare>
BANKML_SIMD_INLINE uint64_t unit_hits(const float* x, V::F bound) {
  uint64_t hits = 0;
  for (size_t i = 0; i < unit; i += width) hits |= static_cast<uint64_t>(lane_bits<compare>(V::load(x + i), bound)) << i;
  return hits;
}

// Hits among the first min(n, 64) elements, n >= 1.
template <Compare compare>
BANKML_SIMD_INLINE uint64_t some_hits(const float* x, size_t n, V::F bound) {
  if (n >= unit) return unit_hits<compare>(x, bound);
  float padded[unit];
  pad(padded, unit, x, n);
  return unit_hits<compare>(padded, bound) & ((uint64_t{1} << n) - 1);
}

// The 64 mask bits from element `first` < n on; words behind the n-th element's are not read, bits behind it may be set.
BANKML_SIMD_INLINE uint64_t mask_bits(const uint32_t* mask, size_t first, size_t n) {
  const size_t words = (n + 31) / 32, word = first / 32, shift = first % 32;
  const uint64_t second = word + 1 < words ? mask[word + 1] : 0;
  const uint64_t bits = (mask[word] | second << 32) >> shift;
  return shift == 0 || word + 2 >= words ? bits : bits | static_cast<uint64_t>(mask[word + 2]) << (64 - shift);
}

BANKML_SIMD_TARGET float maximum(const float* x, size_t n) noexcept {
  V::F m[8];
  for (V::F& lane : m) lane = V::all(lowest);
  const size_t skew = row_skew(x);
  float best = lowest;
  size_t i = 0;
  for (; skew != 0 && i < 16 - skew && i < n; ++i) best = x[i] > best ? x[i] : best;  // up to a 64-byte boundary
  for (; i + 8 * width <= n; i += 8 * width) {
    for (size_t j = 0; j < 8; ++j) m[j] = V::max(V::load(x + i + j * width), m[j]);
  }
  for (; i + width <= n; i += width) m[0] = V::max(V::load(x + i), m[0]);
  for (size_t j = 4; j > 0; j /= 2) {
    for (size_t l = 0; l < j; ++l) m[l] = V::max(m[l], m[l + j]);
  }
  best = V::greatest(V::max(m[0], V::all(best)));
  for (; i < n; ++i) best = x[i] > best ? x[i] : best;
  return best;
}

// The maximum of `size` elements, those whose bit in `allowed` (32 a word) is 0 left out. Each vector is loaded once: the scan runs
// at the speed of the cache, so a second load would cost more than all of its arithmetic. Two chains of NaN tests, since one is too
// slow.
template <size_t size, bool masked>
BANKML_SIMD_INLINE float block_maximum(const float* x, const uint32_t* allowed, V::Nans* nans) {
  V::F m[4];
  for (V::F& lane : m) lane = V::all(lowest);
  for (size_t i = 0; i < size; i += 4 * width) {
    V::F v[4];
    for (size_t j = 0; j < 4; ++j) {
      const size_t at = i + j * width;
      v[j] = V::load_once(x + at);
      if constexpr (masked) v[j] = V::keep(V::lanes_at(allowed, at), v[j], V::all(lowest));
    }
    nans[0] = V::note_nans(nans[0], v[0], v[1]);
    nans[1] = V::note_nans(nans[1], v[2], v[3]);
    for (size_t j = 0; j < 4; ++j) m[j] = V::max(v[j], m[j]);
  }
  return V::greatest(V::max(V::max(m[0], m[1]), V::max(m[2], m[3])));
}

// One block, [first, last) of the row's n elements, which may be short.
template <size_t size>
BANKML_SIMD_INLINE float any_block_maximum(const float* x, size_t first, size_t last, size_t n, const uint32_t* mask,
                                           V::Nans* nans) {
  float padded[size];
  const float* block = x + first;
  if (last - first < size) {
    pad(padded, size, block, last - first);
    block = padded;
  }
  if (mask == nullptr) return block_maximum<size, false>(block, nullptr, nans);
  uint32_t allowed[size / 32];
  uint64_t some = 0, all = ~uint64_t{0};
  for (size_t u = 0; u < size / unit; ++u) {
    const uint64_t bits = first + u * unit < last ? mask_bits(mask, first + u * unit, n) : 0;
    allowed[2 * u] = static_cast<uint32_t>(bits);
    allowed[2 * u + 1] = static_cast<uint32_t>(bits >> 32);
    some |= bits;
    all &= bits;
  }
  if (some == 0) return lowest;
  return all == ~uint64_t{0} ? block_maximum<size, false>(block, nullptr, nans) : block_maximum<size, true>(block, allowed, nans);
}

template <size_t size>
BANKML_SIMD_INLINE bool maxima_of_blocks(const float* x, size_t n, const uint32_t* mask, float* maxima) {
  V::Nans nans[2] = {V::no_nans(), V::no_nans()};
  const size_t skew = row_skew(x);
  size_t first = 0;
  for (size_t last = size - skew; first < n; first = last, last += size) {
    const bool whole = last - first == size && last <= n;
    if (whole && mask == nullptr) {
      *maxima++ = block_maximum<size, false>(x + first, nullptr, nans);
    } else {
      *maxima++ = any_block_maximum<size>(x, first, last < n ? last : n, n, mask, nans);
    }
  }
  return !V::any_nan(nans[0]) && !V::any_nan(nans[1]);
}

BANKML_SIMD_TARGET bool block_maxima(const float* x, size_t n, const uint32_t* mask, size_t block, float* maxima) noexcept {
  return block == unit ? maxima_of_blocks<unit>(x, n, mask, maxima) : maxima_of_blocks<4 * unit>(x, n, mask, maxima);
}

BANKML_SIMD_TARGET size_t count_reaching(const float* x, size_t n, float bound) noexcept {
  const V::F limit = V::all(bound);
  V::Count count[2] = {V::zero(), V::zero()};
  size_t i = 0;
  for (; i + 2 * width <= n; i += 2 * width) {
    count[0] = V::add_reaching(count[0], V::load(x + i), limit);
    count[1] = V::add_reaching(count[1], V::load(x + i + width), limit);
  }
  size_t total = V::total(count[0]) + V::total(count[1]);
  for (; i < n; ++i) total += x[i] >= bound;
  return total;
}

BANKML_SIMD_TARGET size_t collect_reaching(const float* x, size_t n, const uint32_t* mask, size_t block, const float* maxima,
                                           float bound, int32_t* index, float* value, size_t capacity) noexcept {
  const V::F limit = V::all(bound);
  const size_t blocks = row_blocks(x, n, block);
  size_t count = 0;
  for (size_t group = 0; group < blocks; group += unit) {
    uint64_t visit = some_hits<Compare::reaching>(maxima + group, blocks - group, limit);
    for (; visit != 0; visit &= visit - 1) {
      const BlockRange range = row_block(x, n, block, group + static_cast<size_t>(std::countr_zero(visit)));
      for (size_t at = range.first; at < range.last; at += unit) {
        uint64_t hits = some_hits<Compare::reaching>(x + at, range.last - at, limit);
        if (mask != nullptr) hits &= mask_bits(mask, at, n);
        if (hits == 0) continue;
        do {
          if (count == capacity) return capacity + 1;
          const size_t i = at + static_cast<size_t>(std::countr_zero(hits));
          index[count] = static_cast<int32_t>(i);
          value[count] = x[i];
          ++count;
          hits &= hits - 1;
        } while (hits != 0);
      }
    }
  }
  return count;
}

BANKML_SIMD_TARGET void copy_allowed(const float* x, size_t first, size_t last, const uint32_t* mask, float* out) noexcept {
  for (size_t at = first; at < last; at += unit) {
    const uint64_t bits = mask == nullptr ? ~uint64_t{0} : mask_bits(mask, at, last);
    if (last - at < unit) {
      for (size_t i = at; i < last; ++i) out[i - first] = (bits >> (i - at) & 1u) != 0 ? x[i] : lowest;
      return;
    }
    const uint32_t words[2] = {static_cast<uint32_t>(bits), static_cast<uint32_t>(bits >> 32)};
    for (size_t i = 0; i < unit; i += width) {
      V::store(out + (at - first) + i, V::keep(V::lanes_at(words, i), V::load(x + at + i), V::all(lowest)));
    }
  }
}

BANKML_SIMD_TARGET void hits_above(const float* x, size_t n, float bound, uint64_t hits[4]) noexcept {
  const V::F limit = V::all(bound);
  for (size_t u = 0; u < 4; ++u) hits[u] = u * unit < n ? some_hits<Compare::above>(x + u * unit, n - u * unit, limit) : 0;
}

BANKML_SIMD_TARGET size_t find_equal(const float* x, size_t n, float value) noexcept {
  const V::F wanted = V::all(value);
  for (size_t i = 0; i < n; i += unit) {
    const uint64_t hits = some_hits<Compare::equal>(x + i, n - i, wanted);
    if (hits != 0) return i + static_cast<size_t>(std::countr_zero(hits));
  }
  return n;
}

BANKML_SIMD_TARGET void rank(const float* x, size_t n, uint32_t* ranks) noexcept {
  constexpr size_t group = 4 * width;  // elements ranked side by side
  for (size_t i = 0; i < n; i += group) {
    float padded[group];
    uint32_t counted[group];
    const size_t here = n - i < group ? n - i : group;
    pad(padded, group, x + i, here);
    V::F v[4];
    V::Count count[4];
    for (size_t j = 0; j < 4; ++j) {
      v[j] = V::load(padded + j * width);
      count[j] = V::zero();
    }
    for (size_t other = 0; other < n; ++other) {
      const V::F rival = V::all(x[other]);
      for (size_t j = 0; j < 4; ++j) count[j] = V::add_above(count[j], rival, v[j]);
    }
    for (size_t j = 0; j < 4; ++j) V::put(counted + j * width, count[j]);
    for (size_t j = 0; j < here; ++j) ranks[i + j] = counted[j];
  }
}

// exp(x) of half a vector in double: 2^(k/32) * (1 + r ln2/32 + ...), k the integer nearest to x * 32 / ln2.
BANKML_SIMD_INLINE V::D exp_half(V::D x) {
  using C = math::ExpfConstants;
  const V::D k_bits = V::add(V::mul(V::all_d(C::inverse_ln2_32), x), V::all_d(C::shift));
  const V::D r = V::remainder(x, V::all_d(C::inverse_ln2_32), V::sub(k_bits, V::all_d(C::shift)));
  const V::D a = V::mul_add(V::all_d(C::c0), r, V::all_d(C::c1));
  const V::D b = V::mul_add(V::all_d(C::c2), r, V::all_d(1));
  return V::mul(V::mul_add(a, V::mul(r, r), b), V::power_of_two(k_bits));
}

// Beyond the clamps the double result rounds to +inf or 0 as it should; a NaN passes them.
BANKML_SIMD_INLINE V::F exp_lanes(V::F x) {
  using C = math::ExpfConstants;
  const V::F z = V::max(V::all(-104.0f), V::min(V::all(89.0f), x));
  V::F y = V::join(exp_half(V::low(z)), exp_half(V::high(z)));
  if constexpr (!V::fused) {  // the two floats whose last bit comes from a fused multiply-add in the reference
    for (size_t i = 0; i < 2; ++i) {
      const V::F input = V::all(std::bit_cast<float>(C::patched_input[i]));
      y = V::keep(V::equal(x, input), V::all(std::bit_cast<float>(C::patched_result[i])), y);
    }
  }
  return y;
}

BANKML_SIMD_TARGET void exp_shift(const float* in, float* out, size_t stride, size_t n, float shift) noexcept {
  const V::F shifts = V::all(shift);
  size_t i = 0;
  if (stride == 1) {
    for (; i + width <= n; i += width) V::store(out + i, exp_lanes(V::sub(V::load(in + i), shifts)));
  } else if (stride == 3 && out == in + 1) {
    // Records (..., in, out, ...): whole vectors are read and written back, so one further record must follow.
    for (; i + width < n; i += width) {
      V::Records records = V::load_records(in + 3 * i);
      V::store_records(out - 1 + 3 * i, records, exp_lanes(V::sub(V::first_fields(records), shifts)));
    }
  }
  constexpr size_t chunk = 16 * width;
  float values[chunk];
  while (i < n) {
    const size_t here = n - i < chunk ? n - i : chunk;
    const size_t rounded = (here + width - 1) / width * width;
    for (size_t j = 0; j < here; ++j) values[j] = in[(i + j) * stride];
    for (size_t j = here; j < rounded; ++j) values[j] = shift;
    for (size_t j = 0; j < rounded; j += width) V::store(values + j, exp_lanes(V::sub(V::load(values + j), shifts)));
    for (size_t j = 0; j < here; ++j) out[(i + j) * stride] = values[j];
    i += here;
  }
}

#undef BANKML_SIMD_INLINE

}  // namespace bankml::simd::BANKML_SIMD_NAMESPACE
