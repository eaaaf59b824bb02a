// Requests as llama-server takes them: the recorded ones, and what the record does not show.
#include "core/params/request_json.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "core/base/status.h"
#include "core/params/param_set.h"
#include "core/params/param_value.h"
#include "core/params/step_names.h"
#include "core/params/table.h"

namespace bankml {
namespace {

using nlohmann::json;

constexpr int32_t recorded_n_vocab = 262144;
constexpr int32_t recorded_end_tokens[] = {1, 106, 212};
// Rows that need the conversion of JSON schemas.
const std::set<std::string> rows_of_schemas = {"Q0243"};

float recorded_float(const json& value) {
  return value.is_null() ? std::numeric_limits<float>::infinity() : static_cast<float>(value.get<double>());
}

// The biases in force in the recorded form: [token, bits of the bias], texts by their recorded tokens, then the end tokens.
std::vector<std::pair<int32_t, uint32_t>> biases_in_force(const Params& params, const json& texts) {
  std::vector<std::pair<int32_t, uint32_t>> result;
  size_t text = 0;
  for (size_t i = 0; i <= params.logit_bias.size(); ++i) {
    for (; text < params.text_bias.size() && params.text_bias[text].position == i; ++text) {
      std::string hex;
      for (char c : params.text_bias[text].text)
        hex += "0123456789abcdef"[(c >> 4) & 15] + std::string(1, "0123456789abcdef"[c & 15]);
      for (const json& token : texts.at(hex)) result.emplace_back(token, std::bit_cast<uint32_t>(params.text_bias[text].bias));
    }
    if (i == params.logit_bias.size()) break;
    if (params.logit_bias[i].token >= recorded_n_vocab) continue;  // dropped when a sampler is made
    result.emplace_back(params.logit_bias[i].token, std::bit_cast<uint32_t>(params.logit_bias[i].bias));
  }
  if (params.ignore_eos) {
    for (int32_t token : recorded_end_tokens)
      result.emplace_back(token, std::bit_cast<uint32_t>(-std::numeric_limits<float>::infinity()));
  }
  return result;
}

std::vector<std::pair<int32_t, uint32_t>> recorded_biases(const json& settings) {
  std::vector<std::pair<int32_t, uint32_t>> result;
  if (!settings.contains("logit_bias")) return result;
  for (const json& entry : settings["logit_bias"]) {
    const float bias = entry["bias"].is_null() ? -std::numeric_limits<float>::infinity() : recorded_float(entry["bias"]);
    result.emplace_back(entry["token"], std::bit_cast<uint32_t>(bias));
  }
  return result;
}

void expect_settings(const Params& params, json settings, const json& texts) {
  EXPECT_EQ(biases_in_force(params, texts), recorded_biases(settings));
  settings.erase("logit_bias");
  settings.erase("grammar");
  for (size_t i = 0; i < param_count(); ++i) {
    const ParamRow& row = param_row(i);
    if (row.json == JsonParam::logit_bias) continue;
    const bool listed = settings.contains(row.name);
    const json value = listed ? settings[row.name] : json::parse(row.default_json);
    settings.erase(row.name);
    if (row.number != nullptr && listed) {
      EXPECT_EQ(std::bit_cast<uint32_t>(params.*row.number), std::bit_cast<uint32_t>(recorded_float(value))) << row.name;
    } else if (row.number != nullptr) {  // values equal to the default are not listed, and -0.0 equals 0
      EXPECT_EQ(params.*row.number, recorded_float(value)) << row.name;
    } else {
      std::string text;
      append_param_json(text, params, row);
      EXPECT_EQ(json::parse(text), value) << row.name;
    }
  }
  EXPECT_TRUE(settings.empty()) << "settings that no parameter has: " << settings;
}

TEST(RequestJson, RecordedRequests) {
  std::ifstream file(BANKML_SOURCE_DIR "/tests/vectors/requests.jsonl");
  ASSERT_TRUE(file) << "tests/vectors/requests.jsonl";
  size_t rows = 0;
  for (std::string line; std::getline(file, line);) {
    const json row = json::parse(line);
    if (rows_of_schemas.contains(row["id"])) continue;
    SCOPED_TRACE(row["id"].get<std::string>() + " " + row["request"].get<std::string>());
    ++rows;
    const json& expect = row["expect"];
    try {
      const Loaded loaded = load_llama_server_request(Params(), row["request"].get<std::string>(), false);
      ASSERT_TRUE(expect.contains("settings")) << "accepted, but recorded as refused";
      expect_settings(loaded.params, expect["settings"], row.value("texts", json::object()));
    } catch (const Failure& failure) {
      EXPECT_EQ(expect.value("error", ""), failure.text());
      EXPECT_EQ(failure.status(), expect.value("status", 0) == 500 ? Status::parse : Status::arg);
    }
  }
  EXPECT_EQ(rows, 499u);
}

Params load(const std::string& text, const Params& base = Params()) { return load_llama_server_request(base, text, false).params; }

std::string refusal(const std::string& text, bool strict = false) {
  try {
    load_llama_server_request(Params(), text, strict);
  } catch (const Failure& failure) {
    return failure.text();
  }
  return "";
}

TEST(RequestJson, NotARequest) {
  EXPECT_EQ(refusal("[1]"), "request must be a JSON object, not array");
  EXPECT_EQ(refusal("7"), "request must be a JSON object, not number");
  EXPECT_TRUE(refusal("").starts_with("request is not JSON: line 1, column 1"));
  EXPECT_TRUE(refusal("{\"top_k\":NaN}").starts_with("request is not JSON: line 1, column 10"));
  EXPECT_EQ(refusal("{\"prompt\":[-1e400]}"), "[json.exception.out_of_range.406] number overflow parsing '-1e400'");
}

TEST(RequestJson, IntegersWrapAndRealsSaturateAsOnTheReferenceMachine) {
  EXPECT_EQ(load(R"({"n_probs":18446744073709551615})").n_probs, -1);
  EXPECT_EQ(load(R"({"n_probs":-2147483649})").n_probs, 2147483647);
  EXPECT_EQ(load(R"({"n_probs":2147483647.9})").n_probs, 2147483647);
  EXPECT_EQ(load(R"({"n_probs":2147483648.0})").n_probs, std::numeric_limits<int32_t>::min());
  EXPECT_EQ(load(R"({"n_probs":-2147483648.9})").n_probs, std::numeric_limits<int32_t>::min());
  EXPECT_EQ(load(R"({"n_probs":-1e300})").n_probs, std::numeric_limits<int32_t>::min());
  EXPECT_EQ(load(R"({"seed":-1})").seed, random_seed);
  EXPECT_EQ(load(R"({"seed":-1.5})").seed, random_seed);
  EXPECT_EQ(load(R"({"seed":4294967296.5})").seed, 0u);
  EXPECT_EQ(load(R"({"seed":9e18})").seed, static_cast<uint32_t>(9000000000000000000));
  EXPECT_EQ(load(R"({"seed":9.3e18})").seed, 0u);
  EXPECT_EQ(load(R"({"seed":18446744073709551616})").seed, 0u);
}

TEST(RequestJson, FloatsAreRoundedOnce) {
  // 2^24 * 2^40 + 2^40 + 1 lies just above the middle of two floats; by way of a double it would fall on it.
  EXPECT_EQ(load(R"({"dry_multiplier":288230393331580929})").dry_multiplier, 288230410511450112.0f);
  EXPECT_EQ(load(R"({"temperature":1e39})").temperature, std::numeric_limits<float>::infinity());
  EXPECT_EQ(load(R"({"typical_p":-1e39})").typical_p, -std::numeric_limits<float>::max());
  EXPECT_EQ(refusal(R"({"adaptive_decay":1e39})"),
            "Field 'adaptive_decay': Value must be between 0.000000 <= value <= 0.990000, but got inf");
  EXPECT_FLOAT_EQ(load(R"({"adaptive_decay":0.99})").adaptive_decay, 0.99f);
}

TEST(RequestJson, FieldsThatAreNotGivenStay) {
  Params base;
  base.temperature = 0.3f;
  base.dry_base = 2.5f;
  base.logit_bias = {{1, -100}};
  const Params params = load(R"({"top_k":7,"temperature":null,"dry_base":0.5})", base);
  EXPECT_EQ(params.top_k, 7);
  EXPECT_EQ(params.temperature, 0.3f);
  EXPECT_EQ(params.dry_base, 2.5f);
  ASSERT_EQ(params.logit_bias.size(), 1u);
  EXPECT_TRUE(load(R"({"logit_bias":[]})", base).logit_bias.empty());
}

TEST(RequestJson, OfTwoEqualFieldsTheLastCounts) {
  EXPECT_EQ(load(R"({"top_k":1,"top_k":2})").top_k, 2);
  EXPECT_EQ(load(R"({"top_k":3,"top_k":null})").top_k, 40);
  const Params params = load(R"({"logit_bias":{"7":1,"8":2,"7":3}})");
  ASSERT_EQ(params.logit_bias.size(), 2u);
  EXPECT_EQ(params.logit_bias[0].token, 7);
  EXPECT_EQ(params.logit_bias[0].bias, 3.0f);
}

TEST(RequestJson, AliasOnlyWhereTheFieldIsAbsentOrNull) {
  EXPECT_EQ(load(R"({"logprobs":5,"n_probs":2})").n_probs, 2);
  EXPECT_EQ(load(R"({"logprobs":5,"n_probs":null})").n_probs, 5);
  EXPECT_EQ(load(R"({"n_probs":2,"logprobs":"x"})").n_probs, 2);
  EXPECT_EQ(refusal(R"({"max_tokens":"x","n_predict":null})"),
            "Field 'max_tokens': [json.exception.type_error.302] type must be number, but is string");
}

TEST(RequestJson, TheServersOwnFieldsAreCheckedWhereTypeAndRangeSuffice) {
  EXPECT_EQ(refusal(R"({"stream":1,"top_k":"a"})"),
            "Field 'stream': [json.exception.type_error.302] type must be boolean, but is number");
  EXPECT_EQ(refusal(R"({"n_predict":-2})"), "Field 'n_predict': Value must be between -1 <= value <= 2147483647, but got -2");
  EXPECT_EQ(refusal(R"({"prompt":"hello","stream":true,"n_predict":16,"stop":["x"],"cache_prompt":false})", true), "");
}

TEST(RequestJson, UnknownFieldsAreNamed) {
  const Loaded loaded = load_llama_server_request(Params(), R"({"typ_p":0.5,"top_k":3})", false);
  EXPECT_EQ(loaded.params.typical_p, 1.0f);
  ASSERT_EQ(loaded.warnings.size(), 1u);
  EXPECT_EQ(loaded.warnings[0], "Field 'typ_p': unknown field, ignored");
  EXPECT_EQ(refusal(R"({"typ_p":0.5})", true), "Field 'typ_p': unknown field");
}

TEST(RequestJson, ConstraintsAreNotDroppedSilently) {
  EXPECT_EQ(load_llama_server_request(Params(), R"({"grammar":"root ::= \"a\""})", false).warnings.size(), 1u);
  EXPECT_EQ(load_llama_server_request(Params(), R"({"grammar":null})", true).warnings.size(), 0u);
  EXPECT_EQ(refusal(R"({"json_schema":{}})", true), "Field 'json_schema': constraints are not supported yet");
}

TEST(RequestJson, BiasObjectsFollowStrtol) {
  const auto token_of = [](const std::string& key) {
    const Params params = load("{\"logit_bias\":{" + json(key).dump() + ":1}}");
    if (!params.text_bias.empty()) return std::string("text");
    return params.logit_bias.empty() ? std::string("none") : std::to_string(params.logit_bias[0].token);
  };
  EXPECT_EQ(token_of("15"), "15");
  EXPECT_EQ(token_of(" \t+15"), "15");
  EXPECT_EQ(token_of(""), "0");
  EXPECT_EQ(token_of("-1"), "none");
  EXPECT_EQ(token_of("4294967301"), "5");
  EXPECT_EQ(token_of("99999999999999999999"), "none");  // the largest long, whose low half is -1
  EXPECT_EQ(token_of("-99999999999999999999"), "0");    // the smallest, whose low half is 0
  EXPECT_EQ(token_of("0x10"), "text");
  EXPECT_EQ(token_of("15 "), "text");
  EXPECT_EQ(token_of(" "), "text");
  EXPECT_EQ(token_of(std::string("15\0x", 4)), "15");
}

TEST(RequestJson, TextBiasesKeepTheirPlace) {
  const Loaded loaded =
      load_llama_server_request(Params(), R"({"logit_bias":[["a",1],[7,2],["b",false],["",3],[8,4],[9,true],"x",[1,2,3]]})", false);
  const Params& params = loaded.params;
  ASSERT_EQ(params.logit_bias.size(), 2u);
  ASSERT_EQ(params.text_bias.size(), 2u);
  EXPECT_EQ(params.text_bias[0].position, 0u);
  EXPECT_EQ(params.text_bias[1].position, 1u);
  EXPECT_EQ(params.text_bias[1].bias, -std::numeric_limits<float>::infinity());
  EXPECT_EQ(loaded.warnings.size(), 3u);
}

TEST(RequestJson, SamplerConstructionIsCheckedLast) {
  Params params;
  params.frequency_penalty = std::numeric_limits<float>::quiet_NaN();
  EXPECT_THROW(check_server_sampler(params), Failure);
  EXPECT_EQ(refusal(R"({"repeat_penalty":0,"samplers":[1]})"),
            "Field 'samplers': [json.exception.type_error.302] type must be string, but is number");
  EXPECT_EQ(refusal(R"({"repeat_penalty":0,"samplers":[]})"),
            "Failed to initialize samplers: penalty_repeat must be finite and greater than 0");
}

}  // namespace
}  // namespace bankml
