// One test per real trouble that concerns parameters; the number is the case's.
#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "core/base/status.h"
#include "core/params/param_set.h"
#include "tests/params/gguf_writer.h"

namespace bankml {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

template <typename Change>
std::string refusal(Change change) {
  ParamSet set;
  try {
    change(set);
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.status(), Status::arg);
    EXPECT_EQ(set.to_json(), ParamSet().to_json());
    return failure.text();
  }
  return "accepted";
}

std::string request_refusal(const char* text) {
  return refusal([&](ParamSet& set) { set.load_request("llama-server", text); });
}

TEST(BugCases, B37_RepeatPenaltyThatCannotDivide) {
  for (double value : {0.0, -1.0, nan}) {
    EXPECT_NE(refusal([&](ParamSet& set) { set.set_number("repeat_penalty", value); }), "accepted") << value;
  }
}

TEST(BugCases, B41_ANegativeWindowIsNotAHiddenOff) {
  EXPECT_EQ(request_refusal(R"({"repeat_last_n":-1,"repeat_penalty":2})"),
            "Field 'repeat_last_n': Value must be between 0 <= value <= 2147483647, but got -1");
  EXPECT_EQ(refusal([](ParamSet& set) { set.set_number("repeat_last_n", -1); }), "repeat_last_n: -1 is outside 0 ... 2147483647");
}

TEST(BugCases, B52_EmptyBreakerList) {
  EXPECT_EQ(request_refusal(R"({"dry_sequence_breakers":[]})"),
            "Field 'dry_sequence_breakers': Error: dry_sequence_breakers must be a non-empty array of strings");
  ParamSet set;
  set.set_json("dry_sequence_breakers", "[]");
  EXPECT_TRUE(set.values().dry_sequence_breakers.empty());
  set.set_json("dry_sequence_breakers", R"([""])");
  EXPECT_EQ(set.values().dry_sequence_breakers.size(), 1u);
}

TEST(BugCases, B61_ARequestReplacesTheBaseBiasOnlyIfItGivesOne) {
  ParamSet base;
  base.set_json("logit_bias", R"({"1":-100})");
  base.load_request("llama-server", R"({"temperature":0})");
  EXPECT_EQ(base.get_json("logit_bias"), "[[1,-100]]");
  EXPECT_STREQ(base.origin("logit_bias"), "set");
  base.load_request("llama-server", R"({"logit_bias":[[2,1]]})");
  EXPECT_EQ(base.get_json("logit_bias"), "[[2,1]]");
  EXPECT_STREQ(base.origin("logit_bias"), "request");
}

TEST(BugCases, B62_ABiasBeyondAnyVocabularyIsKeptForTheSamplerToDrop) {
  ParamSet set;
  set.load_request("llama-server", R"({"logit_bias":{"9":-100}})");
  EXPECT_EQ(set.get_json("logit_bias"), "[[9,-100]]");  // no vocabulary here: 9 may exist
  set.load_request("llama-server", R"({"logit_bias":[[-9,-100]]})");
  EXPECT_EQ(set.get_json("logit_bias"), "[]");
  ASSERT_EQ(set.warning_count(), 1u);
  EXPECT_STREQ(set.warning(0), "Field 'logit_bias': token -9 was skipped");
}

TEST(BugCases, B64_FalseBansAndATextIsEachOfItsTokens) {
  ParamSet set;
  set.load_request("llama-server", R"({"logit_bias":[[1,false],["ab",-1]]})");
  set.set_text_tokens("ab", {2, 3});
  const Params& params = set.values();
  ASSERT_EQ(params.logit_bias.size(), 1u);
  EXPECT_EQ(params.logit_bias[0].token, 1);
  EXPECT_EQ(params.logit_bias[0].bias, -std::numeric_limits<float>::infinity());
  ASSERT_EQ(params.text_bias.size(), 1u);
  EXPECT_EQ(params.text_bias[0].text, "ab");
  EXPECT_EQ(params.text_bias[0].bias, -1.0f);
  EXPECT_EQ(params.text_bias[0].position, 1u);
  EXPECT_EQ(params.text_tokens.at("ab"), (std::vector<int32_t>{2, 3}));
}

TEST(BugCases, B79_UnknownAndOmittedStepsAreSaidAloud) {
  EXPECT_EQ(refusal([](ParamSet& set) { set.set_json("samplers", R"(["top_k","tfs_z","dry_"])"); }),
            "samplers: unknown step \"tfs_z\"");
  ParamSet request;
  request.load_request("llama-server", R"({"samplers":["top_k","tfs_z","dry_"],"dry_multiplier":0.8})");
  EXPECT_EQ(request.get_json("samplers"), R"(["top_k"])");
  ASSERT_EQ(request.warning_count(), 3u);
  EXPECT_STREQ(request.warning(0), "Field 'samplers': unknown step \"tfs_z\" was dropped");
  EXPECT_STREQ(request.warning(1), "Field 'samplers': unknown step \"dry_\" was dropped");
  EXPECT_STREQ(request.warning(2), "dry_multiplier has no effect: samplers does not list dry");
  ParamSet native;
  native.set_json("samplers", R"(["top_k"])");
  native.set_number("xtc_probability", 0.5);
  ASSERT_EQ(native.warning_count(), 1u);
  EXPECT_STREQ(native.warning(0), "xtc_probability has no effect: samplers does not list xtc");
}

TEST(BugCases, B127_EmbeddedDefaultsHoldUntilTheUserSetsAValue) {
  const std::string bytes = GgufWriter().f32("general.sampling.temp", 0.6f).bytes();
  ParamSet set;
  set.load_gguf_bytes(bytes.data(), bytes.size());
  set.load_request("llama-server", "{}");
  EXPECT_EQ(set.values().temperature, 0.6f);
  set.load_request("llama-server", R"({"temperature":1.0})");
  EXPECT_EQ(set.values().temperature, 1.0f);

  const std::string wrong = GgufWriter().string("general.sampling.temp", "hot").bytes();
  ParamSet ignored;
  ignored.load_gguf_bytes(wrong.data(), wrong.size());
  EXPECT_EQ(ignored.values().temperature, 0.8f);
  ASSERT_EQ(ignored.warning_count(), 1u);
  EXPECT_STREQ(ignored.warning(0), "general.sampling.temp was ignored: its type str is not a number");
}

}  // namespace
}  // namespace bankml
