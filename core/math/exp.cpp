// exp by the fused multiply-add that this CPU has: see exp.h and exp_method.h.
//
// Tested by tests/math/exp.cpp
#include "core/math/fp_env.h"

#include "core/math/exp.h"

#include "core/math/exp_method.h"

namespace bankml::math {

#if defined(BANKML_FMA_AT_RUN_TIME)
namespace exp_detail {
BANKML_FMA_TARGET double exp_fma(double x) noexcept { return exp_by<HardwareFma>(x); }
}  // namespace exp_detail
#endif

double exp(double x) noexcept {
#if defined(BANKML_FMA_ALWAYS)
  return exp_by<HardwareFma>(x);
#else
#if defined(BANKML_FMA_AT_RUN_TIME)
  if (has_fma()) return exp_detail::exp_fma(x);
#endif
  return exp_by<SoftwareFma>(x);
#endif
}

}  // namespace bankml::math
