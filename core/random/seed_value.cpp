// Random seeds: see seed_value.h.
//
// Tested by tests/random/seed_value.cpp
#include "core/random/seed_value.h"

#include <random>

namespace bankml::random {

uint32_t random_seed_value() {
  std::random_device device;
  uint32_t value = random_seed;
  while (value == random_seed) value = static_cast<uint32_t>(device());
  return value;
}

}  // namespace bankml::random
