// The rules in the reference's order; each looks at what the ones before left. The sets of texts are data, so a new model's end
// token is one word here. Tested by tests/vocab/special_tokens_test.cpp
#include "core/vocab/special_tokens.h"

#include <span>

#include "core/vocab/vocab.h"

namespace bankml {

namespace special_tokens_detail {

using Texts = std::span<const std::string_view>;

constexpr std::string_view end_of_turn[] = {"<|eot_id|>",        "<|im_end|>", "<|end|>", "<end_of_turn>", "<|endoftext|>",
                                            "<|end_of_text|>",   "<EOT>",      "_<EOT>",  "[EOT]",         "<｜end▁of▁sentence｜>",
                                            "<end_of_utterance>"};
constexpr std::string_view end_of_message[] = {"<|eom_id|>"};
constexpr std::string_view fim_prefix[] = {"<|fim_prefix|>", "<fim-prefix>", "<fim_prefix>",    "<｜fim▁begin｜>",
                                           "<PRE>",          "▁<PRE>",       "<|code_prefix|>", "<|prefix|>"};
constexpr std::string_view fim_suffix[] = {"<|fim_suffix|>", "<fim-suffix>", "<fim_suffix>",    "<｜fim▁hole｜>",
                                           "<SUF>",          "▁<SUF>",       "<|code_suffix|>", "<|suffix|>"};
constexpr std::string_view fim_middle[] = {"<|fim_middle|>", "<fim-middle>", "<fim_middle>",    "<｜fim▁end｜>",
                                           "<MID>",          "▁<MID>",       "<|code_middle|>", "<|middle|>"};
constexpr std::string_view fim_pad[] = {"<|fim_pad|>", "<fim-pad>", "<fim_pad>", "<PAD>", "[PAD]"};
constexpr std::string_view fim_repo[] = {"<|fim_repo|>", "<|repo_name|>", "<fim-repo>", "<REPO>", "<reponame>"};
constexpr std::string_view fim_separator[] = {"<|file_sep|>"};

constexpr std::string_view end_of_generation[] = {"<|eot_id|>",
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
                                                  "<｜end▁of▁sentence｜>",
                                                  "[e~["};

// Parts of a message's frame that the model writes and that are always shown.
constexpr std::string_view always_shown[] = {"<|channel|>", "<|message|>", "<|start|>", "<|constrain|>"};

// All of these texts end like this and hardly any other token's does: most tokens need no search.
constexpr bool may_be_special(std::string_view text) noexcept {
  return !text.empty() && (text.back() == '>' || text.back() == ']' || text.back() == '[');
}

constexpr bool all_may_be_special(Texts texts) noexcept {
  for (const std::string_view text : texts) {
    if (!may_be_special(text)) return false;
  }
  return true;
}

static_assert(all_may_be_special(end_of_turn) && all_may_be_special(end_of_message) && all_may_be_special(fim_prefix) &&
              all_may_be_special(fim_suffix) && all_may_be_special(fim_middle) && all_may_be_special(fim_pad) &&
              all_may_be_special(fim_repo) && all_may_be_special(fim_separator) && all_may_be_special(end_of_generation) &&
              all_may_be_special(always_shown));

bool among(std::string_view text, Texts texts) noexcept {
  if (!may_be_special(text)) return false;
  for (const std::string_view candidate : texts) {
    if (candidate == text) return true;
  }
  return false;
}

}  // namespace special_tokens_detail

void apply_text_rules(const std::vector<std::string_view>& texts, std::vector<uint32_t>& attributes, SpecialTokens& ids) {
  namespace detail = special_tokens_detail;
  const size_t n = texts.size();

  const auto detect = [&](int32_t& id, detail::Texts wanted) {
    for (size_t i = 0; id < 0 && i < n; ++i) {
      if (!detail::among(texts[i], wanted)) continue;
      id = static_cast<int32_t>(i);
      attributes[i] |= token_control;
    }
  };
  detect(ids.eot, detail::end_of_turn);
  detect(ids.eom, detail::end_of_message);
  detect(ids.fim_prefix, detail::fim_prefix);
  detect(ids.fim_suffix, detail::fim_suffix);
  detect(ids.fim_middle, detail::fim_middle);
  detect(ids.fim_pad, detail::fim_pad);
  detect(ids.fim_repo, detail::fim_repo);
  detect(ids.fim_separator, detail::fim_separator);

  std::vector<bool> ends(n, false);
  const auto add = [&](int32_t id) {
    if (id >= 0 && static_cast<size_t>(id) < n) ends[static_cast<size_t>(id)] = true;
  };
  for (size_t i = 0; i < n; ++i) {
    if ((attributes[i] & token_control) != 0 && texts[i].find("unused") != std::string_view::npos) attributes[i] |= token_unused;
  }
  for (size_t i = 0; i < n; ++i) {
    if (detail::among(texts[i], detail::end_of_generation)) {
      ends[i] = true;
      attributes[i] |= token_control;
    }
    if (detail::among(texts[i], detail::always_shown)) attributes[i] = token_user_defined;
  }
  add(ids.fim_pad);
  add(ids.fim_repo);
  add(ids.fim_separator);
  add(ids.eos);
  add(ids.eot);
  add(ids.eom);

  // Two families of models list an end token that does not end their generations.
  const auto end_token = [&](std::string_view text) {
    for (size_t i = 0; i < n; ++i) {
      if (ends[i] && texts[i] == text) return static_cast<int32_t>(i);
    }
    return -1;
  };
  const auto demote = [&](int32_t id, uint32_t attribute) {
    if (id < 0) return;
    ends[static_cast<size_t>(id)] = false;
    attributes[static_cast<size_t>(id)] = attribute;
  };
  const bool calls = end_token("<|call|>") >= 0 || end_token("<|calls|>") >= 0;
  if (calls && (end_token("<|return|>") >= 0 || end_token("<|flush|>") >= 0)) demote(end_token("<|end|>"), token_user_defined);
  if (end_token("<|tool_response>") >= 0) demote(end_token("</s>"), attribute_normal);

  for (size_t i = 0; i < n; ++i) {
    if (ends[i]) attributes[i] |= token_eog;
  }
}

}  // namespace bankml
