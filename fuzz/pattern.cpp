// libFuzzer's entry for patterns.
#include "fuzz/pattern_target.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  bankml::fuzz::pattern(data, size);
  return 0;
}
