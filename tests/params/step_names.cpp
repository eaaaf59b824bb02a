// Spellings of step names: what llama-server takes, and what the native setters take beyond it.
#include "core/params/step_names.h"

#include <gtest/gtest.h>

#include <string>

namespace bankml {
namespace {

TEST(StepNames, CanonicalNamesAndLettersComeBack) {
  for (char letter : step_letters) {
    const std::optional<StepKind> step = step_from_letter(letter);
    ASSERT_TRUE(step) << letter;
    EXPECT_EQ(step_from_request_name(step_request_name(*step)), step);
    EXPECT_EQ(step_from_native_name(step_request_name(*step)), step);
  }
  EXPECT_FALSE(step_from_letter('z'));
  EXPECT_FALSE(step_from_letter('\0'));
}

TEST(StepNames, ServerAliases) {
  EXPECT_EQ(step_from_request_name("top-n-sigma"), StepKind::top_n_sigma);
  EXPECT_EQ(step_from_request_name("TopNSigma"), StepKind::top_n_sigma);
  EXPECT_EQ(step_from_request_name("typ-p"), StepKind::typical);
  EXPECT_EQ(step_from_request_name("TYP"), StepKind::typical);
  EXPECT_EQ(step_from_request_name("nucleus"), StepKind::top_p);
  EXPECT_EQ(step_from_request_name("temp"), StepKind::temperature);
  EXPECT_EQ(step_from_request_name("adaptivep"), StepKind::adaptive_p);
  for (const char* name : {"", "typical", "typical_p", "top-n_sigma", "dist", "greedy", "mirostat", "top_k ", "penalty"}) {
    EXPECT_FALSE(step_from_request_name(name)) << name;
  }
}

TEST(StepNames, NativeNamesAddTheGlossarys) {
  EXPECT_EQ(step_from_native_name("typical"), StepKind::typical);
  EXPECT_EQ(step_from_native_name("Typical_P"), StepKind::typical);
  EXPECT_FALSE(step_from_native_name("dist"));
}

}  // namespace
}  // namespace bankml
