// One test per claim about parameters; the number is the claim's.
#include <gtest/gtest.h>

#include <fstream>
#include <limits>
#include <string>

#include "core/base/status.h"
#include "core/params/param_set.h"
#include "core/params/request_json.h"
#include "tests/params/gguf_writer.h"

namespace bankml {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double inf = std::numeric_limits<double>::infinity();

std::string refusal(const std::string& request) {
  ParamSet set;
  try {
    set.load_request("llama-server", request);
  } catch (const Failure& failure) {
    EXPECT_EQ(set.to_json(), ParamSet().to_json());
    return failure.text();
  }
  return "accepted";
}

std::string native_refusal(const char* name, double value) {
  ParamSet set;
  try {
    set.set_number(name, value);
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.status(), Status::arg);
    return failure.text();
  }
  return "accepted";
}

TEST(Claims, C48_Defaults) {
  const Params params = ParamSet().values();
  EXPECT_EQ(params.temperature, 0.8f);
  EXPECT_EQ(params.top_k, 40);
  EXPECT_EQ(params.top_p, 0.95f);
  EXPECT_EQ(params.min_p, 0.05f);
  EXPECT_EQ(params.typical_p, 1.0f);
  EXPECT_EQ(params.top_n_sigma, -1.0f);
  EXPECT_EQ(params.xtc_probability, 0.0f);
  EXPECT_EQ(params.xtc_threshold, 0.1f);
  EXPECT_EQ(params.repeat_last_n, 64);
  EXPECT_EQ(params.repeat_penalty, 1.0f);
  EXPECT_EQ(params.frequency_penalty, 0.0f);
  EXPECT_EQ(params.presence_penalty, 0.0f);
  EXPECT_EQ(params.dynatemp_range, 0.0f);
}

TEST(Claims, C49_ModelFileOverDefaults) {
  const std::string bytes = GgufWriter()
                                .f32("general.sampling.temp", 0.5f)
                                .i32("general.sampling.top_k", 20)
                                .f32("general.sampling.top_p", 0.85f)
                                .f32("general.sampling.min_p", 0)
                                .bytes();
  ParamSet set;
  set.load_gguf_bytes(bytes.data(), bytes.size());
  ParamSet expected;
  expected.set_number("temperature", 0.5);
  expected.set_number("top_k", 20);
  expected.set_number("top_p", 0.85);
  expected.set_number("min_p", 0);
  EXPECT_EQ(set.to_json(), expected.to_json());
}

TEST(Claims, C50_EachKeyOverridesItsDefaultAndTheRequestOverridesIt) {
  const struct {
    const char* key;
    const char* name;
    float value;
    const char* request;
  } keys[] = {{"temp", "temperature", 0.5f, "0.25"},
              {"top_k", "top_k", 20, "3"},
              {"top_p", "top_p", 0.85f, "0.25"},
              {"min_p", "min_p", 0, "0.25"},
              {"penalty_last_n", "repeat_last_n", 32, "3"},
              {"penalty_repeat", "repeat_penalty", 1.5f, "1.25"},
              {"xtc_probability", "xtc_probability", 0.5f, "0.25"},
              {"xtc_threshold", "xtc_threshold", 0.2f, "0.25"}};
  for (const auto& key : keys) {
    SCOPED_TRACE(key.key);
    const std::string bytes = GgufWriter().f32(std::string("general.sampling.") + key.key, key.value).bytes();
    ParamSet set;
    set.load_gguf_bytes(bytes.data(), bytes.size());
    EXPECT_EQ(set.get_number(key.name), key.value);
    EXPECT_EQ(set.origin(key.name), std::string("gguf:general.sampling.") + key.key);
    set.load_request("llama-server", std::string("{\"") + key.name + "\":" + key.request + "}");
    EXPECT_EQ(set.get_json(key.name), key.request);
    EXPECT_STREQ(set.origin(key.name), "request");
  }
}

TEST(Claims, C51_UnreadableFilesAreErrorTexts) {
  ParamSet set;
  const auto failure_of = [&](auto load) {
    try {
      load();
    } catch (const Failure& failure) {
      EXPECT_FALSE(failure.text().empty());
      EXPECT_EQ(set.to_json(), ParamSet().to_json());
      return failure.status();
    }
    return Status::ok;
  };
  const std::string bytes = GgufWriter().f32("general.sampling.temp", 0.5f).bytes();
  EXPECT_EQ(failure_of([&] { set.load_gguf("/nonexistent/model.gguf"); }), Status::io);
  EXPECT_EQ(failure_of([&] { set.load_gguf(BANKML_SOURCE_DIR "/tests/params/claims.cpp"); }), Status::parse);
  EXPECT_EQ(failure_of([&] { set.load_gguf_bytes(bytes.data(), bytes.size() - 1); }), Status::parse);
}

TEST(Claims, C52_TheDefaultSeedIsTheRandomOne) {
  EXPECT_EQ(ParamSet().values().seed, 0xFFFFFFFFu);
  ParamSet set;
  set.load_request("llama-server", R"({"seed":-1})");
  EXPECT_EQ(set.values().seed, 0xFFFFFFFFu);
}

TEST(Claims, C53_Clamps) {
  ParamSet set;
  set.load_request("llama-server",
                   R"({"temperature":-1,"top_p":2,"min_p":-1,"xtc_probability":2,"xtc_threshold":-1,"dry_base":0.5})");
  EXPECT_EQ(set.values().temperature, 0.0f);
  EXPECT_EQ(set.values().top_p, 1.0f);
  EXPECT_EQ(set.values().min_p, 0.0f);
  EXPECT_EQ(set.values().xtc_probability, 1.0f);
  EXPECT_EQ(set.values().xtc_threshold, 0.0f);
  EXPECT_EQ(set.values().dry_base, 1.75f);
}

TEST(Claims, C54_NegativeWindowsAreRefused) {
  for (const char* name : {"repeat_last_n", "dry_allowed_length", "dry_penalty_last_n"}) {
    EXPECT_EQ(refusal(std::string("{\"") + name + "\":-1}"),
              std::string("Field '") + name + "': Value must be between 0 <= value <= 2147483647, but got -1");
    EXPECT_EQ(native_refusal(name, -1), std::string(name) + ": -1 is outside 0 ... 2147483647");
  }
}

TEST(Claims, C55_RepeatPenaltyMustBeFiniteAndAboveZero) {
  const std::string text = "Failed to initialize samplers: penalty_repeat must be finite and greater than 0";
  EXPECT_EQ(refusal(R"({"repeat_penalty":0})"), text);
  EXPECT_EQ(refusal(R"({"repeat_penalty":-1})"), text);
  Params params;
  for (float value : {0.0f, -1.0f, static_cast<float>(inf), static_cast<float>(nan)}) {
    params.repeat_penalty = value;
    try {
      check_server_sampler(params);
      ADD_FAILURE() << value;
    } catch (const Failure& failure) {
      EXPECT_EQ(failure.text(), text);
    }
  }
  EXPECT_EQ(native_refusal("repeat_penalty", 0), "repeat_penalty: 0 is outside 2.938737e-39 ... 3.4028235e+38");
  EXPECT_EQ(native_refusal("repeat_penalty", -1), "repeat_penalty: -1 is outside 2.938737e-39 ... 3.4028235e+38");
  EXPECT_EQ(native_refusal("repeat_penalty", inf), "repeat_penalty: inf is not a finite number");
  EXPECT_EQ(native_refusal("repeat_penalty", nan), "repeat_penalty: nan is not a finite number");
}

TEST(Claims, C56_OtherPenaltiesMustBeFinite) {
  const struct {
    const char* name;
    float Params::*member;
    const char* text;
  } penalties[] = {
      {"frequency_penalty", &Params::frequency_penalty, "Failed to initialize samplers: penalty_freq must be finite"},
      {"presence_penalty", &Params::presence_penalty, "Failed to initialize samplers: penalty_present must be finite"}};
  for (const auto& penalty : penalties) {
    for (double value : {inf, -inf, nan}) {
      EXPECT_NE(native_refusal(penalty.name, value), "accepted");
      Params params;
      params.*penalty.member = static_cast<float>(value);
      try {
        check_server_sampler(params);
        ADD_FAILURE() << penalty.name;
      } catch (const Failure& failure) {
        EXPECT_EQ(failure.text(), penalty.text);
      }
    }
  }
}

TEST(Claims, C57_AnEmptyBreakerListIsRefused) {
  EXPECT_EQ(refusal(R"({"dry_sequence_breakers":[]})"),
            "Field 'dry_sequence_breakers': Error: dry_sequence_breakers must be a non-empty array of strings");
}

TEST(Claims, C59_RequestsAreCheckedWithNoModel) {
  // Nothing here has a vocabulary; texts and end tokens are kept as such.
  ParamSet set;
  set.load_request("llama-server",
                   R"({"logit_bias":[["text",1]],"ignore_eos":true,"dry_sequence_breakers":["abc"],"dry_multiplier":1})");
  EXPECT_EQ(set.values().text_bias.size(), 1u);
  EXPECT_TRUE(set.values().ignore_eos);
}

TEST(Claims, C61_SingleValuesOverTheModelsDefaults) {
  const std::string bytes = GgufWriter()
                                .f32("general.sampling.temp", 0.5f)
                                .i32("general.sampling.top_k", 20)
                                .f32("general.sampling.top_p", 0.85f)
                                .f32("general.sampling.min_p", 0.01f)
                                .bytes();
  const struct {
    const char* name;
    double value;
  } flags[] = {{"temp", 0.25}, {"top_k", 3}, {"top_p", 0.5}, {"min_p", 0.25}, {"seed", 7}};
  for (const auto& flag : flags) {
    ParamSet model;
    model.load_gguf_bytes(bytes.data(), bytes.size());
    ParamSet set = model;
    set.set_number(flag.name, flag.value);
    for (size_t i = 0; i < param_count(); ++i) {
      const char* name = param_row(i).name;
      if (find_param(flag.name) == i) {
        EXPECT_EQ(set.get_number(name), flag.value);
      } else {
        EXPECT_EQ(set.get_json(name), model.get_json(name)) << flag.name << " changed " << name;
      }
    }
  }
}

}  // namespace
}  // namespace bankml
