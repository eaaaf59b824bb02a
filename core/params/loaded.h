// What a source of parameters (a request, a model file) makes of the values it was loaded onto.
// Tested by tests/params/request_json.cpp, tests/params/gguf_defaults.cpp
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/params/params.h"

namespace bankml {

struct LoadedOrigin {
  size_t param;  // row of the table
  std::string origin;
};

struct Loaded {
  Params params;
  std::vector<LoadedOrigin> origins;  // of the parameters that the source gave
  std::vector<std::string> warnings;  // what it gave and was ignored or dropped
};

}  // namespace bankml
