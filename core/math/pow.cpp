// pow by the fused multiply-add that this CPU has: see pow.h and pow_method.h.
//
// Tested by tests/math/pow.cpp
#include "core/math/fp_env.h"

#include "core/math/pow.h"

#include "core/math/pow_method.h"

namespace bankml::math {

#if defined(BANKML_FMA_AT_RUN_TIME)
namespace pow_detail {
BANKML_FMA_TARGET double pow_fma(double x, double y) noexcept { return pow_by<HardwareFma>(x, y); }
}  // namespace pow_detail
#endif

double pow(double x, double y) noexcept {
#if defined(BANKML_FMA_ALWAYS)
  return pow_by<HardwareFma>(x, y);
#else
#if defined(BANKML_FMA_AT_RUN_TIME)
  if (has_fma()) return pow_detail::pow_fma(x, y);
#endif
  return pow_by<SoftwareFma>(x, y);
#endif
}

}  // namespace bankml::math
