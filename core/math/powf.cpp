// powf by the fused multiply-add that this CPU has: see powf.h and powf_method.h.
//
// Tested by tests/math/powf.cpp
#include "core/math/fp_env.h"

#include "core/math/powf.h"

#include "core/math/powf_method.h"

namespace bankml::math {

#if defined(BANKML_FMA_AT_RUN_TIME)
namespace powf_detail {
BANKML_FMA_TARGET float powf_fma(float x, float y) noexcept { return powf_by<HardwareFma>(x, y); }
}  // namespace powf_detail
#endif

float powf(float x, float y) noexcept {
#if defined(BANKML_FMA_ALWAYS)
  return powf_by<HardwareFma>(x, y);
#else
#if defined(BANKML_FMA_AT_RUN_TIME)
  if (has_fma()) return powf_detail::powf_fma(x, y);
#endif
  return powf_by<SoftwareFma>(x, y);
#endif
}

}  // namespace bankml::math
