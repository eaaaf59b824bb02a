// The tables that this build holds, one per CPU level. Inside the room only: others ask kernels().
//
// Tested by tests/simd/choice.cpp
#pragma once

#include "core/simd/kernels.h"

namespace bankml::simd {

extern const Kernels scalar_kernels;
#if defined(__x86_64__) || defined(__i386__)
extern const Kernels avx2_kernels;
extern const Kernels avx512_kernels;
#elif defined(__aarch64__)
extern const Kernels neon_kernels;
#endif

}  // namespace bankml::simd
