#include "core/chain/texts.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <unordered_set>

#include "core/vocab/breakers.h"

namespace bankml {
namespace texts_detail {

bool is_on(const Params& params, StepKind kind) {
  return params.mirostat == 0 && std::find(params.samplers.begin(), params.samplers.end(), kind) != params.samplers.end();
}

// The scan of a vocabulary costs time and memory for every string.
constexpr size_t most_breakers = 1024;

void check_breakers(const Params& params) {
  if (params.dry_sequence_breakers.size() <= most_breakers) return;
  throw Failure(Status::limit, "dry_sequence_breakers: " + std::to_string(params.dry_sequence_breakers.size()) +
                                   " strings, at most " + std::to_string(most_breakers));
}

// Breakers are wanted as strings only where DRY runs and was not given token sequences.
bool wants_breaker_strings(const Params& params) {
  return is_on(params, StepKind::dry) && !Dry::off(params.dry_multiplier, params.dry_base, params.dry_penalty_last_n) &&
         params.dry_breaker_tokens.empty() &&
         std::any_of(params.dry_sequence_breakers.begin(), params.dry_sequence_breakers.end(),
                     [](const std::string& s) { return !s.empty(); });
}

// The text in quotes, printable bytes as they are.
std::string in_quotes(std::string_view text) {
  static constexpr char hex[] = "0123456789abcdef";
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7F) {
      out += {'\\', 'x', hex[byte >> 4], hex[byte & 15]};
    } else {
      out += c;
    }
  }
  return out + '"';
}

const std::vector<int32_t>* answer(const Params& params, const std::string& text) {
  const auto found = params.text_tokens.find(text);
  return found == params.text_tokens.end() ? nullptr : &found->second;
}

}  // namespace texts_detail

std::vector<OpenText> open_texts(const Params& params, const Vocab* vocab) {
  using namespace texts_detail;
  std::vector<OpenText> open;
  std::unordered_set<std::string> listed;
  const auto add = [&](const std::string& text, const char* purpose) {
    if (listed.insert(text).second) open.push_back({text, purpose});
  };
  for (const TextBias& bias : params.text_bias) {
    if (answer(params, bias.text) == nullptr && (vocab == nullptr || !vocab->has_tokenizer())) add(bias.text, "logit_bias");
  }
  if (vocab != nullptr && wants_breaker_strings(params)) {
    check_breakers(params);
    for (const std::string& tail : open_breaker_tails(*vocab, params.dry_sequence_breakers, params.text_tokens)) {
      add(tail, "dry_sequence_breakers");
    }
  }
  return open;
}

std::vector<BiasEntry> resolved_biases(const Params& params, const Vocab* vocab) {
  using namespace texts_detail;
  std::vector<BiasEntry> list;
  list.reserve(params.logit_bias.size() + params.text_bias.size());
  auto text = params.text_bias.begin();
  for (size_t i = 0; i <= params.logit_bias.size(); ++i) {
    for (; text != params.text_bias.end() && text->position <= i; ++text) {
      std::vector<int32_t> own;
      const std::vector<int32_t>* tokens = answer(params, text->text);
      if (tokens == nullptr) {
        if (vocab == nullptr || !vocab->has_tokenizer()) {
          throw Failure(Status::open_text, "logit_bias: the text " + in_quotes(text->text) + " needs its tokens");
        }
        own = vocab->tokenize(text->text);
        tokens = &own;
      }
      for (const int32_t token : *tokens) list.push_back({token, text->bias});
    }
    if (i < params.logit_bias.size()) list.push_back(params.logit_bias[i]);
  }
  return list;
}

std::shared_ptr<const DryBreakers> resolved_breakers(const Params& params, const Vocab* vocab, size_t n_vocab) {
  using namespace texts_detail;
  if (!params.dry_breaker_tokens.empty()) {
    std::vector<Breaker> list;
    for (const std::vector<int32_t>& tokens : params.dry_breaker_tokens) {
      if (!tokens.empty()) list.push_back({tokens.front(), {tokens.begin() + 1, tokens.end()}});
    }
    return std::make_shared<const DryBreakers>(list, n_vocab);
  }
  if (!wants_breaker_strings(params)) return nullptr;
  if (vocab == nullptr) {
    throw Failure(Status::arg,
                  "dry: dry_sequence_breakers are texts and need a vocabulary; give one, or dry_breaker_tokens, or an empty list");
  }
  check_breakers(params);
  const auto build = [vocab](const std::vector<Breaker>& list) -> std::shared_ptr<const void> {
    return std::make_shared<const DryBreakers>(list, vocab->size());
  };
  return std::static_pointer_cast<const DryBreakers>(
      prepare_breakers(*vocab, params.dry_sequence_breakers, params.text_tokens, build));
}

}  // namespace bankml
