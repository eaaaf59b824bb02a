// Sum of signed terms and sum of squared distances with a fixed order of additions: the body of the vector twins, included after
// sum_kernels.inl, whose notation this uses.
//
// * signed_block, away from 0: with X >= the sum of the |x| of a block, |S| - X >= B and |S| + X < 2B keep every partial sum in one
//   binade, on one side; lanes from 1.5 B then round each term as S would, and one ulp between two of them shows that none is a
//   half.
//   Near 0: let g be the ulp of |S| + X. If S and all terms are multiples of g, every partial sum is one too, of less than 2^24 g:
//   all additions are exact. Logits of quantised models are such multiples.
// * squares_block: fl(double(S) + d^2), rounded to float. The first rounding, to multiples of 2^-52 B, does not depend on S inside
//   its binade, nor does the second unless it decides a half; so each square is rounded alone, twice, and the multiples of u are
//   added in double, exactly.
// A block that is not proven goes through the plain loop.
//
// Tested by tests/simd/moments.cpp

namespace bankml::simd::BANKML_SIMD_NAMESPACE {

#define BANKML_SIMD_INLINE BANKML_SIMD_TARGET __attribute__((always_inline)) static inline

constexpr float moments_from = 0x1p-60f;

BANKML_SIMD_INLINE V::F finite_or_zero(const float* x) {
  const V::F v = V::load(x);
  return V::keep(V::above(v, V::all(lowest)), v, V::all(0.0f));
}

BANKML_SIMD_INLINE V::F magnitude(V::F v) { return V::max(v, V::sub(V::all(0.0f), v)); }

BANKML_SIMD_INLINE bool signed_block(const float* x, float& sum) {
  V::F sizes = V::all(0.0f);
  for (size_t i = 0; i < sum_unit; i += width) sizes = V::add(sizes, magnitude(finite_or_zero(x + i)));
  const float size = V::sum(sizes) * (1 + 0x1p-12f);
  const float absolute = sum < 0.0f ? -sum : sum;
  const float reach = absolute + size;
  if (!(reach >= moments_from && reach < provable_below)) return false;
  const float binade = power_below(absolute);
  if (absolute >= moments_from && absolute - size >= binade && reach < 2.0f * binade) {
    const float ulp = binade * 0x1p-23f, base = sum < 0.0f ? -1.5f * binade : 1.5f * binade;
    V::F low = V::all(base), high = V::all(base + ulp);
    for (size_t i = 0; i < sum_unit; i += width) {
      const V::F v = finite_or_zero(x + i);
      low = V::add(low, v);
      high = V::add(high, v);
    }
    if (!V::every(V::equal(V::sub(high, low), V::all(ulp)))) return false;
    sum += V::sum(V::sub(low, V::all(base)));
    return true;
  }
  // Adding this to a size below twice of it rounds to a multiple of g, or of 2 g.
  const float shift = power_below(reach * (1 + 0x1p-12f));
  if ((absolute + shift) - shift != absolute) return false;
  V::F total = V::all(0.0f), differing = V::all(0.0f);
  for (size_t i = 0; i < sum_unit; i += width) {
    const V::F v = finite_or_zero(x + i);
    const V::F part = magnitude(v);
    differing = V::max(differing, magnitude(V::sub(V::sub(V::add(part, V::all(shift)), V::all(shift)), part)));
    total = V::add(total, v);
  }
  if (V::greatest(differing) != 0.0f) return false;
  sum += V::sum(total);
  return true;
}

BANKML_SIMD_TARGET float signed_sum(const float* x, size_t n, float start) noexcept {
  float total = start;
  for (size_t i = 0; i < n; i += sum_unit) {
    if (n - i >= sum_unit && signed_block(x + i, total)) continue;
    const size_t end = n - i < sum_unit ? n : i + sum_unit;
    for (size_t j = i; j < end; ++j) {
      if (x[j] > lowest) total += x[j];
    }
  }
  return total;
}

BANKML_SIMD_INLINE bool squares_block(const float* x, float mean, float& sum) {
  if (!(sum >= moments_from && sum < provable_below)) return false;
  const float binade = power_below(sum);
  const V::D base = V::all_d(static_cast<double>(binade)), shift = V::all_d(static_cast<double>(binade) * 0x1.8p29);
  V::D total = V::all_d(0);
  V::F farthest = V::all(0.0f);
  for (size_t i = 0; i < sum_unit; i += width) {
    const V::F v = V::load(x + i);
    const V::F distance = V::keep(V::above(v, V::all(lowest)), V::sub(v, V::all(mean)), V::all(0.0f));
    V::D off[2];
    const V::D halves[2] = {V::low(distance), V::high(distance)};
    for (size_t j = 0; j < 2; ++j) {
      const V::D first = V::sub(V::add(base, V::mul(halves[j], halves[j])), base);
      const V::D second = V::sub(V::add(first, shift), shift);
      total = V::add(total, second);
      off[j] = V::sub(first, second);
    }
    farthest = V::max(farthest, magnitude(V::join(off[0], off[1])));
  }
  const double end = static_cast<double>(sum) + V::sum_d(total);
  if (!(end < 2.0 * static_cast<double>(binade)) || !(V::greatest(farthest) < binade * 0x1p-24f)) return false;
  sum = static_cast<float>(end);
  return true;
}

BANKML_SIMD_TARGET float squares_sum(const float* x, size_t n, float mean, float start) noexcept {
  float total = start;
  for (size_t i = 0; i < n; i += sum_unit) {
    if (n - i >= sum_unit && squares_block(x + i, mean, total)) continue;
    const size_t end = n - i < sum_unit ? n : i + sum_unit;
    for (size_t j = i; j < end; ++j) {
      if (!(x[j] > lowest)) continue;
      const double distance = static_cast<double>(x[j] - mean);
      total = static_cast<float>(static_cast<double>(total) + distance * distance);
    }
  }
  return total;
}

#undef BANKML_SIMD_INLINE

}  // namespace bankml::simd::BANKML_SIMD_NAMESPACE
