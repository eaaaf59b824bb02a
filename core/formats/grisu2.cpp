// Grisu2 multiplies the double and the borders of its interval by a power of ten that is near in 64 bits, so that the products'
// integer parts have few digits, and cuts digits off as soon as the rest is within the interval, which is taken one unit too narrow
// for the errors of the products. Powers: one in eight, each the nearest 64-bit significand, as the paper has them.
// Tested by tests/formats/grisu2_test.cpp
#include "core/formats/grisu2.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <string_view>

namespace bankml::json {
namespace grisu2_detail {

struct Scaled {
  uint64_t f;
  int e;  // f * 2^e
};

struct Power {
  uint64_t f;
  int e;
  int k;  // f * 2^e is near 10^k
};

constexpr int first_power = -300, power_step = 8;
constexpr Power powers[] = {
    {0xAB70FE17C79AC6CAULL, -1060, -300}, {0xFF77B1FCBEBCDC4FULL, -1034, -292}, {0xBE5691EF416BD60CULL, -1007, -284},
    {0x8DD01FAD907FFC3CULL, -980, -276},  {0xD3515C2831559A83ULL, -954, -268},  {0x9D71AC8FADA6C9B5ULL, -927, -260},
    {0xEA9C227723EE8BCBULL, -901, -252},  {0xAECC49914078536DULL, -874, -244},  {0x823C12795DB6CE57ULL, -847, -236},
    {0xC21094364DFB5637ULL, -821, -228},  {0x9096EA6F3848984FULL, -794, -220},  {0xD77485CB25823AC7ULL, -768, -212},
    {0xA086CFCD97BF97F4ULL, -741, -204},  {0xEF340A98172AACE5ULL, -715, -196},  {0xB23867FB2A35B28EULL, -688, -188},
    {0x84C8D4DFD2C63F3BULL, -661, -180},  {0xC5DD44271AD3CDBAULL, -635, -172},  {0x936B9FCEBB25C996ULL, -608, -164},
    {0xDBAC6C247D62A584ULL, -582, -156},  {0xA3AB66580D5FDAF6ULL, -555, -148},  {0xF3E2F893DEC3F126ULL, -529, -140},
    {0xB5B5ADA8AAFF80B8ULL, -502, -132},  {0x87625F056C7C4A8BULL, -475, -124},  {0xC9BCFF6034C13053ULL, -449, -116},
    {0x964E858C91BA2655ULL, -422, -108},  {0xDFF9772470297EBDULL, -396, -100},  {0xA6DFBD9FB8E5B88FULL, -369, -92},
    {0xF8A95FCF88747D94ULL, -343, -84},   {0xB94470938FA89BCFULL, -316, -76},   {0x8A08F0F8BF0F156BULL, -289, -68},
    {0xCDB02555653131B6ULL, -263, -60},   {0x993FE2C6D07B7FACULL, -236, -52},   {0xE45C10C42A2B3B06ULL, -210, -44},
    {0xAA242499697392D3ULL, -183, -36},   {0xFD87B5F28300CA0EULL, -157, -28},   {0xBCE5086492111AEBULL, -130, -20},
    {0x8CBCCC096F5088CCULL, -103, -12},   {0xD1B71758E219652CULL, -77, -4},     {0x9C40000000000000ULL, -50, 4},
    {0xE8D4A51000000000ULL, -24, 12},     {0xAD78EBC5AC620000ULL, 3, 20},       {0x813F3978F8940984ULL, 30, 28},
    {0xC097CE7BC90715B3ULL, 56, 36},      {0x8F7E32CE7BEA5C70ULL, 83, 44},      {0xD5D238A4ABE98068ULL, 109, 52},
    {0x9F4F2726179A2245ULL, 136, 60},     {0xED63A231D4C4FB27ULL, 162, 68},     {0xB0DE65388CC8ADA8ULL, 189, 76},
    {0x83C7088E1AAB65DBULL, 216, 84},     {0xC45D1DF942711D9AULL, 242, 92},     {0x924D692CA61BE758ULL, 269, 100},
    {0xDA01EE641A708DEAULL, 295, 108},    {0xA26DA3999AEF774AULL, 322, 116},    {0xF209787BB47D6B85ULL, 348, 124},
    {0xB454E4A179DD1877ULL, 375, 132},    {0x865B86925B9BC5C2ULL, 402, 140},    {0xC83553C5C8965D3DULL, 428, 148},
    {0x952AB45CFA97A0B3ULL, 455, 156},    {0xDE469FBD99A05FE3ULL, 481, 164},    {0xA59BC234DB398C25ULL, 508, 172},
    {0xF6C69A72A3989F5CULL, 534, 180},    {0xB7DCBF5354E9BECEULL, 561, 188},    {0x88FCF317F22241E2ULL, 588, 196},
    {0xCC20CE9BD35C78A5ULL, 614, 204},    {0x98165AF37B2153DFULL, 641, 212},    {0xE2A0B5DC971F303AULL, 667, 220},
    {0xA8D9D1535CE3B396ULL, 694, 228},    {0xFB9B7CD9A4A7443CULL, 720, 236},    {0xBB764C4CA7A44410ULL, 747, 244},
    {0x8BAB8EEFB6409C1AULL, 774, 252},    {0xD01FEF10A657842CULL, 800, 260},    {0x9B10A4E5E9913129ULL, 827, 268},
    {0xE7109BFBA19C0C9DULL, 853, 276},    {0xAC2820D9623BF429ULL, 880, 284},    {0x80444B5E7AA7CF85ULL, 907, 292},
    {0xBF21E44003ACDD2DULL, 933, 300},    {0x8E679C2F5E44FF8FULL, 960, 308},    {0xD433179D9C8CB841ULL, 986, 316},
    {0x9E19DB92B4E31BA9ULL, 1013, 324}};

// The upper half of the product, rounded half up.
Scaled times(Scaled x, const Power& power) noexcept {
  const uint64_t x0 = x.f & 0xFFFFFFFF, x1 = x.f >> 32, y0 = power.f & 0xFFFFFFFF, y1 = power.f >> 32;
  const uint64_t low = x0 * y0, a = x0 * y1, b = x1 * y0;
  const uint64_t middle = (low >> 32) + (a & 0xFFFFFFFF) + (b & 0xFFFFFFFF) + (uint64_t{1} << 31);
  return {x1 * y1 + (a >> 32) + (b >> 32) + (middle >> 32), x.e + power.e + 64};
}

// The first of the powers that brings 2^e * [2^63, 2^64) to an exponent of two in [-60, -32].
const Power& power_for(int e) noexcept {
  const int f = -60 - e - 1;
  const int k = f * 78913 / (1 << 18) + (f > 0 ? 1 : 0);  // 78913 / 2^18 is log10(2)
  return powers[(k - first_power + power_step - 1) / power_step];
}

// Lowers the last digit while that brings the number nearer to the true one, `distance` below the upper border, and stays inside.
void round_last(Digits& digits, uint64_t distance, uint64_t width, uint64_t rest, uint64_t unit) noexcept {
  while (rest < distance && width - rest >= unit && (rest + unit < distance || distance - rest > rest + unit - distance)) {
    --digits.text[digits.n - 1];
    rest += unit;
  }
}

void generate(Digits& digits, uint64_t lower, uint64_t value, Scaled upper) noexcept {
  const int shift = -upper.e;
  const uint64_t one = uint64_t{1} << shift;
  uint64_t width = upper.f - lower, distance = upper.f - value;
  auto whole = static_cast<uint32_t>(upper.f >> shift);
  uint64_t part = upper.f & (one - 1);
  int left = 1;  // digits of the whole part still to come
  uint32_t unit = 1;
  while (whole / unit >= 10) {
    unit *= 10;
    ++left;
  }
  for (; left > 0; unit /= 10) {
    digits.text[digits.n++] = static_cast<char>('0' + whole / unit);
    whole %= unit;
    --left;
    const uint64_t rest = (uint64_t{whole} << shift) + part;
    if (rest <= width) {
      digits.exponent += left;
      return round_last(digits, distance, width, rest, uint64_t{unit} << shift);
    }
  }
  do {
    part *= 10;
    width *= 10;
    distance *= 10;
    digits.text[digits.n++] = static_cast<char>('0' + (part >> shift));
    part &= one - 1;
    --digits.exponent;
  } while (part > width);
  round_last(digits, distance, width, part, one);
}

}  // namespace grisu2_detail

Digits grisu2(double value) noexcept {
  using namespace grisu2_detail;
  const auto bits = std::bit_cast<uint64_t>(value);
  const uint64_t fraction = bits & ((uint64_t{1} << 52) - 1);
  // The interval reaches half way to the neighbours; below a power of two the lower one is nearer, except at the lowest.
  const auto exponent = static_cast<int>(bits >> 52);
  const int e = std::max(exponent, 1) - 1075;
  const uint64_t f = exponent == 0 ? fraction : fraction | uint64_t{1} << 52;
  const bool near = fraction == 0 && exponent > 1;
  const int left = std::countl_zero(2 * f + 1);  // all three to the upper border's exponent
  const Scaled middle{(2 * f) << left, e - 1 - left};
  const Scaled upper{(2 * f + 1) << left, e - 1 - left};
  const Scaled lower{near ? (4 * f - 1) << (left - 1) : (2 * f - 1) << left, e - 1 - left};
  const Power& power = power_for(upper.e);
  Scaled top = times(upper, power);
  --top.f;
  Digits digits;
  digits.exponent = -power.k;
  generate(digits, times(lower, power).f + 1, times(middle, power).f, top);
  return digits;
}

void append_digits(std::string& out, const Digits& digits) {
  constexpr int lowest = -4, highest = 15;  // decimal places of the first digit that are written without an exponent
  const int n = digits.n, point = n + digits.exponent;
  const std::string_view text(digits.text, static_cast<size_t>(n));
  if (n <= point && point <= highest) {
    out += text;
    out.append(static_cast<size_t>(point - n), '0');
    out += ".0";
  } else if (0 < point && point <= highest) {
    out += text.substr(0, static_cast<size_t>(point));
    out += '.';
    out += text.substr(static_cast<size_t>(point));
  } else if (lowest < point && point <= 0) {
    out += "0.";
    out.append(static_cast<size_t>(-point), '0');
    out += text;
  } else {
    out += text[0];
    if (n > 1) {
      out += '.';
      out += text.substr(1);
    }
    const int exponent = point - 1, size = exponent < 0 ? -exponent : exponent;
    out += exponent < 0 ? "e-" : "e+";
    if (size < 10) out += '0';
    out += std::to_string(size);
  }
}

}  // namespace bankml::json
