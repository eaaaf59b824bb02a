// core/vocab/special_tokens.h: one row per rule.
#include "core/vocab/special_tokens.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "core/vocab/vocab.h"

namespace bankml {
namespace {

struct Result {
  std::vector<std::string_view> texts;
  std::vector<uint32_t> attributes;
  SpecialTokens ids;

  explicit Result(std::vector<std::string_view> t, SpecialTokens i = {}, uint32_t attribute = attribute_normal)
      : texts(std::move(t)), attributes(texts.size(), attribute), ids(i) {
    apply_text_rules(texts, attributes, ids);
  }
  std::vector<int32_t> ends() const {
    std::vector<int32_t> out;
    for (size_t i = 0; i < attributes.size(); ++i) {
      if ((attributes[i] & token_eog) != 0) out.push_back(static_cast<int32_t>(i));
    }
    return out;
  }
};

using Ids = std::vector<int32_t>;

TEST(SpecialTokens, EveryEndTextEndsAndIsControl) {
  for (const char* text : {"<|eot_id|>",
                           "<|im_end|>",
                           "<|end|>",
                           "<|return|>",
                           "<|call|>",
                           "<|flush|>",
                           "<|calls|>",
                           "<end_of_turn>",
                           "<|endoftext|>",
                           "</s>",
                           "<|eom_id|>",
                           "<EOT>",
                           "_<EOT>",
                           "[EOT]",
                           "[EOS]",
                           "<|end_of_text|>",
                           "<end_of_utterance>",
                           "<eos>",
                           "<turn|>",
                           "<|tool_response>",
                           "<\uFF5Cend\u2581of\u2581sentence\uFF5C>",
                           "[e~["}) {
    const Result result({"a", text, "</S>"});
    EXPECT_EQ(result.ends(), Ids{1}) << text;
    EXPECT_EQ(result.attributes[1], attribute_normal | token_control | token_eog) << text;
    EXPECT_EQ(result.attributes[0], attribute_normal);
  }
}

TEST(SpecialTokens, IdsOfTheMetadataEnd) {
  SpecialTokens ids;
  ids.eos = 0;
  ids.eot = 1;
  ids.eom = 2;
  const Result result({"a", "b", "c", "d"}, ids);
  EXPECT_EQ(result.ends(), (Ids{0, 1, 2}));
  EXPECT_EQ(result.attributes[0] & token_control, 0u);  // only a text makes it a control token
}

TEST(SpecialTokens, FillInTokensEnd) {
  const Result result({"<|fim_pad|>", "<|repo_name|>", "<|file_sep|>", "<|fim_prefix|>", "<SUF>", "<|code_middle|>"});
  EXPECT_EQ(result.ends(), (Ids{0, 1, 2}));
  EXPECT_EQ(result.ids.fim_prefix, 3);
  EXPECT_EQ(result.ids.fim_suffix, 4);
  EXPECT_EQ(result.ids.fim_middle, 5);
  EXPECT_NE(result.attributes[4] & token_control, 0u);
  SpecialTokens ids;
  ids.fim_pad = 1;
  const Result given({"<|fim_pad|>", "x"}, ids);
  EXPECT_EQ(given.ends(), Ids{1});
  EXPECT_EQ(given.attributes[0], attribute_normal);
}

TEST(SpecialTokens, EndOfTurn) {
  EXPECT_EQ(Result({"x", "<end_of_turn>"}).ids.eot, 1);
  EXPECT_EQ(Result({"x", "</s>"}).ids.eot, -1);
  EXPECT_EQ(Result({"<|eot_id|>", "<|im_end|>"}).ids.eot, 0);  // several: the lowest id
  SpecialTokens ids;
  ids.eot = 0;
  EXPECT_EQ(Result({"x", "<end_of_turn>"}, ids).ids.eot, 0);
}

TEST(SpecialTokens, EndDoesNotEndWhereCallsDo) {
  for (const auto& texts : std::vector<std::vector<std::string_view>>{{"<|end|>", "<|return|>", "<|call|>"},
                                                                      {"<|end|>", "<|return|>", "<|calls|>"},
                                                                      {"<|end|>", "<|flush|>", "<|calls|>"},
                                                                      {"<|end|>", "<|flush|>", "<|call|>"}}) {
    const Result result(texts);
    EXPECT_EQ(result.ends(), (Ids{1, 2}));
    EXPECT_EQ(result.attributes[0], token_user_defined);
    EXPECT_EQ(result.ids.eot, 0);
  }
  EXPECT_EQ(Result({"<|end|>", "<|return|>"}).ends(), (Ids{0, 1}));
  EXPECT_EQ(Result({"<|end|>", "<|call|>"}).ends(), (Ids{0, 1}));
}

TEST(SpecialTokens, OldEndDoesNotEndWhereToolResponsesDo) {
  const Result result({"</s>", "<|tool_response>", "<turn|>"}, {}, token_control);
  EXPECT_EQ(result.ends(), (Ids{1, 2}));
  EXPECT_EQ(result.attributes[0], attribute_normal);
}

TEST(SpecialTokens, FramesOfMessagesAreShown) {
  const Result result({"<|channel|>", "<|message|>", "<|start|>", "<|constrain|>"}, {}, token_control);
  for (const uint32_t attributes : result.attributes) EXPECT_EQ(attributes, token_user_defined);
}

TEST(SpecialTokens, ControlTokensNamedUnusedAreUnused) {
  const Result control({"<unused7>", "<used>"}, {}, token_control);
  EXPECT_EQ(control.attributes[0], token_control | token_unused);
  EXPECT_EQ(control.attributes[1], token_control);
  EXPECT_EQ(Result({"<unused7>"}).attributes[0], attribute_normal);
}

}  // namespace
}  // namespace bankml
