// libFuzzer's entry for JSON texts.
#include "fuzz/json_target.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  bankml::fuzz::json(data, size);
  return 0;
}
