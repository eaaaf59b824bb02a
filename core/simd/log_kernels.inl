// Logarithms in lanes, and the two sums of a row's tail whose order does not matter: the body of the vector twins, included after
// sum_kernels.inl.
//
// log_lanes is core/math/logf.h in double lanes; all 2^32 floats are compared in the long tests, so fused and plain operations
// may both be used.
// * exp_sum_below: exp_block of sum_kernels.inl over the terms below an edge; the others count as 0.
// * entropy_below: a term -p logf(p) is close to t = y / S (ln S - d), d = x - shift, y = e^d. In units of 2^-24, relatively: the
//   term's p is off by 2.02 and its product by 1; its logarithm by 1.1, and by what p is off, absolutely, which is 2.02 where
//   ln S - d >= 1. t is off by 3 (y), 3 (ln S and the difference, neither of which is negative), 3 (1 / S and two products). That
//   is 15.2; lanes that take t lowered and raised by 32 and end equal prove the rounding of every term, as there. A block with a
//   larger p, and one whose lanes part, forms its terms. Sums below 2^-60 are refused: the least terms are then far below half an
//   ulp.
//
// Tested by tests/simd/logs.cpp

namespace bankml::simd::BANKML_SIMD_NAMESPACE {

#define BANKML_SIMD_INLINE BANKML_SIMD_TARGET __attribute__((always_inline)) static inline

constexpr float entropy_margin = 0x1p-19f;
constexpr float entropy_from = 0x1p-60f;
constexpr float least_normal = 0x1p-126f;
constexpr float infinity = std::numeric_limits<float>::infinity();

// The columns of math::log_16.
struct LogTable {
  alignas(64) double reciprocal[16];
  alignas(64) double ln[16];
};
constexpr LogTable make_log_table() {
  LogTable table{};
  for (size_t i = 0; i < 16; ++i) {
    table.reciprocal[i] = math::log_16[i].reciprocal;
    table.ln[i] = math::log_16[i].ln;
  }
  return table;
}
constexpr LogTable log_table = make_log_table();

// logf of positive normal floats.
BANKML_SIMD_INLINE V::F log_lanes(V::F x) {
  using C = math::LogfConstants;
  V::LogParts parts[2];
  V::reduce_log(x, log_table.reciprocal, log_table.ln, parts);
  V::D y[2];
  for (size_t i = 0; i < 2; ++i) {
    const V::D r = V::remainder(parts[i].z, parts[i].reciprocal, V::all_d(1));
    const V::D y0 = V::mul_add(parts[i].k, V::all_d(C::ln2), parts[i].ln);
    const V::D r2 = V::mul(r, r);
    const V::D high = V::mul_add(V::all_d(C::a0), r2, V::mul_add(V::all_d(C::a1), r, V::all_d(C::a2)));
    y[i] = V::mul_add(high, r2, V::add(y0, r));
  }
  return V::join(y[0], y[1]);
}

BANKML_SIMD_TARGET void log(const float* x, float* out, size_t n) noexcept {
  for (size_t i = 0; i < n; i += width) {
    const size_t here = n - i < width ? n - i : width;
    float padded[width];
    for (size_t j = 0; j < width; ++j) padded[j] = 1.0f;
    for (size_t j = 0; j < here; ++j) padded[j] = x[i + j];
    const V::F v = here == width ? V::load(x + i) : V::load(padded);
    if (V::every(V::reaching(v, V::all(least_normal))) && V::every(V::above(V::all(infinity), v))) {
      V::store(here == width ? out + i : padded, log_lanes(v));
    } else {
      for (size_t j = 0; j < here; ++j) padded[j] = math::logf(x[i + j]);
      if (here == width) V::store(out + i, V::load(padded));
    }
    for (size_t j = 0; here < width && j < here; ++j) out[i + j] = padded[j];
  }
}

// The differences from the shift, those of terms that do not count as small as the range allows; returns the greatest.
BANKML_SIMD_INLINE float differences_below(const float* x, float edge, float shift, V::F* differences) {
  V::F greatest = V::all(least_exponent);
  for (size_t i = 0; i < sum_unit / width; ++i) {
    const V::F v = V::load(x + i * width);
    const V::F d = V::max(V::all(least_exponent), V::sub(v, V::all(shift)));
    differences[i] = V::keep(V::above(V::all(edge), v), d, V::all(least_exponent));
    greatest = V::max(greatest, differences[i]);
  }
  return V::greatest(greatest);
}

// Whether lanes that took lower and upper bounds prove a sum; it is then in `sum`.
BANKML_SIMD_INLINE bool accept_lanes(V::F low, V::F high, float base, float& sum) {
  if (!V::every(V::equal(low, high))) return false;
  const float end = sum + V::sum(V::sub(low, V::all(base)));
  if (!(end < 2.0f * base)) return false;
  sum = end;
  return true;
}

BANKML_SIMD_INLINE void zero_from(const float* x, float edge, float* terms) {
  for (size_t i = 0; i < sum_unit; i += width) {
    V::store(terms + i, V::keep(V::above(V::all(edge), V::load(x + i)), V::load(terms + i), V::all(0.0f)));
  }
}

BANKML_SIMD_INLINE bool exp_block_below(const float* x, float edge, float shift, float& sum) {
  const float base = power_below(sum);
  V::F differences[sum_unit / width];
  differences_below(x, edge, shift, differences);
  V::F low = V::all(base), high = V::all(base);
  for (size_t i = 0; i < sum_unit / width; ++i) {
    const V::F y = approximate_exp(differences[i]);
    low = V::mul_add(y, V::all(1.0f - exp_margin), low);
    high = V::mul_add(y, V::all(1.0f + exp_margin), high);
  }
  if (accept_lanes(low, high, base, sum)) return true;
  float terms[sum_unit];
  exp_shift(x, terms, 1, sum_unit, shift);
  zero_from(x, edge, terms);
  return sum_block<sum_unit>(terms, sum);
}

BANKML_SIMD_INLINE void entropy_terms(const float* x, float edge, float shift, float divisor, float* terms) {
  exp_shift(x, terms, 1, sum_unit, shift);
  for (size_t i = 0; i < sum_unit; i += width) V::store(terms + i, V::div(V::load(terms + i), V::all(divisor)));
  float logarithms[sum_unit];
  log(terms, logarithms, sum_unit);
  for (size_t i = 0; i < sum_unit; i += width) {
    const V::F p = V::load(terms + i);
    const V::F term = V::sub(V::all(0.0f), V::mul(p, V::load(logarithms + i)));
    V::store(terms + i, V::keep(V::above(p, V::all(0.0f)), term, V::all(0.0f)));
  }
  zero_from(x, edge, terms);
}

BANKML_SIMD_INLINE bool entropy_block_below(const float* x, float edge, float shift, float divisor, float log_divisor, float& sum) {
  const float base = power_below(sum);
  V::F differences[sum_unit / width];
  const float greatest = differences_below(x, edge, shift, differences);
  if (log_divisor - greatest >= 1.0f) {
    const V::F inverse = V::all(1.0f / divisor);
    V::F low = V::all(base), high = V::all(base);
    for (size_t i = 0; i < sum_unit / width; ++i) {
      const V::F surprise = V::sub(V::all(log_divisor), differences[i]);
      const V::F t = V::mul(V::mul(approximate_exp(differences[i]), inverse), surprise);
      low = V::mul_add(t, V::all(1.0f - entropy_margin), low);
      high = V::mul_add(t, V::all(1.0f + entropy_margin), high);
    }
    if (accept_lanes(low, high, base, sum)) return true;
  }
  float terms[sum_unit];
  entropy_terms(x, edge, shift, divisor, terms);
  return sum_block<sum_unit>(terms, sum);
}

BANKML_SIMD_TARGET bool exp_sum_below(const float* x, size_t n, float edge, float shift, float& sum) noexcept {
  for (size_t i = 0; i < n; i += sum_unit) {
    if (!provable(sum)) return false;
    float padded[sum_unit];
    const float* block = x + i;
    if (n - i < sum_unit) {
      pad(padded, sum_unit, block, n - i);
      block = padded;
    }
    if (!exp_block_below(block, edge, shift, sum)) return false;
  }
  return true;
}

BANKML_SIMD_TARGET bool entropy_below(const float* x, size_t n, float edge, float shift, float divisor, float& sum) noexcept {
  const float log_divisor = math::logf(divisor);
  for (size_t i = 0; i < n; i += sum_unit) {
    if (!(sum >= entropy_from && sum < provable_below)) return false;
    float padded[sum_unit];
    const float* block = x + i;
    if (n - i < sum_unit) {
      pad(padded, sum_unit, block, n - i);
      block = padded;
    }
    if (!entropy_block_below(block, edge, shift, divisor, log_divisor, sum)) return false;
  }
  return true;
}

#undef BANKML_SIMD_INLINE

}  // namespace bankml::simd::BANKML_SIMD_NAMESPACE
