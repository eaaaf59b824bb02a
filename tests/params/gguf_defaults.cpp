// Sampling defaults of a model file.
#include "core/params/gguf_defaults.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "core/base/status.h"
#include "core/params/param_set.h"
#include "tests/params/gguf_writer.h"

namespace bankml {
namespace {

ParamSet loaded(const GgufWriter& file) {
  ParamSet set;
  const std::string bytes = file.bytes();
  set.load_gguf_bytes(bytes.data(), bytes.size());
  return set;
}

TEST(GgufDefaults, EveryKey) {
  const ParamSet set = loaded(GgufWriter()
                                  .f32("general.sampling.temp", 0.5f)
                                  .i32("general.sampling.top_k", 20)
                                  .f32("general.sampling.top_p", 0.85f)
                                  .f32("general.sampling.min_p", 0)
                                  .f32("general.sampling.xtc_probability", 0.25f)
                                  .f32("general.sampling.xtc_threshold", 0.2f)
                                  .i32("general.sampling.penalty_last_n", 32)
                                  .f32("general.sampling.penalty_repeat", 1.1f)
                                  .i32("general.sampling.mirostat", 2)
                                  .f32("general.sampling.mirostat_tau", 3)
                                  .f32("general.sampling.mirostat_eta", 0.2f)
                                  .string("general.sampling.sequence", "top_k;Nucleus;nope;temperature"));
  const Params& params = set.values();
  EXPECT_EQ(params.temperature, 0.5f);
  EXPECT_EQ(params.top_k, 20);
  EXPECT_EQ(params.top_p, 0.85f);
  EXPECT_EQ(params.min_p, 0.0f);
  EXPECT_EQ(params.xtc_probability, 0.25f);
  EXPECT_EQ(params.xtc_threshold, 0.2f);
  EXPECT_EQ(params.repeat_last_n, 32);
  EXPECT_EQ(params.repeat_penalty, 1.1f);
  EXPECT_EQ(params.mirostat, 2);
  EXPECT_EQ(params.mirostat_tau, 3.0f);
  EXPECT_EQ(params.mirostat_eta, 0.2f);
  EXPECT_EQ(set.get_json("samplers"), R"(["top_k","top_p","temperature"])");
  EXPECT_STREQ(set.origin("temperature"), "gguf:general.sampling.temp");
  EXPECT_STREQ(set.origin("repeat_last_n"), "gguf:general.sampling.penalty_last_n");
  EXPECT_STREQ(set.origin("samplers"), "gguf:general.sampling.sequence");
  EXPECT_STREQ(set.origin("seed"), "default");
  ASSERT_EQ(set.warning_count(), 1u);
  EXPECT_STREQ(set.warning(0), "general.sampling.sequence: unknown step \"nope\" was dropped");
}

TEST(GgufDefaults, NumbersOfAnyType) {
  const ParamSet set = loaded(GgufWriter()
                                  .u32("general.sampling.temp", 1)
                                  .f32("general.sampling.top_k", 20)
                                  .f64("general.sampling.top_p", 0.5)
                                  .u64("general.sampling.penalty_last_n", 7));
  EXPECT_EQ(set.values().temperature, 1.0f);
  EXPECT_EQ(set.values().top_k, 20);
  EXPECT_EQ(set.values().top_p, 0.5f);
  EXPECT_EQ(set.values().repeat_last_n, 7);
  EXPECT_EQ(set.warning_count(), 0u);
}

TEST(GgufDefaults, ValuesPassThroughTextWithSixDecimals) {
  EXPECT_EQ(loaded(GgufWriter().f32("general.sampling.min_p", 0.3333333f)).values().min_p, 0.333333f);
  EXPECT_EQ(loaded(GgufWriter().f32("general.sampling.min_p", 1e-7f)).values().min_p, 0.0f);
  EXPECT_EQ(loaded(GgufWriter().f64("general.sampling.temp", 1e30)).values().temperature, 1e30f);
}

TEST(GgufDefaults, WrongTypesAndValuesAreIgnoredWithAWarning) {
  const ParamSet set = loaded(GgufWriter()
                                  .string("general.sampling.temp", "0.5")
                                  .boolean("general.sampling.top_k", true)
                                  .f32_array("general.sampling.top_p", 0.5f)
                                  .f32("general.sampling.penalty_repeat", 0)
                                  .f32("general.sampling.min_p", std::numeric_limits<float>::quiet_NaN())
                                  .i32("general.sampling.penalty_last_n", -1)
                                  .u64("general.sampling.mirostat", uint64_t{1} << 63)
                                  .i32("general.sampling.sequence", 1));
  EXPECT_EQ(set.to_json(), ParamSet().to_json());
  ASSERT_EQ(set.warning_count(), 8u);
  EXPECT_STREQ(set.warning(0), "general.sampling.sequence was ignored: its type is not a string");
  EXPECT_STREQ(set.warning(1), "general.sampling.top_k was ignored: its type bool is not a number");
  EXPECT_STREQ(set.origin("temperature"), "default");
}

TEST(GgufDefaults, AnEmptyOrderIsIgnored) {
  const ParamSet set = loaded(GgufWriter().string("general.sampling.sequence", ""));
  EXPECT_EQ(set.get_json("samplers"), ParamSet().get_json("samplers"));
}

TEST(GgufDefaults, DamagedFilesChangeNothing) {
  const std::string bytes = GgufWriter().f32("general.sampling.temp", 0.5f).bytes();
  ParamSet set;
  for (size_t size = 0; size < bytes.size(); ++size) EXPECT_THROW(set.load_gguf_bytes(bytes.data(), size), Failure) << size;
  EXPECT_THROW(set.load_gguf("/nonexistent/model.gguf"), Failure);
  EXPECT_EQ(set.to_json(), ParamSet().to_json());
  set.load_gguf_bytes(bytes.data(), bytes.size());
  EXPECT_EQ(set.values().temperature, 0.5f);
}

}  // namespace
}  // namespace bankml
