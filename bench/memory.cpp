#include "bench/memory.h"

#include <malloc.h>

#include "bankml.h"
#include "core/vocab/vocab.h"
#include "tests/reference/chain_setup.h"
#include "tests/reference/logits.h"

namespace bankml::bench {
namespace {

double allocated() { return static_cast<double>(mallinfo2().uordblks + mallinfo2().hblkhd); }

Memory of_sampler(const char* what, const reference::ChainSetup& setup) {
  const double before = allocated();
  const reference::SamplerHandle sampler = reference::make_sampler(setup, nullptr, 151936);
  return {what, allocated() - before, 65536};
}

// 151,936 distinct pieces of 1 to 16 bytes, about 6.4 on average as in a byte-level vocabulary of that size.
Memory of_vocabulary() {
  reference::SplitMix64 random(1);
  std::string bytes;
  std::vector<size_t> offsets{0};
  for (size_t i = 0; i < 151936; ++i) {
    for (size_t n = 1 + random.next() % 6 + random.next() % 7, k = 0; k < n; ++k)
      bytes += static_cast<char>('a' + random.next() % 26);
    offsets.push_back(bytes.size());
  }
  const double before = allocated();
  const auto vocab =
      Vocab::from_pieces(reinterpret_cast<const uint8_t*>(bytes.data()), offsets.data(), nullptr, offsets.size() - 1, -1, -1);
  vocab->trie();
  return {"vocabulary of 151,936 pieces with its trie", allocated() - before, 16.0 * 1024 * 1024};
}

}  // namespace

std::vector<Memory> memory() {
  reference::ChainSetup penalties, dry;
  penalties.repeat_penalty = 1.1f;
  dry.dry_multiplier = 0.8f;
  dry.dry_breaker_tokens = {{198}, {25}, {1}, {9}};
  return {of_sampler("default sampler", {}), of_sampler("sampler with penalties, window 64", penalties),
          of_sampler("sampler with DRY, window 64", dry), of_vocabulary()};
}

}  // namespace bankml::bench
