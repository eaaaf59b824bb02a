// What the library holds in memory, against its limits.
#pragma once

#include <string>
#include <vector>

namespace bankml::bench {

struct Memory {
  std::string what;
  double bytes = 0;
  double limit = 0;
};

std::vector<Memory> memory();

}  // namespace bankml::bench
