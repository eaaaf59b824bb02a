// The rows. Their order is the order of the reference page and of to_json; it follows the default chain.
//
// Defaults stand twice, here as text and in Params as values: the text is what a reader of the table sees, and a test compares
// them. Tested by tests/params/table.cpp
#include "core/params/table.h"

#include <array>
#include <cfloat>

namespace bankml {

namespace params_table_detail {

constexpr double int_min = -2147483648.0;
constexpr double int_max = 2147483647.0;
constexpr double float_max = FLT_MAX;
constexpr double float_min = -FLT_MAX;
constexpr double decay_max = 0.99f;
// The smallest float whose reciprocal is finite: 1 / 2^-128 would be 2^128, one step too large.
constexpr double smallest_divisor = 0x1.000008p-128;

struct Text {
  const char* name;
  const char* aliases;
  const char* step;
  const char* default_json;
  const char* doc;
};

constexpr ParamRow row(const Text& text, ParamKind kind, double min, double max) {
  return ParamRow{text.name, text.aliases, kind, text.default_json, min, max, text.step, text.doc};
}

constexpr ParamRow integer(const Text& text, int32_t Params::*member, double min, double max) {
  ParamRow result = row(text, ParamKind::integer, min, max);
  result.integer = member;
  return result;
}

constexpr ParamRow number(const Text& text, float Params::*member, double min = float_min, double max = float_max) {
  ParamRow result = row(text, ParamKind::number, min, max);
  result.number = member;
  return result;
}

constexpr ParamRow seed_row(const Text& text) {
  ParamRow result = row(text, ParamKind::integer, -1, 4294967295.0);
  result.seed = &Params::seed;
  return result;
}

constexpr ParamRow boolean(const Text& text, bool Params::*member) {
  ParamRow result = row(text, ParamKind::boolean, 0, 1);
  result.boolean = member;
  return result;
}

constexpr ParamRow json_row(const Text& text, JsonParam which) {
  ParamRow result = row(text, ParamKind::json, 0, 0);
  result.json = which;
  return result;
}

constexpr std::array rows = {
    seed_row(
        {"seed", "", "", "4294967295",
         "Start value of the random generator; equal seeds give equal draws. -1 or 4294967295: a random one, reported as in use"}),
    json_row({"samplers", "", "", R"(["penalties","dry","top_n_sigma","top_k","typ_p","top_p","min_p","xtc","temperature"])",
              "Steps of the chain in the order in which they run; a step that is not listed does not run"},
             JsonParam::samplers),
    json_row({"logit_bias", "", "logit_bias", "[]",
              "Adds to single logits before all else: pairs [token id or text, bias]; false as bias bans the token"},
             JsonParam::logit_bias),
    boolean({"ignore_eos", "", "logit_bias", "false",
             "Bans every end-of-generation token of the vocabulary, so that generation does not end by itself"},
            &Params::ignore_eos),
    integer({"repeat_last_n", "penalty_last_n", "penalties", "64",
             "Window of the three repetition penalties in tokens, prompt included; 0 = off"},
            &Params::repeat_last_n, 0, int_max),
    number(
        {"repeat_penalty", "repetition_penalty,penalty_repeat", "penalties", "1",
         "Divides positive logits of tokens in the window and multiplies negative ones; above 1 discourages repetition, 1 = off"},
        &Params::repeat_penalty, smallest_divisor, float_max),
    number({"frequency_penalty", "penalty_freq", "penalties", "0",
            "Subtracted from a token's logit once for every time it occurs in the window; 0 = off"},
           &Params::frequency_penalty),
    number({"presence_penalty", "penalty_present", "penalties", "0",
            "Subtracted once from the logit of every token that occurs in the window; 0 = off"},
           &Params::presence_penalty),
    number({"dry_multiplier", "", "dry", "0",
            "DRY: strength of the penalty for tokens that would continue a sequence already seen; 0 = off"},
           &Params::dry_multiplier),
    number({"dry_base", "", "dry", "1.75",
            "DRY: the penalty is multiplier * base ^ (repeated length - allowed length); below 1 = off"},
           &Params::dry_base),
    integer({"dry_allowed_length", "", "dry", "2", "DRY: repeats up to this many tokens are free"}, &Params::dry_allowed_length, 0,
            int_max),
    integer({"dry_penalty_last_n", "", "dry", "64", "DRY: window in tokens, prompt included; 0 = off"}, &Params::dry_penalty_last_n,
            0, int_max),
    json_row({"dry_sequence_breakers", "", "dry", R"(["\n",":","\"","*"])",
              "DRY: texts that end a repeated sequence, so that it is not counted across them; [] = none"},
             JsonParam::dry_sequence_breakers),
    json_row({"dry_breaker_tokens", "", "dry", "[]",
              "DRY: breakers as token sequences (first token = head, the rest = tail), for hosts that have no pieces"},
             JsonParam::dry_breaker_tokens),
    number({"top_n_sigma", "", "top_n_sigma", "-1", "Keeps logits within n standard deviations of the maximum; 0 or less = off"},
           &Params::top_n_sigma),
    integer({"top_k", "", "top_k", "40", "Keeps the k largest logits; 0 or less = off, 1 = always the best"}, &Params::top_k,
            int_min, int_max),
    number({"typical_p", "typ_p,typical", "typical", "1",
            "Keeps the tokens whose surprise is closest to the expected one, up to this probability mass; 1 = off"},
           &Params::typical_p),
    number({"top_p", "nucleus", "top_p", "0.95",
            "Nucleus sampling: keeps the most probable tokens that together reach this probability mass; 1 = off"},
           &Params::top_p),
    number({"min_p", "", "min_p", "0.05", "Keeps tokens at least this fraction as probable as the best one; 0 = off"},
           &Params::min_p),
    number({"xtc_probability", "", "xtc", "0",
            "Chance that a draw leaves out the top choices, all but the last of those above xtc_threshold; 0 = off"},
           &Params::xtc_probability),
    number({"xtc_threshold", "", "xtc", "0.1", "Probability from which a token counts as a top choice; above 0.5 = off"},
           &Params::xtc_threshold),
    number({"temperature", "temp", "temperature", "0.8",
            "Divides the logits: below 1 sharpens the distribution, above 1 flattens it, 0 = always the best token"},
           &Params::temperature),
    number({"dynatemp_range", "", "temperature", "0",
            "Dynamic temperature: by entropy, the temperature moves within temperature -/+ range; 0 = off"},
           &Params::dynatemp_range),
    number({"dynatemp_exponent", "dynatemp_exp", "temperature", "1", "Dynamic temperature: exponent of the normalised entropy"},
           &Params::dynatemp_exponent),
    integer({"mirostat", "", "mirostat", "0",
             "1 or 2: this version of Mirostat takes the place of the chain (temperature stays); 0 = off"},
            &Params::mirostat, 0, 2),
    number({"mirostat_tau", "mirostat_ent", "mirostat", "5", "Mirostat: the surprise in bits that it steers for"},
           &Params::mirostat_tau),
    number({"mirostat_eta", "mirostat_lr", "mirostat", "0.1", "Mirostat: learning rate"}, &Params::mirostat_eta),
    number({"adaptive_target", "", "adaptive_p", "-1",
            "Adaptive-p (when listed in samplers): probability that drawn tokens should have on average; negative = plain draw"},
           &Params::adaptive_target),
    number(
        {"adaptive_decay", "", "adaptive_p", "0.9", "Adaptive-p: decay of the running average, about 1 / (1 - decay) tokens long"},
        &Params::adaptive_decay, 0, decay_max),
    integer({"min_keep", "", "", "0", "typical, top_p, min_p and xtc leave at least this many tokens"}, &Params::min_keep, 0,
            int_max),
    integer({"n_probs", "logprobs", "", "0",
             "How many of the most probable tokens a host reports with each draw; the draw is the same"},
            &Params::n_probs, int_min, int_max),
    json_row({"disable", "", "", "[]", "Names of fast paths not to take, for tests and benches; results are the same"},
             JsonParam::disable),
};

bool is_alias(std::string_view aliases, std::string_view name) noexcept {
  while (!aliases.empty()) {
    const size_t comma = aliases.find(',');
    if (aliases.substr(0, comma) == name) return true;
    if (comma == std::string_view::npos) break;
    aliases.remove_prefix(comma + 1);
  }
  return false;
}

}  // namespace params_table_detail

size_t param_count() noexcept { return params_table_detail::rows.size(); }

const ParamRow& param_row(size_t index) noexcept { return params_table_detail::rows[index]; }

size_t find_param(std::string_view name) noexcept {
  if (name.empty()) return no_param;
  for (size_t i = 0; i < params_table_detail::rows.size(); ++i) {
    const ParamRow& candidate = params_table_detail::rows[i];
    if (candidate.name == name || params_table_detail::is_alias(candidate.aliases, name)) return i;
  }
  return no_param;
}

}  // namespace bankml
