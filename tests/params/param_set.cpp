// Native setters and getters, origins, warnings; what fails leaves no trace.
#include "core/params/param_set.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <random>
#include <string>

#include "core/base/status.h"
#include "core/params/param_value.h"

namespace bankml {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double inf = std::numeric_limits<double>::infinity();

// Status and text of the refusal; the set must be as before.
template <typename Change>
std::string refusal(ParamSet& set, Change change, Status status = Status::arg) {
  const std::string before = set.to_json();
  const size_t warnings = set.warning_count();
  try {
    change();
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.status(), status);
    EXPECT_EQ(set.to_json(), before);
    EXPECT_EQ(set.warning_count(), warnings);
    return failure.text();
  }
  return "accepted";
}

std::string refusal(const char* name, double value) {
  ParamSet set;
  const std::string text = refusal(set, [&] { set.set_number(name, value); });
  for (size_t i = 0; i < param_count(); ++i) EXPECT_STREQ(set.origin(param_row(i).name), "default");
  return text;
}

std::string json_refusal(const char* name, const char* text, Status status = Status::arg) {
  ParamSet set;
  return refusal(
      set, [&] { set.set_json(name, text); }, status);
}

TEST(ParamSet, NumbersByCanonicalNameAndAlias) {
  ParamSet set;
  set.set_number("temp", 0.95);
  set.set_number("penalty_last_n", 3);
  set.set_number("ignore_eos", 1);
  EXPECT_EQ(set.values().temperature, 0.95f);
  EXPECT_EQ(set.get_number("temperature"), 0.95f);
  EXPECT_EQ(set.get_json("temp"), "0.95");
  EXPECT_EQ(set.get_json("repeat_last_n"), "3");
  EXPECT_EQ(set.get_json("ignore_eos"), "true");
  EXPECT_STREQ(set.origin("temperature"), "set");
  EXPECT_STREQ(set.origin("temp"), "set");
  EXPECT_STREQ(set.origin("top_p"), "default");
  EXPECT_EQ(set.origin("nope"), nullptr);
}

TEST(ParamSet, RefusalsNameParameterAndValue) {
  EXPECT_EQ(refusal("top_p", nan), "top_p: nan is not a finite number");
  EXPECT_EQ(refusal("temp", inf), "temp: inf is not a finite number");
  EXPECT_EQ(refusal("temperature", 1e39), "temperature: 1e+39 is outside -3.4028235e+38 ... 3.4028235e+38");
  EXPECT_EQ(refusal("top_k", 40.5), "top_k: 40.5 is not an integer");
  EXPECT_EQ(refusal("top_k", 2147483648.0), "top_k: 2147483648 is outside -2147483648 ... 2147483647");
  EXPECT_EQ(refusal("min_keep", -1), "min_keep: -1 is outside 0 ... 2147483647");
  EXPECT_EQ(refusal("repeat_penalty", 0), "repeat_penalty: 0 is outside 2.938737e-39 ... 3.4028235e+38");
  EXPECT_EQ(refusal("adaptive_decay", 0.991), "adaptive_decay: 0.991 is outside 0 ... 0.99");
  EXPECT_EQ(refusal("mirostat", 3), "mirostat: 3 is outside 0 ... 2");
  EXPECT_EQ(refusal("ignore_eos", 2), "ignore_eos: 2 is outside 0 ... 1");
  EXPECT_EQ(refusal("seed", 4294967296.0), "seed: 4294967296 is outside -1 ... 4294967295");
  EXPECT_EQ(refusal("frobnicate", 1), "unknown parameter \"frobnicate\"");
  EXPECT_EQ(refusal("samplers", 1), "samplers: takes a JSON value, not the number 1");
}

TEST(ParamSet, EveryValueThatTheChainCanUseIsAccepted) {
  ParamSet set;
  for (const auto& [name, value] : {std::pair<const char*, double>{"dry_base", 0.5},
                                    {"dry_multiplier", -2},
                                    {"temperature", -1},
                                    {"top_p", 2},
                                    {"min_p", -1},
                                    {"typical_p", -3},
                                    {"top_k", -5},
                                    {"frequency_penalty", -2},
                                    {"adaptive_target", 2},
                                    {"adaptive_decay", 0.99},
                                    {"dynatemp_range", -1},
                                    {"n_probs", -1},
                                    {"top_n_sigma", 1e-45}}) {
    set.set_number(name, value);
    EXPECT_EQ(set.get_number(name),
              name == std::string("n_probs") || name == std::string("top_k") ? value : static_cast<float>(value))
        << name;
  }
}

TEST(ParamSet, SeedMinusOneIsRandom) {
  ParamSet set;
  set.set_number("seed", 7);
  set.set_number("seed", -1);
  EXPECT_EQ(set.values().seed, random_seed);
  EXPECT_EQ(set.get_number("seed"), 4294967295.0);
}

TEST(ParamSet, JsonForEveryKind) {
  ParamSet set;
  set.set_json("temperature", " 0.5 ");
  set.set_json("ignore_eos", "true");
  set.set_json("seed", "12");
  EXPECT_EQ(set.values().temperature, 0.5f);
  EXPECT_TRUE(set.values().ignore_eos);
  EXPECT_EQ(set.values().seed, 12u);
  EXPECT_EQ(json_refusal("temperature", "true"), "temperature: takes a number, not boolean");
  EXPECT_EQ(json_refusal("top_k", "\"3\""), "top_k: takes a number, not string");
  EXPECT_EQ(json_refusal("top_k", "null"), "top_k: takes a number, not null");
  EXPECT_EQ(json_refusal("ignore_eos", "[]"), "ignore_eos: takes a boolean, not array");
  EXPECT_EQ(json_refusal("temperature", "0.5 x", Status::parse).substr(0, 13), "temperature: ");
  EXPECT_EQ(json_refusal("temperature", "1e400", Status::parse), "temperature: number overflow parsing '1e400'");
}

TEST(ParamSet, NumbersPrintAsTheShortestTextThatReadsBack) {
  std::mt19937 engine(1);
  ParamSet set;
  for (int i = 0; i < 20000; ++i) {
    const float value = std::bit_cast<float>(static_cast<uint32_t>(engine()));
    if (!std::isfinite(value)) continue;
    set.set_number("typical_p", static_cast<double>(value));
    ParamSet other;
    other.set_json("typical_p", set.get_json("typical_p"));
    ASSERT_EQ(std::bit_cast<uint32_t>(other.values().typical_p), std::bit_cast<uint32_t>(value)) << set.get_json("typical_p");
  }
  set.set_number("typical_p", -0.0);
  EXPECT_EQ(set.get_json("typical_p"), "-0.0");
}

TEST(ParamSet, ToJsonIsARequestThatGivesTheSameValues) {
  ParamSet set;
  set.load_request("llama-server",
                   R"({"temperature":0.95,"top_k":7,"samplers":["typ_p","xtc"],"logit_bias":[["a",1],[7,false],[8,1e39]],)"
                   R"("ignore_eos":true,"seed":5})");
  ParamSet other;
  other.load_request("llama-server", set.to_json());
  EXPECT_EQ(other.to_json(), set.to_json());
  const nlohmann::json all = nlohmann::json::parse(set.to_json());
  EXPECT_EQ(all.size(), param_count());
  EXPECT_EQ(all["samplers"], nlohmann::json({"typ_p", "xtc"}));
  EXPECT_EQ(set.get_json("logit_bias"), R"([["a",1],[7,false],[8,1e39]])");
}

TEST(ParamSet, AnInfinityOfARequestHasNoJsonText) {
  ParamSet set;
  set.load_request("llama-server", R"({"dry_base":1e39})");
  EXPECT_EQ(set.get_json("dry_base"), "null");
  EXPECT_EQ(set.get_number("dry_base"), inf);
}

TEST(ParamSet, RequestsReplaceWhatTheyGive) {
  ParamSet set;
  set.set_number("temperature", 0.3);
  set.set_number("top_k", 9);
  set.load_request("llama-server", R"({"top_k":5,"min_p":null})");
  EXPECT_STREQ(set.origin("temperature"), "set");
  EXPECT_STREQ(set.origin("top_k"), "request");
  EXPECT_STREQ(set.origin("min_p"), "default");
  EXPECT_EQ(set.values().top_k, 5);
  EXPECT_EQ(set.values().temperature, 0.3f);
}

TEST(ParamSet, ARefusedRequestLeavesNoTrace) {
  ParamSet set;
  set.set_number("top_k", 9);
  EXPECT_EQ(refusal(set, [&] { set.load_request("llama-server", R"({"top_p":0.5,"typo":1,"min_keep":-3})"); }),
            "Field 'min_keep': Value must be between 0 <= value <= 2147483647, but got -3");
  EXPECT_STREQ(set.origin("top_p"), "default");
  set.set_strict(true);
  EXPECT_EQ(refusal(set, [&] { set.load_request("llama-server", R"({"top_p":0.5,"typo":1})"); }), "Field 'typo': unknown field");
  EXPECT_EQ(refusal(set, [&] { set.load_request("yaml", "{}"); }), "unknown format \"yaml\"; known: llama-server");
}

TEST(ParamSet, Profiles) {
  EXPECT_NO_THROW(ParamSet("llama"));
  EXPECT_THROW(ParamSet("gpt"), Failure);
}

TEST(ParamSet, WarningsOldestFirst) {
  ParamSet set;
  EXPECT_EQ(set.warning_count(), 0u);
  EXPECT_EQ(set.warning(0), nullptr);
  set.load_request("llama-server", R"({"samplers":["top_k","nope"],"xtc_probability":0.5})");
  ASSERT_EQ(set.warning_count(), 2u);
  EXPECT_STREQ(set.warning(0), "Field 'samplers': unknown step \"nope\" was dropped");
  EXPECT_STREQ(set.warning(1), "xtc_probability has no effect: samplers does not list xtc");
  EXPECT_EQ(set.warning(2), nullptr);
  set.set_string("samplers", "kx");
  ASSERT_EQ(set.warning_count(), 1u);
}

TEST(ParamSet, TextTokensAreKeptByBytes) {
  ParamSet set;
  set.set_text_tokens(std::string("a\0b", 3), {1, 2});
  EXPECT_EQ(set.values().text_tokens.at(std::string("a\0b", 3)), (std::vector<int32_t>{1, 2}));
}

TEST(ParamSet, MissingNamesOfGetters) {
  const ParamSet set;
  EXPECT_THROW(set.get_number("nope"), Failure);
  EXPECT_THROW(set.get_number("logit_bias"), Failure);
  EXPECT_THROW(set.get_json("nope"), Failure);
}

}  // namespace
}  // namespace bankml
