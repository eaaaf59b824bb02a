// What has no counterpart in llama.cpp's library, or none that is comparable: draws under a mask, accept, construction, clones,
// batches. Microseconds of one call (of one draw, for batches).
#pragma once

#include <functional>
#include <string>

#include "bench/race.h"

namespace bankml::bench {

struct Alone {
  std::string row;
  Times times;
  const char* what;  // what one time is of
};

// Calls `each` with every row as it is measured. `seconds`: about how long each is timed.
void alone(double seconds, const std::function<void(const Alone&)>& each);

}  // namespace bankml::bench
