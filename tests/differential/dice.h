// The random choices of the live cases: every case has its own stream, so that it can be run again alone.
#pragma once

#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <vector>

#include "tests/reference/logits.h"

namespace bankml::differential {

class Dice {
 public:
  Dice(uint64_t seed, uint64_t index) : random_(seed * 0x9E3779B97F4A7C15u + index) { random_.next(); }

  uint64_t next() { return random_.next(); }
  double unit() { return static_cast<double>(next() >> 11) / 9007199254740992.0; }  // [0, 1)
  bool chance(double probability) { return unit() < probability; }
  int64_t between(int64_t low, int64_t high) { return low + static_cast<int64_t>(next() % static_cast<uint64_t>(high - low + 1)); }
  float real(float low, float high) { return low + static_cast<float>(unit()) * (high - low); }
  size_t log_uniform(double low, double high) {
    return static_cast<size_t>(std::exp(std::log(low) + unit() * (std::log(high + 1) - std::log(low))));
  }

  template <class T>
  T pick(std::initializer_list<T> values) {
    return values.begin()[next() % values.size()];
  }
  template <class T>
  const T& pick(const std::vector<T>& values) {
    return values[next() % values.size()];
  }

 private:
  reference::SplitMix64 random_;
};

}  // namespace bankml::differential
