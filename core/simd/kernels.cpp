// The choice of kernels: what this CPU and its operating system can run, best first, unless a level was forced.
//
// __builtin_cpu_supports looks at the CPU's feature bits and at the register state that the operating system saves (XCR0), so a
// level that it names can run.
//
// Tested by tests/simd/choice.cpp
#include "core/simd/kernels.h"

#include <atomic>

#include "core/simd/levels.h"

namespace bankml::simd {

namespace kernels_detail {

std::atomic<const Kernels*> forced{nullptr};

static const Kernels& best() noexcept {
  for (const Level level : {Level::avx512, Level::avx2, Level::neon}) {
    if (const Kernels* found = kernels_of(level)) return *found;
  }
  return scalar_kernels;
}

}  // namespace kernels_detail

const Kernels* kernels_of(Level level) noexcept {
  switch (level) {
    case Level::scalar:
      return &scalar_kernels;
#if defined(__x86_64__) || defined(__i386__)
    case Level::avx2:
      __builtin_cpu_init();
      return __builtin_cpu_supports("avx2") ? &avx2_kernels : nullptr;
    case Level::avx512:
      __builtin_cpu_init();
      return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
                     __builtin_cpu_supports("avx512vl")
                 ? &avx512_kernels
                 : nullptr;
#elif defined(__aarch64__)
    case Level::neon:
      return &neon_kernels;
#endif
    default:
      return nullptr;
  }
}

const Kernels& kernels() noexcept {
  const Kernels* chosen = kernels_detail::forced.load(std::memory_order_relaxed);
  return chosen != nullptr ? *chosen : kernels_detail::best();
}

bool force(Level level) noexcept {
  const Kernels* chosen = kernels_of(level);
  if (chosen == nullptr) return false;
  kernels_detail::forced.store(chosen, std::memory_order_relaxed);
  return true;
}

void force_best() noexcept { kernels_detail::forced.store(nullptr, std::memory_order_relaxed); }

}  // namespace bankml::simd
