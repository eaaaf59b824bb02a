// libFuzzer's entry for walks over grammars.
#include "fuzz/grammar_target.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  bankml::fuzz::grammar_walk(data, size);
  return 0;
}
