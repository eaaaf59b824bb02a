// libFuzzer's entry for GGUF bytes.
#include "fuzz/gguf_target.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  bankml::fuzz::gguf(data, size);
  return 0;
}
