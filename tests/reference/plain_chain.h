// A second, slow implementation of the sampling steps: a direct reading of the rules with what they were first written for, the
// standard library's own algorithms and distributions and the machine's float functions. For tests only, never part of the library.
//
// Valid where that library is libstdc++. The float functions are the machine's on x86-64 with FMA, where they define the expected
// bits; elsewhere the core's are used, which have tests of their own. Long because a reader should find the whole chain in one
// place.
//
// Tested by tests/steps, tests/candidates, tests/probs: each compares it with the core on random sets.
#pragma once

#include "core/math/fp_env.h"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

#if !defined(__x86_64__)
#include "core/math/exp.h"
#include "core/math/expf.h"
#include "core/math/log2f.h"
#include "core/math/logf.h"
#include "core/math/pow.h"
#include "core/math/powf.h"
#endif

namespace bankml::plain {

#if defined(__x86_64__)
inline float fexp(float x) { return ::expf(x); }
inline float flog(float x) { return ::logf(x); }
inline float flog2(float x) { return ::log2f(x); }
inline float fpow(float x, float y) { return ::powf(x, y); }
inline double dexp(double x) { return ::exp(x); }
inline double dpow(double x, double y) { return ::pow(x, y); }
#else
inline float fexp(float x) { return math::expf(x); }
inline float flog(float x) { return math::logf(x); }
inline float flog2(float x) { return math::log2f(x); }
inline float fpow(float x, float y) { return math::powf(x, y); }
inline double dexp(double x) { return math::exp(x); }
inline double dpow(double x, double y) { return math::pow(x, y); }
#endif

struct Token {
  int32_t id;
  float logit;
  float p;
};

struct Set {
  std::vector<Token> tokens;
  bool sorted = false;
  long selected = -1;
  size_t n_vocab = 0;
};

constexpr float minus_infinity = -INFINITY;

inline bool by_logit(const Token& a, const Token& b) { return a.logit > b.logit; }

inline int x86_int(float x) { return x >= -0x1p31f && x < 0x1p31f ? static_cast<int>(x) : INT32_MIN; }

inline std::vector<Token> bucket_sort(const std::vector<Token>& in, size_t k) {
  std::vector<std::vector<Token>> buckets(128);
  for (const Token& t : in) {
    const float place = 6.4f * t.logit + 64.0f;
    buckets[static_cast<size_t>(std::clamp(x86_int(place), 0, 127))].push_back(t);
  }
  std::vector<Token> out;
  for (size_t b = 128; b-- > 0 && out.size() < k;) {
    std::vector<Token>& bucket = buckets[b];
    if (out.size() + bucket.size() < k) {
      std::sort(bucket.begin(), bucket.end(), by_logit);
    } else {
      std::partial_sort(bucket.begin(), bucket.begin() + static_cast<long>(k - out.size()), bucket.end(), by_logit);
    }
    out.insert(out.end(), bucket.begin(), bucket.end());
  }
  return out;
}

inline void sort_in_place(Set& s, size_t k) {
  if (k <= 128) {
    std::partial_sort(s.tokens.begin(), s.tokens.begin() + static_cast<long>(k), s.tokens.end(), by_logit);
  } else {
    s.tokens = bucket_sort(s.tokens, k);
  }
  s.tokens.resize(k);
  s.sorted = true;
}

inline float maximum(const Set& s) {
  float m = s.tokens[0].logit;
  if (!s.sorted) {
    for (const Token& t : s.tokens) m = std::max(m, t.logit);
  }
  return m;
}

inline void softmax(Set& s, bool sort) {
  if (s.tokens.empty()) return;
  if (sort && !s.sorted) sort_in_place(s, s.tokens.size());
  const float m = maximum(s);
  float sum = 0;
  for (Token& t : s.tokens) {
    t.p = fexp(t.logit - m);
    sum += t.p;
  }
  for (Token& t : s.tokens) t.p /= sum;
}

inline double uniform_double(std::mt19937& rng) { return std::uniform_real_distribution<double>(0.0, 1.0)(rng); }

inline long discrete(const Set& s, std::mt19937& rng) {
  std::vector<float> p;
  for (const Token& t : s.tokens) p.push_back(t.p);
  return std::discrete_distribution<int>(p.begin(), p.end())(rng);
}

// --- steps -------------------------------------------------------------------------------------------------------------------

inline void logit_bias(Set& s, const std::vector<std::pair<int32_t, float>>& list) {
  std::vector<std::pair<int32_t, float>> rest;
  for (const auto& [token, bias] : list) {
    if (token >= 0 && static_cast<size_t>(token) < s.tokens.size() && s.tokens[static_cast<size_t>(token)].id == token) {
      s.tokens[static_cast<size_t>(token)].logit += bias;
    } else {
      rest.emplace_back(token, bias);
    }
  }
  for (Token& t : s.tokens) {
    for (const auto& [token, bias] : rest) {
      if (t.id != token) continue;
      t.logit += bias;
      break;
    }
  }
}

inline std::vector<int32_t> last(const std::vector<int32_t>& history, size_t n) {
  return {history.end() - static_cast<long>(std::min(n, history.size())), history.end()};
}

inline void penalties(Set& s, const std::vector<int32_t>& history, size_t last_n, float repeat, float freq, float present) {
  if (last_n == 0 || (repeat == 1 && freq == 0 && present == 0)) return;
  const std::vector<int32_t> window = last(history, last_n);
  for (Token& t : s.tokens) {
    const auto count = std::count(window.begin(), window.end(), t.id);
    if (count == 0) continue;
    t.logit = t.logit <= 0 ? t.logit * repeat : t.logit / repeat;
    t.logit -= static_cast<float>(count) * freq + present;
  }
  s.sorted = false;
}

using Breakers = std::vector<std::pair<int32_t, std::vector<int32_t>>>;

inline void dry(Set& s, const std::vector<int32_t>& history, float multiplier, float base, size_t allowed, size_t last_n,
                const Breakers& breakers) {
  if (multiplier == 0 || base < 1 || last_n == 0) return;
  std::vector<int32_t> t = last(history, last_n);
  std::reverse(t.begin(), t.end());
  const size_t n = t.size();
  if (n <= allowed) return;
  size_t limit = n;
  bool found = false;
  for (size_t i = 0; i < n && !found; ++i) {
    for (const auto& [head, tail] : breakers) {
      if (head != t[i] || tail.size() > i) continue;
      bool equal = true;
      for (size_t j = 0; j < tail.size(); ++j) equal = equal && tail[j] == t[i - 1 - j];
      if (!equal) continue;
      limit = found ? std::min(limit, i - tail.size()) : i - tail.size();
      found = true;
    }
  }
  if (limit < allowed) return;
  std::vector<std::pair<int32_t, size_t>> longest;  // token -> the longest repeat it would continue
  for (size_t i = 1; i < n; ++i) {
    size_t length = 0;
    while (i + length < n && t[length] == t[i + length]) ++length;
    length = std::min(length, limit);
    if (length >= allowed) longest.emplace_back(t[i - 1], length);
  }
  for (Token& c : s.tokens) {
    bool touched = false;
    size_t m = 0;
    for (const auto& [token, length] : longest) {
      if (token != c.id) continue;
      touched = true;
      m = std::max(m, length);
    }
    for (const auto& [head, tail] : breakers) touched = touched && !(head == c.id && tail.empty());
    if (!touched) continue;
    size_t e = m - allowed;
    if (base > 1.000001f) e = std::min(e, static_cast<size_t>(88.7228391f / flog(base)));
    c.logit -= static_cast<float>(static_cast<double>(multiplier) * dpow(static_cast<double>(base), static_cast<double>(e)));
  }
  s.sorted = false;
}

inline void top_n_sigma(Set& s, float n) {
  if (n <= 0 || s.tokens.size() <= 1) return;
  float m = s.tokens[0].logit;
  float sum = 0;
  size_t count = 0;
  for (const Token& t : s.tokens) {
    if (t.logit == minus_infinity) continue;
    m = std::max(m, t.logit);
    sum += t.logit;
    ++count;
  }
  const float mean = count > 0 ? sum / static_cast<float>(count) : 0;
  float acc = 0;
  for (const Token& t : s.tokens) {
    if (t.logit == minus_infinity) continue;
    acc = static_cast<float>(static_cast<double>(acc) + std::pow(static_cast<double>(t.logit - mean), 2.0));
  }
  const float deviation = count > 0 ? std::sqrt(acc / static_cast<float>(count)) : 0;
  for (Token& t : s.tokens) {
    if (t.logit < m - n * deviation) t.logit = minus_infinity;
  }
}

inline void top_k(Set& s, int32_t k) {
  if (k <= 0) return;
  const size_t n = std::min(static_cast<size_t>(k), s.tokens.size());
  if (!s.sorted) sort_in_place(s, n);
  s.tokens.resize(n);
}

inline void typical(Set& s, float p, size_t min_keep) {
  if (p >= 1 || s.tokens.empty()) return;
  softmax(s, true);
  float entropy = 0;
  for (const Token& t : s.tokens) entropy += -t.p * flog(t.p);
  std::vector<float> score;
  for (const Token& t : s.tokens) score.push_back(std::fabs(-flog(t.p) - entropy));
  std::vector<size_t> order(s.tokens.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) { return score[a] < score[b]; });
  std::vector<Token> kept;
  float sum = 0;
  for (size_t i = 0; i < order.size(); ++i) {
    kept.push_back(s.tokens[order[i]]);
    sum += kept.back().p;
    if (sum > p && (min_keep == 0 || i >= min_keep - 1)) break;
  }
  s.tokens = kept;
  s.sorted = false;
}

inline void top_p(Set& s, float p, size_t min_keep) {
  if (p >= 1 || s.tokens.empty()) return;
  softmax(s, false);
  const size_t n = s.tokens.size();
  std::vector<Token> ordered;
  bool probe = false;
  if (!s.sorted && n > 1024) {
    ordered = bucket_sort(s.tokens, 256);
    probe = true;
  } else {
    if (!s.sorted) sort_in_place(s, n);
    ordered = s.tokens;
  }
  float sum = 0;
  size_t kept = n;
  for (size_t i = 0; i < n; ++i) {
    sum += ordered[i].p;
    if (sum >= p && i + 1 >= min_keep) {
      kept = i + 1;
      break;
    }
    if (probe && i == 255) ordered = bucket_sort(s.tokens, n);
  }
  s.tokens.assign(ordered.begin(), ordered.begin() + static_cast<long>(kept));
  s.sorted = true;
}

inline void min_p(Set& s, float p, size_t min_keep) {
  if (p <= 0 || s.tokens.empty()) return;
  if (!s.sorted) {
    float m = -FLT_MAX;
    for (const Token& t : s.tokens) m = std::max(m, t.logit);
    std::vector<Token> kept;
    for (const Token& t : s.tokens) {
      if (t.logit >= m + flog(p)) kept.push_back(t);
    }
    if (!kept.empty() && kept.size() >= min_keep) {
      s.tokens = kept;
      return;
    }
    sort_in_place(s, s.tokens.size());
  }
  const float bound = s.tokens[0].logit + flog(p);
  for (size_t i = 1; i < s.tokens.size(); ++i) {
    if (s.tokens[i].logit < bound && i >= min_keep) {
      s.tokens.resize(i);
      break;
    }
  }
}

inline void xtc(Set& s, float probability, float threshold, size_t min_keep, std::mt19937& rng) {
  if (probability <= 0 || threshold > 0.5f || s.tokens.size() < 2) return;
  if (std::uniform_real_distribution<float>(0.0f, 1.0f)(rng) > probability) return;
  softmax(s, true);
  size_t last_top = 0;
  for (size_t i = 0; i < s.tokens.size() && s.tokens[i].p >= threshold; ++i) last_top = i;
  if (s.tokens.size() - last_top >= min_keep && last_top > 0) {
    s.tokens.erase(s.tokens.begin(), s.tokens.begin() + static_cast<long>(last_top));
  }
}

inline void scale(Set& s, float t) {
  if (s.tokens.empty()) return;
  float largest = s.tokens[0].logit;
  for (const Token& token : s.tokens) largest = std::max(largest, token.logit);
  if (t > 0 && !(std::isfinite(largest) && std::isinf(largest / t))) {
    for (Token& token : s.tokens) token.logit /= t;
    return;
  }
  bool found = false;
  for (Token& token : s.tokens) {
    if (token.logit == largest && !found) {
      found = true;
    } else {
      token.logit = minus_infinity;
    }
  }
}

inline void temperature(Set& s, float t, float range, float exponent) {
  if (!(range > 0)) {
    scale(s, t);
    return;
  }
  if (s.tokens.size() <= 1) return;
  const float lowest = std::max(0.0f, t - range);
  const float highest = t + range;
  const float max_entropy = -flog(1.0f / static_cast<float>(s.tokens.size()));
  softmax(s, true);
  float entropy = 0;
  for (const Token& c : s.tokens) {
    if (c.p > 0) entropy -= c.p * flog(c.p);
  }
  scale(s, lowest + (highest - lowest) * fpow(entropy / max_entropy, exponent));
  const double first = static_cast<double>(s.tokens[0].logit);
  double sum = 0;
  for (Token& c : s.tokens) {
    const double p = dexp(static_cast<double>(c.logit) - first);
    c.p = static_cast<float>(p);
    sum += p;
  }
  for (Token& c : s.tokens) c.p = static_cast<float>(static_cast<double>(c.p) / sum);
}

// pieces: by id, specials rendered as nothing; ends: by id.
inline void infill(Set& s, const std::vector<std::string>& pieces, const std::vector<bool>& ends, int32_t end_of_turn) {
  softmax(s, true);
  const auto is_end = [&](const Token& t) { return static_cast<bool>(ends[static_cast<size_t>(t.id)]); };
  float text = 0;
  float end = 0;
  for (const Token& t : s.tokens) (is_end(t) ? end : text) += t.p;
  const auto keep = [&](auto wanted) {
    std::vector<Token> kept;
    float sum = 0;
    for (const Token& t : s.tokens) {
      if (!wanted(t)) continue;
      kept.push_back(t);
      sum += t.p;
    }
    s.tokens = kept;
    return sum;
  };
  if (3 * end * static_cast<float>(s.tokens.size()) > text) {
    const float sum = keep(is_end);
    for (Token& t : s.tokens) t.p /= sum;
    return;
  }
  for (size_t i = 0; i < s.tokens.size(); ++i) {
    for (size_t j = 0; j < s.tokens.size(); ++j) {
      Token& a = s.tokens[i];
      Token& b = s.tokens[j];
      if (a.logit == minus_infinity) break;
      if (i == j || b.logit == minus_infinity) continue;
      const std::string& prefix = pieces[static_cast<size_t>(a.id)];
      if (prefix.empty() || pieces[static_cast<size_t>(b.id)].compare(0, prefix.size(), prefix) != 0) continue;
      Token& to = b.p > a.p ? b : a;
      Token& from = b.p > a.p ? a : b;
      to.p += from.p;
      from.logit = minus_infinity;
      from.p = 0;
    }
  }
  const std::vector<Token> merged = s.tokens;
  const float sum = keep([&](const Token& t) { return t.p >= 0.2f || is_end(t); });
  const auto m = std::count_if(s.tokens.begin(), s.tokens.end(), [&](const Token& t) { return !is_end(t); });
  if (m == 0) {
    s.tokens = {s.tokens.empty() ? merged[0] : s.tokens[0]};
    s.tokens[0].id = end_of_turn;
    s.tokens[0].logit = 1;
    return;
  }
  for (Token& t : s.tokens) t.p /= sum;
  const float bound = static_cast<float>(1.0 / static_cast<double>(m + 1));
  const float rest = keep([&](const Token& t) { return t.p >= bound || is_end(t); });
  for (Token& t : s.tokens) t.p /= rest;
}

// --- draws -------------------------------------------------------------------------------------------------------------------

inline void dist(Set& s, std::mt19937& rng) {
  if (s.tokens.size() == 1) {
    uniform_double(rng);
    s.tokens[0].p = 1;
    s.selected = 0;
    return;
  }
  const float m = maximum(s);
  double sum = 0;
  for (Token& t : s.tokens) {
    t.p = fexp(t.logit - m);
    sum += static_cast<double>(t.p);
  }
  const double target = sum * uniform_double(rng);
  double running = 0;
  s.selected = static_cast<long>(s.tokens.size()) - 1;
  for (size_t i = 0; i < s.tokens.size(); ++i) {
    running += static_cast<double>(s.tokens[i].p);
    if (running >= target) {
      s.selected = static_cast<long>(i);
      break;
    }
  }
  for (Token& t : s.tokens) t.p = static_cast<float>(static_cast<double>(t.p) / sum);
}

inline void mirostat(Set& s, float tau, float eta, size_t m, float& mu, std::mt19937& rng) {
  softmax(s, true);
  float tb = 0;
  float tt = 0;
  for (size_t i = 0; i < m - 1 && i < s.tokens.size() - 1; ++i) {
    const float t = flog(static_cast<float>(i + 2) / static_cast<float>(i + 1));
    const float b = flog(s.tokens[i].p / s.tokens[i + 1].p);
    tb += t * b;
    tt += t * t;
  }
  const float slope = tb / tt;
  const float eps = slope - 1;
  const float k = fpow((eps * fpow(2, mu)) / (1 - fpow(static_cast<float>(s.n_vocab), -eps)), 1 / slope);
  top_k(s, std::max(x86_int(k), 1));
  softmax(s, true);
  s.selected = discrete(s, rng);
  mu -= eta * (-flog2(s.tokens[static_cast<size_t>(s.selected)].p) - tau);
}

inline void mirostat_v2(Set& s, float tau, float eta, float& mu, std::mt19937& rng) {
  softmax(s, true);
  size_t kept = 0;
  while (kept < s.tokens.size() && !(-flog2(s.tokens[kept].p) > mu)) ++kept;
  s.tokens.resize(std::max(kept, size_t{1}));
  softmax(s, true);
  s.selected = discrete(s, rng);
  mu -= eta * (-flog2(s.tokens[static_cast<size_t>(s.selected)].p) - tau);
}

struct AdaptiveP {
  AdaptiveP(float target_, float decay_, uint32_t seed)
      : target(target_),
        decay(std::clamp(decay_, 0.0f, 0.99f)),
        weighted(target / (1 - decay)),
        total(1 / (1 - decay)),
        rng(seed) {}

  void apply(Set& s) {
    softmax(s, false);
    if (target < 0) {
      s.selected = discrete(s, rng);
      return;
    }
    std::vector<float> before;
    for (const Token& t : s.tokens) before.push_back(t.p);
    const float wanted = std::clamp(target, 0.0f, 1.0f);
    const float goal = std::clamp(total == 0 ? wanted : 2 * wanted - weighted / total, 0.0f, 1.0f);
    for (Token& t : s.tokens) {
      if (t.logit == minus_infinity) continue;
      const float d = std::fabs((t.p - goal) * (1 / 0.3f));
      t.logit = 5 - 10 * d * d / (1 + d);
    }
    softmax(s, false);
    s.selected = discrete(s, rng);
    pending = s.tokens[static_cast<size_t>(s.selected)].id;
    pending_p = before[static_cast<size_t>(s.selected)];
  }

  void accept(int32_t token) {
    if (token == pending) {
      weighted = pending_p + decay * weighted;
      total = 1 + decay * total;
    }
    pending = -1;
  }

  float target;
  float decay;
  float weighted;
  float total;
  std::mt19937 rng;
  int32_t pending = -1;
  float pending_p = 0;
};

// --- probabilities -----------------------------------------------------------------------------------------------------------

// The set as it stands after the raw probabilities of a row were formed.
inline Set raw_probs(const std::vector<float>& logits, size_t n_top) {
  Set s;
  for (size_t i = 0; i < logits.size(); ++i) s.tokens.push_back({static_cast<int32_t>(i), logits[i], 0});
  const size_t k = std::min(n_top, logits.size());
  if (k > 0) std::partial_sort(s.tokens.begin(), s.tokens.begin() + static_cast<long>(k), s.tokens.end(), by_logit);
  s.sorted = k > 0;  // "the first is the maximum"
  softmax(s, false);
  return s;
}

}  // namespace bankml::plain
