// What the rows share: a sampler from (name, JSON) pairs, the surviving candidates of one draw, and logits from probabilities.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "bankml.hpp"

namespace bankml::cases {

constexpr float inf = std::numeric_limits<float>::infinity();
using Values = std::vector<std::pair<const char*, std::string>>;
using Ids = std::vector<int32_t>;

inline Params params(const Values& values) {
  Params p("llama");
  for (const auto& [name, json] : values) p.set_json(name, json);
  return p;
}

// Everything that truncates is off; a fixed seed.
inline Values neutral(Values more) {
  Values values{{"seed", "7"}, {"top_k", "0"}, {"top_p", "1"}, {"min_p", "0"}, {"temperature", "1"}};
  values.insert(values.end(), more.begin(), more.end());
  return values;
}

inline Sampler sampler(const Values& values, size_t n_vocab) {
  Sampler s(params(values), n_vocab);
  s.keep();
  return s;
}

// Logits as the chain leaves them, by id; NaN for a token that was dropped.
inline std::vector<float> left(Sampler& s, const std::vector<float>& logits) {
  s.sample(logits);
  std::vector<float> out(logits.size(), std::nanf(""));
  for (const bankml_candidate& c : s.candidates()) out[static_cast<size_t>(c.id)] = c.logit;
  return out;
}

// Ids that can still be drawn after one draw, ascending.
inline Ids kept(Sampler& s, const std::vector<float>& logits) {
  s.sample(logits);
  Ids ids;
  for (const bankml_candidate& c : s.candidates()) {
    if (c.logit != -inf) ids.push_back(c.id);
  }
  std::sort(ids.begin(), ids.end());
  return ids;
}
inline Ids kept(const Values& values, const std::vector<float>& logits) {
  Sampler s = sampler(values, logits.size());
  return kept(s, logits);
}

inline std::vector<float> ln(std::vector<float> p) {
  for (float& x : p) x = std::log(x);
  return p;
}

inline bankml_status status_of(Sampler& s, const std::vector<float>& logits) {
  try {
    s.sample(logits);
  } catch (const Error& error) {
    return error.status();
  }
  return BANKML_OK;
}

}  // namespace bankml::cases
