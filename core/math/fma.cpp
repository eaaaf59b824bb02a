// The CPU's answer: see fma.h.
//
// Tested by tests/math/fma.cpp
#include "core/math/fp_env.h"

#include "core/math/fma.h"

namespace bankml::math {

bool has_fma() noexcept {
#if defined(BANKML_FMA_ALWAYS)
  return true;
#elif defined(BANKML_FMA_AT_RUN_TIME)
  static const bool answer = [] {
    __builtin_cpu_init();
    return __builtin_cpu_supports("fma") != 0;
  }();
  return answer;
#else
  return false;
#endif
}

}  // namespace bankml::math
