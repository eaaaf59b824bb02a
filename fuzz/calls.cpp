// libFuzzer's entry for programs of calls.
#include "fuzz/calls_target.h"

#include <cstdio>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  try {
    bankml::fuzz::calls(data, size);
  } catch (const std::runtime_error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    std::abort();
  }
  return 0;
}
