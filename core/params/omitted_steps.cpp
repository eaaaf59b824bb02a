// Tested by tests/params/omitted_steps.cpp
#include "core/params/omitted_steps.h"

#include <algorithm>

#include "core/math/fp_env.h"
#include "core/params/step_names.h"

namespace bankml {

std::vector<std::string> omitted_steps(const Params& params) {
  std::vector<std::string> result;
  if (params.mirostat != 0) return result;
  const Params defaults;

  const auto report = [&](StepKind step, const char* parameter, bool configured) {
    if (!configured || std::find(params.samplers.begin(), params.samplers.end(), step) != params.samplers.end()) return;
    result.push_back(std::string(parameter) + " has no effect: samplers does not list " + step_request_name(step));
  };

  if (params.repeat_last_n > 0) {
    report(StepKind::penalties, "repeat_penalty", params.repeat_penalty != 1);
    report(StepKind::penalties, "frequency_penalty", params.frequency_penalty != 0);
    report(StepKind::penalties, "presence_penalty", params.presence_penalty != 0);
  }
  report(StepKind::dry, "dry_multiplier", params.dry_multiplier != 0 && params.dry_base >= 1 && params.dry_penalty_last_n > 0);
  report(StepKind::top_n_sigma, "top_n_sigma", params.top_n_sigma > 0);
  report(StepKind::top_k, "top_k", params.top_k > 0 && params.top_k != defaults.top_k);
  report(StepKind::typical, "typical_p", params.typical_p < 1);
  report(StepKind::top_p, "top_p", params.top_p < 1 && params.top_p != defaults.top_p);
  report(StepKind::min_p, "min_p", params.min_p > 0 && params.min_p != defaults.min_p);
  report(StepKind::xtc, "xtc_probability", params.xtc_probability > 0 && params.xtc_threshold <= 0.5f);
  report(StepKind::temperature, "temperature", params.temperature != 1 && params.temperature != defaults.temperature);
  report(StepKind::temperature, "dynatemp_range", params.dynatemp_range > 0);
  report(StepKind::adaptive_p, "adaptive_target", params.adaptive_target >= 0);
  return result;
}

}  // namespace bankml
