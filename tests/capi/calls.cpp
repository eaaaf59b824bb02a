// Programs of calls made of random bytes (fuzz/calls_target.h): 4,000 of them, 200,000 with BANKML_TEST_LONG.
//   calls [PROGRAMS [SEED]]
#include "fuzz/calls_target.h"

#include <cstdio>
#include <cstdlib>

int main(int argc, char** argv) {
  const bool is_long = std::getenv("BANKML_TEST_LONG") != nullptr;
  const bool is_short = std::getenv("BANKML_TEST_SHORT") != nullptr;
  const size_t programs = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : is_long ? 200000 : is_short ? 400 : 4000;
  const uint64_t seed = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1;
  size_t failed = 0;
  for (size_t i = 0; i < programs; ++i) {
    uint64_t state = (seed << 32) + i;
    std::vector<uint8_t> bytes(600);
    for (uint8_t& byte : bytes) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      byte = static_cast<uint8_t>(state >> 40);
    }
    try {
      bankml::fuzz::calls(bytes.data(), bytes.size());
    } catch (const std::runtime_error& error) {
      ++failed;
      std::printf("failed: program %zu of seed %llu: %s\n", i, static_cast<unsigned long long>(seed), error.what());
    }
  }
  std::printf("%zu passed, %zu failed\n", programs - failed, failed);
  return failed == 0 ? 0 : 1;
}
