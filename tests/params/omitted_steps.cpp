// Parameters without effect because their step is not listed.
#include "core/params/omitted_steps.h"

#include <gtest/gtest.h>

namespace bankml {
namespace {

TEST(OmittedSteps, DefaultsSayNothing) {
  Params params;
  EXPECT_TRUE(omitted_steps(params).empty());
  params.samplers.clear();
  EXPECT_TRUE(omitted_steps(params).empty());
}

TEST(OmittedSteps, EachStepThatItsValuesTurnOn) {
  Params params;
  params.samplers.clear();
  params.repeat_penalty = 1.1f;
  params.frequency_penalty = 0.1f;
  params.presence_penalty = 0.1f;
  params.dry_multiplier = 0.8f;
  params.top_n_sigma = 1;
  params.top_k = 20;
  params.typical_p = 0.9f;
  params.top_p = 0.9f;
  params.min_p = 0.1f;
  params.xtc_probability = 0.5f;
  params.temperature = 0.5f;
  params.dynatemp_range = 0.5f;
  params.adaptive_target = 0.5f;
  EXPECT_EQ(omitted_steps(params).size(), 13u);
  EXPECT_EQ(omitted_steps(params)[3], "dry_multiplier has no effect: samplers does not list dry");
  params.samplers = Params().samplers;
  ASSERT_EQ(omitted_steps(params).size(), 1u);
  EXPECT_EQ(omitted_steps(params)[0], "adaptive_target has no effect: samplers does not list adaptive_p");
  params.mirostat = 2;
  EXPECT_TRUE(omitted_steps(params).empty());
}

TEST(OmittedSteps, ValuesThatLeaveTheStepOff) {
  Params params;
  params.samplers.clear();
  params.repeat_penalty = 1.1f;
  params.repeat_last_n = 0;
  params.dry_multiplier = 0.8f;
  params.dry_base = 0.5f;
  params.top_k = 0;
  params.top_p = 1;
  params.min_p = 0;
  params.xtc_probability = 0.5f;
  params.xtc_threshold = 0.6f;
  params.temperature = 1;
  EXPECT_TRUE(omitted_steps(params).empty());
}

}  // namespace
}  // namespace bankml
