// libFuzzer's entry for GBNF texts.
#include "fuzz/grammar_target.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  bankml::fuzz::gbnf(data, size);
  return 0;
}
