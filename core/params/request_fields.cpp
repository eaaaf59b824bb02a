// Tested by tests/params/request_json.cpp
#include "core/params/request_fields.h"

#include <array>
#include <cfloat>
#include <limits>

namespace bankml {

namespace request_fields_detail {

constexpr double int_min = -2147483648.0;
constexpr double int_max = 2147483647.0;
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double decay_max = 0.99f;

constexpr RequestField server_boolean(const char* name) { return {name, "", RequestRule::check_boolean, "", 0, 0}; }
constexpr RequestField server_int(const char* name, double min, const char* aliases = "") {
  return {name, aliases, RequestRule::check_int, "", min, int_max};
}
constexpr RequestField clamp(const char* name, double min, double max, const char* aliases = "") {
  return {name, aliases, RequestRule::clamp, name, min, max};
}
constexpr RequestField any_float(const char* name) { return clamp(name, -FLT_MAX, FLT_MAX); }
constexpr RequestField hard(const char* name, double min, double max) { return {name, "", RequestRule::hard, name, min, max}; }
constexpr RequestField special(const char* name, RequestRule rule) { return {name, "", rule, name, 0, 0}; }
constexpr RequestField unsupported(const char* name) { return {name, "", RequestRule::unsupported, "", 0, 0}; }

constexpr std::array fields = {
    server_boolean("verbose"),
    server_boolean("timings_per_token"),
    server_boolean("stream"),
    server_boolean("cache_prompt"),
    server_boolean("return_tokens"),
    server_boolean("return_progress"),
    server_int("sse_ping_interval", -1),
    server_int("n_predict", -1, "max_completion_tokens,max_tokens"),
    server_int("n_indent", 0),
    server_int("n_keep", -1),
    server_int("n_discard", 0),
    server_int("n_cache_reuse", 0),
    clamp("top_k", 0, int_max),
    clamp("top_p", 0, 1),
    clamp("min_p", 0, 1),
    any_float("top_n_sigma"),
    clamp("xtc_probability", 0, 1),
    clamp("xtc_threshold", 0, 1),
    any_float("typical_p"),
    clamp("temperature", 0, infinity),
    any_float("dynatemp_range"),
    any_float("dynatemp_exponent"),
    hard("repeat_last_n", 0, int_max),
    any_float("repeat_penalty"),
    any_float("frequency_penalty"),
    any_float("presence_penalty"),
    any_float("dry_multiplier"),
    special("dry_base", RequestRule::dry_base),
    hard("dry_allowed_length", 0, int_max),
    hard("dry_penalty_last_n", 0, int_max),
    clamp("mirostat", 0, 2),
    any_float("mirostat_tau"),
    any_float("mirostat_eta"),
    clamp("adaptive_target", -FLT_MAX, 1),
    hard("adaptive_decay", 0, decay_max),
    clamp("seed", 0, 0),  // no limits: any number wraps to uint32
    clamp("n_probs", int_min, int_max, "logprobs"),
    hard("min_keep", 0, int_max),
    server_boolean("backend_sampling"),
    server_boolean("post_sampling_probs"),
    special("dry_sequence_breakers", RequestRule::breakers),
    unsupported("json_schema"),
    unsupported("grammar"),
    unsupported("grammar_lazy"),
    unsupported("grammar_triggers"),
    server_boolean("parse_tool_calls"),
    server_boolean("echo"),
    server_boolean("reasoning_control"),
    server_int("reasoning_budget_tokens", -1),
    special("logit_bias", RequestRule::logit_bias),
    special("ignore_eos", RequestRule::ignore_eos),
    special("samplers", RequestRule::samplers),
};

// Known to the server and of no concern here.
constexpr std::array<std::string_view, 27> other_names = {"prompt",
                                                          "model",
                                                          "stop",
                                                          "stream_options",
                                                          "n_cmpl",
                                                          "n",
                                                          "t_max_predict_ms",
                                                          "response_fields",
                                                          "lora",
                                                          "id_slot",
                                                          "input_prefix",
                                                          "input_suffix",
                                                          "input_extra",
                                                          "messages",
                                                          "max_completion_tokens",
                                                          "max_tokens",
                                                          "logprobs",
                                                          "chat_format",
                                                          "chat_parser",
                                                          "continue_final_message",
                                                          "reasoning_format",
                                                          "generation_prompt",
                                                          "preserved_tokens",
                                                          "reasoning_budget_start_tag",
                                                          "reasoning_budget_end_tags",
                                                          "reasoning_budget_end_tag",
                                                          "reasoning_budget_message"};

const RequestField* find(std::string_view name) noexcept {
  for (const RequestField& field : fields) {
    if (field.name == name) return &field;
  }
  return nullptr;
}

}  // namespace request_fields_detail

std::span<const RequestField> request_fields() noexcept { return request_fields_detail::fields; }

bool is_request_field(std::string_view name) noexcept {
  if (request_fields_detail::find(name) != nullptr) return true;
  for (std::string_view other : request_fields_detail::other_names) {
    if (other == name) return true;
  }
  return false;
}

bool is_unsupported_field(std::string_view name) noexcept {
  const RequestField* field = request_fields_detail::find(name);
  return field != nullptr && field->rule == RequestRule::unsupported;
}

}  // namespace bankml
