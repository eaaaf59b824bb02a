// Seeds for requests that ask for a random one.
//
// Tested by tests/random/seed_value.cpp
#pragma once

#include <cstdint>

namespace bankml::random {

// The seed that means "a random one" in a request.
inline constexpr uint32_t random_seed = 0xFFFFFFFFu;

// A seed from the operating system's entropy, never `random_seed` itself: what is drawn must be repeatable by naming it. Any
// thread. May throw std::exception where the system has no entropy source.
uint32_t random_seed_value();

}  // namespace bankml::random
