// Sums whose every bit is fixed by an order of additions, computed side by side: the body of the vector twins, included like
// vector_kernels.inl and after it.
//
// Let S be a running float sum in [B, 2B), B a power of two, u = ulp(B). While S stays there, fl(S + x) = S + u * rint(x / u) for
// x >= 0, unless x / u lies exactly between two integers (a half), where ties-to-even looks at the last bit of S. So lanes that
// start at B round every term as S would, and multiples of u below 2^24 u add up exactly in any order.
// * sum_block: two lanes a = B and b = B + u take the same terms. A half makes them meet or part by 2u, after which they have equal
//   last bits for ever, so b - a = u at the end proves that there was none. With t = sum of (a - B), S + t < 2B then proves that no
//   lane left the binade, so S + t is the float sum. Fails for NaN, infinities and terms above S as well.
// * exp_block: the terms need few of their bits. y is within 2^-23 of expf as it is defined, relatively; lanes take y lowered and y
//   raised by twice that. Equal lanes at the end prove that every pair was rounded alike, and
//   what lies between them, the term itself, with it; a half lies strictly between its bounds, which part, never to meet again.
// * sum_any_order, exp_sum_any_order: both proofs hold for every order of the terms, so blocks that all pass one of them are a
// proof of that too. Where a proof fails (a sum changes its binade, a term is close to a half) the terms are formed and smaller
// blocks are tried, at last the plain loop: some 30 of 600 blocks of a vocabulary. Below 2^-100 nothing is tried.
//
// Tested by tests/simd/sums.cpp

namespace bankml::simd::BANKML_SIMD_NAMESPACE {

#define BANKML_SIMD_INLINE BANKML_SIMD_TARGET __attribute__((always_inline)) static inline

constexpr size_t sum_unit = 256;
constexpr float least_exponent = -87.0f;  // the polynomial's range ends here; what lies below is less than half an ulp of 2^-100
constexpr float provable_from = 0x1p-100f;
constexpr float provable_below = 0x1p100f;
// approximate_exp is within 2^-23 of expf (every float of its range was tried); rounding a bound takes at most 2^-24 of the margin.
constexpr float exp_margin = 0x1p-22f;

BANKML_SIMD_INLINE float power_below(float x) { return std::bit_cast<float>(std::bit_cast<uint32_t>(x) & 0x7F800000u); }

// e^x for x in [-87, 0]: 2^n * e^r with |r| <= ln 2 / 2 + a little, and Cephes' polynomial for e^r. The first part of ln 2 has few
// bits, so that its product with n is exact.
BANKML_SIMD_INLINE V::F approximate_exp(V::F x) {
  const V::F t = V::mul_add(x, V::all(0x1.715476p0f), V::all(0x1.8p23f));
  const V::F n = V::sub(t, V::all(0x1.8p23f));
  V::F r = V::mul_add(n, V::all(-0.693145751953125f), x);
  r = V::mul_add(n, V::all(-1.428606765330187e-6f), r);
  V::F y = V::mul_add(V::all(1.9875691500e-4f), r, V::all(1.3981999507e-3f));
  y = V::mul_add(y, r, V::all(8.3334519073e-3f));
  y = V::mul_add(y, r, V::all(4.1665795894e-2f));
  y = V::mul_add(y, r, V::all(1.6666665459e-1f));
  y = V::mul_add(y, r, V::all(5.0000001201e-1f));
  y = V::add(V::mul_add(y, V::mul(r, r), r), V::all(1.0f));
  return V::shift_exponent(y, t);
}

// True with S + the terms in `sum` if the sum is proven; size is a multiple of the vector width.
template <size_t size>
BANKML_SIMD_INLINE bool sum_block(const float* x, float& sum) {
  const float base = power_below(sum);
  const float ulp = base * 0x1p-23f;
  V::F low = V::all(base), high = V::all(base + ulp);
  for (size_t i = 0; i < size; i += width) {
    const V::F v = V::load(x + i);
    low = V::add(low, v);
    high = V::add(high, v);
  }
  if (!V::every(V::equal(V::sub(high, low), V::all(ulp)))) return false;
  const float end = sum + V::sum(V::sub(low, V::all(base)));
  if (!(end < 2.0f * base)) return false;
  sum = end;
  return true;
}

BANKML_SIMD_INLINE bool provable(float sum) { return sum >= provable_from && sum < provable_below; }

BANKML_SIMD_TARGET float sum(const float* x, size_t n, float start) noexcept {
  constexpr size_t small = 2 * width;
  float total = start;
  size_t i = 0;
  while (i < n) {
    if (n - i >= sum_unit && provable(total) && sum_block<sum_unit>(x + i, total)) {
      i += sum_unit;
      continue;
    }
    const size_t end = n - i < sum_unit ? n : i + sum_unit;
    for (; i + small <= end; i += small) {
      if (provable(total) && sum_block<small>(x + i, total)) continue;
      for (size_t j = 0; j < small; ++j) total += x[i + j];
    }
    for (; i < end; ++i) total += x[i];
  }
  return total;
}

template <size_t size>
BANKML_SIMD_INLINE bool exp_block(const float* x, V::F shift, float& sum) {
  const float base = power_below(sum);
  V::F low = V::all(base), high = V::all(base);
  for (size_t i = 0; i < size; i += width) {
    const V::F y = approximate_exp(V::max(V::all(least_exponent), V::sub(V::load(x + i), shift)));
    low = V::mul_add(y, V::all(1.0f - exp_margin), low);
    high = V::mul_add(y, V::all(1.0f + exp_margin), high);
  }
  if (!V::every(V::equal(low, high))) return false;
  const float end = sum + V::sum(V::sub(low, V::all(base)));
  if (!(end < 2.0f * base)) return false;
  sum = end;
  return true;
}

BANKML_SIMD_TARGET float exp_sum(const float* x, size_t n, float shift, float start) noexcept {
  const V::F shifts = V::all(shift);
  float total = start;
  for (size_t i = 0; i < n; i += sum_unit) {
    if (n - i >= sum_unit && provable(total) && exp_block<sum_unit>(x + i, shifts, total)) continue;
    const size_t here = n - i < sum_unit ? n - i : sum_unit;
    float terms[sum_unit];
    exp_shift(x + i, terms, 1, here, shift);
    total = sum(terms, here, total);
  }
  return total;
}

// A part of a block costs as much as all of it, so what is left behind whole blocks goes in small ones.
constexpr size_t small_unit = 64;

template <size_t size>
BANKML_SIMD_INLINE bool sum_part(const float* x, size_t n, float& total) {
  if (!provable(total)) return false;
  if (n >= size) return sum_block<size>(x, total);
  float padded[size];
  for (size_t j = 0; j < size; ++j) padded[j] = j < n ? x[j] : 0.0f;
  return sum_block<size>(padded, total);
}

template <size_t size>
BANKML_SIMD_INLINE bool exp_part(const float* x, size_t n, V::F shifts, float shift, float& total) {
  if (!provable(total)) return false;
  float padded[size];
  if (n < size) {
    pad(padded, size, x, n);
    x = padded;
  }
  if (exp_block<size>(x, shifts, total)) return true;
  float terms[size];
  exp_shift(x, terms, 1, size, shift);
  return sum_block<size>(terms, total);
}

BANKML_SIMD_TARGET bool sum_any_order(const float* x, size_t n, float& total) noexcept {
  size_t i = 0;
  for (; n - i >= sum_unit; i += sum_unit) {
    if (!sum_part<sum_unit>(x + i, sum_unit, total)) return false;
  }
  for (; i < n; i += small_unit) {
    if (!sum_part<small_unit>(x + i, n - i, total)) return false;
  }
  return true;
}

BANKML_SIMD_TARGET bool exp_sum_any_order(const float* x, size_t n, float shift, float& total) noexcept {
  const V::F shifts = V::all(shift);
  size_t i = 0;
  for (; n - i >= sum_unit; i += sum_unit) {
    if (!exp_part<sum_unit>(x + i, sum_unit, shifts, shift, total)) return false;
  }
  for (; i < n; i += small_unit) {
    if (!exp_part<small_unit>(x + i, n - i, shifts, shift, total)) return false;
  }
  return true;
}

BANKML_SIMD_TARGET void bucket_places(const float* x, size_t n, float divisor, float* quotient, uint8_t* place) noexcept {
  const V::F divisors = V::all(divisor);
  size_t i = 0;
  for (; i + width <= n; i += width) {
    const V::F q = V::div(V::load(x + i), divisors);
    V::store(quotient + i, q);
    V::put_bytes(place + i, V::add(V::mul(V::all(6.4f), q), V::all(64.0f)));
  }
  for (; i < n; ++i) {
    quotient[i] = x[i] / divisor;
    const float p = 6.4f * quotient[i] + 64.0f;
    place[i] = p >= 0.0f ? p < 127.0f ? static_cast<uint8_t>(p) : 127 : 0;
  }
}

BANKML_SIMD_TARGET size_t quotients_between(const float* x, size_t n, float divisor, float low, float high, int32_t first,
                                            float* quotient, int32_t* index) noexcept {
  const V::F divisors = V::all(divisor), lows = V::all(low), highs = V::all(high);
  size_t count = 0, i = 0;
  for (; i + width <= n; i += width) {
    V::F q = V::load(x + i);
    if (divisor != 1.0f) q = V::div(q, divisors);
    const V::Lanes chosen = V::both(V::reaching(q, lows), V::above(highs, q));
    V::pack(quotient + count, index + count, q, first + static_cast<int32_t>(i), chosen);
    count += static_cast<size_t>(std::popcount(V::bits(chosen)));
  }
  for (; i < n; ++i) {
    const float q = x[i] / divisor;
    quotient[count] = q;
    index[count] = first + static_cast<int32_t>(i);
    count += q >= low && q < high ? 1 : 0;
  }
  return count;
}

BANKML_SIMD_TARGET void quotients_below(const float* x, size_t n, float divisor, float bound, float* out) noexcept {
  const V::F divisors = V::all(divisor), bounds = V::all(bound);
  size_t i = 0;
  for (; i + width <= n; i += width) {
    V::F q = V::load(x + i);
    if (divisor != 1.0f) q = V::div(q, divisors);
    V::store(out + i, V::keep(V::above(bounds, q), q, V::all(lowest)));
  }
  for (; i < n; ++i) {
    const float q = x[i] / divisor;
    out[i] = q < bound ? q : lowest;
  }
}

template <size_t size>
BANKML_SIMD_INLINE V::F mass_lanes(const float* x, V::F divisors, V::F shifts) {
  constexpr size_t group = small_unit;  // one addition a lane and group, inside it a tree
  V::F total = V::all(0.0f);
  for (size_t i = 0; i < size; i += group) {
    V::F part[group / width];
    for (size_t j = 0; j < group / width; ++j) {
      const V::F d = V::sub(V::div(V::load(x + i + j * width), divisors), shifts);
      part[j] = approximate_exp(V::max(V::all(least_exponent), d));
    }
    for (size_t half = group / width / 2; half > 0; half /= 2) {
      for (size_t j = 0; j < half; ++j) part[j] = V::add(part[j], part[j + half]);
    }
    total = V::add(total, part[0]);
  }
  return total;
}

BANKML_SIMD_TARGET float exp_mass(const float* x, size_t n, float divisor, float shift) noexcept {
  const V::F divisors = V::all(divisor), shifts = V::all(shift);
  if (n == sum_unit) return V::sum(mass_lanes<sum_unit>(x, divisors, shifts));
  V::F total = V::all(0.0f);
  for (size_t i = 0; i < n; i += small_unit) {
    float padded[small_unit];
    const float* part = x + i;
    if (n - i < small_unit) {
      pad(padded, small_unit, part, n - i);
      part = padded;
    }
    total = V::add(total, mass_lanes<small_unit>(part, divisors, shifts));
  }
  return V::sum(total);
}

BANKML_SIMD_TARGET Moments moments(const float* x, size_t n) noexcept {
  V::D sum[2] = {V::all_d(0), V::all_d(0)};
  V::D squares[2] = {V::all_d(0), V::all_d(0)};
  V::Count count = V::zero();
  for (size_t i = 0; i < n; i += small_unit) {
    float padded[small_unit];
    const float* part = x + i;
    if (n - i < small_unit) {
      pad(padded, small_unit, part, n - i);
      part = padded;
    }
    for (size_t j = 0; j < small_unit; j += width) {
      const V::F v = V::load(part + j);
      count = V::add_above(count, v, V::all(lowest));
      const V::F finite = V::keep(V::above(v, V::all(lowest)), v, V::all(0.0f));
      const V::D halves[2] = {V::low(finite), V::high(finite)};
      for (size_t half = 0; half < 2; ++half) {
        sum[half] = V::add(sum[half], halves[half]);
        squares[half] = V::mul_add(halves[half], halves[half], squares[half]);
      }
    }
  }
  return {V::sum_d(V::add(sum[0], sum[1])), V::sum_d(V::add(squares[0], squares[1])), V::total(count)};
}

#undef BANKML_SIMD_INLINE

}  // namespace bankml::simd::BANKML_SIMD_NAMESPACE
