// Drawn tokens on their way out: see output.h.
#include "examples/command/output.h"

#include <algorithm>
#include <cstdio>

#include "examples/command/print.h"

namespace command {

namespace {

void check(const bankml_stop* stop, bankml_status status) {
  if (status != BANKML_OK) throw Error(bankml_stop_error(stop));
}

void check(const bankml_reply* reply, bankml_status status) {
  if (status != BANKML_OK) throw Error(bankml_reply_error(reply));
}

}  // namespace

Output::Output(const OutputOptions& options, const bankml_vocab* vocab) : options_(options), vocab_(vocab) {
  std::string bytes;
  std::vector<size_t> offsets{0};
  for (const std::string& string : options.stops) {
    bytes += string;
    offsets.push_back(bytes.size());
  }
  char text[error_size] = "";
  stop_.reset(bankml_stop_new(reinterpret_cast<const uint8_t*>(bytes.data()), offsets.data(), options.stops.size(),
                              options.include_stop ? BANKML_STOP_INCLUDE : 0, text, sizeof text));
  if (!stop_) throw Error(text);
  if (options.json.empty()) return;
  reply_.reset(bankml_reply_new(options.json.c_str(), vocab, 0, text, sizeof text));
  if (!reply_) throw Error(text);
}

bool Output::add(bankml_sampler* sampler, const float* logits, size_t n, int32_t token, size_t n_top) {
  tokens_.push_back(token);
  if (reply_) add_probabilities(sampler, logits, n, token, n_top);
  uint32_t flags = 0;
  const bool known = bankml_vocab_flags(vocab_, token, &flags) == BANKML_OK;
  if (!known || (flags & (BANKML_TOKEN_CONTROL | BANKML_TOKEN_UNKNOWN)) != 0) return false;  // no text of the model's output
  const uint8_t* piece = nullptr;
  size_t size = 0, shown = 0;
  if (bankml_vocab_piece(vocab_, token, &piece, &size) != BANKML_OK) return false;
  room_.resize(std::max(room_.size(), bankml_stop_held(stop_.get()) + size));
  check(stop_.get(), bankml_stop_feed(stop_.get(), piece, size, room_.data(), room_.size(), &shown, &matched_));
  show(room_.data(), shown);
  return matched_ >= 0;
}

void Output::show(const uint8_t* bytes, size_t n) {
  if (reply_) {
    text_.append(reinterpret_cast<const char*>(bytes), n);
    return;
  }
  std::fwrite(bytes, 1, n, stdout);
  std::fflush(stdout);  // text appears as it is drawn
}

void Output::add_probabilities(bankml_sampler* sampler, const float* logits, size_t n, int32_t token, size_t n_top) {
  std::vector<bankml_token_prob> top(std::min(n_top, n));
  size_t count = 0;
  float p = 0;
  command::check(sampler, bankml_sampler_token_probs(sampler, logits, n, token, top.size(), top.data(), top.size(), &count, &p));
  check(reply_.get(), bankml_reply_add(reply_.get(), token, p, top.data(), count, nullptr, 0));
}

std::string Output::reply_json() const {
  size_t needed = 0;
  bankml_reply_json(reply_.get(), nullptr, 0, &needed);
  std::string json(needed, '\0');
  check(reply_.get(), bankml_reply_json(reply_.get(), json.data(), json.size(), &needed));
  json.pop_back();
  return json;
}

void Output::end(const char* stop_type) {
  room_.resize(std::max(room_.size(), bankml_stop_held(stop_.get())));
  size_t shown = 0;
  check(stop_.get(), bankml_stop_flush(stop_.get(), room_.data(), room_.size(), &shown));
  show(room_.data(), shown);
  if (!reply_) {
    std::printf("\n");
  } else {
    const bool by_word = matched_ >= 0;
    const std::string fields = dump({{"content", text_},
                                     {"tokens", tokens_},
                                     {"stop_type", by_word ? "word" : stop_type},
                                     {"stopping_word", by_word ? options_.stops[static_cast<size_t>(matched_)] : ""}});
    // The library's text as it is: parsed and written again, its digits would be this program's.
    const char* const field = options_.json == "llama-server" ? "completion_probabilities" : "logprobs";
    std::printf("%.*s,\"%s\":%s}\n", static_cast<int>(fields.size() - 1), fields.c_str(), field, reply_json().c_str());
  }
  std::fflush(stdout);
}

}  // namespace command
