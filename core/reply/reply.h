// Probabilities of drawn tokens as the JSON that a server sends, token by token.
//
// Formats, each the value of one field:
//   llama_server        `completion_probabilities`: an array of {id, token, bytes, logprob, top_logprobs}; after sampling, prob and
//                       top_probs
//   llama_server_chat   `logprobs` of its /v1 routes: {"content": the same array}
//   openai_chat         `logprobs`: {content: [{token, logprob, bytes, top_logprobs}], refusal: null}
//   openai_completions  `logprobs`: {tokens, token_logprobs, top_logprobs, text_offset}
//
// Source: llama.cpp's server, whose member order, number texts and dump without blanks are reproduced; OpenAI's published schema
// and replies, in that same dump. A p of zero has the logprob of the lowest float in llama-server's reply and -9999.0 in
// OpenAI's, never an infinity. Control and unknown tokens have no text unless `special` is on. In openai_completions,
// top_logprobs is an object, so the drawn token is added behind the n best if it is not among them, and of two tokens with one
// text the more probable stays. text_offset counts characters from the beginning of the text; a token that ends a character
// begins behind that character's start.
// Tested by tests/reply/reply_test.cpp
#pragma once

#include "core/math/fp_env.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/probs/token_prob.h"
#include "core/vocab/vocab.h"

namespace bankml::reply {

enum class Format : uint8_t { llama_server, llama_server_chat, openai_chat, openai_completions };

// "llama-server", "llama-server-chat", "openai-chat", "openai-completions"; anything else throws Failure(arg).
Format format_named(std::string_view name);

struct Options {
  bool post_sampling = false;  // p are those of the survivors; llama-server's formats only
  bool special = false;        // control and unknown tokens are shown
};

class Reply {
 public:
  static constexpr size_t max_bytes = size_t{1} << 28;  // of the JSON

  // Throws Failure(arg).
  Reply(Format format, std::shared_ptr<const Vocab> vocab, Options options);

  // A drawn token, its p, and the best of its row. text: what was sent for it, where that is not its piece (held back, cut by a
  // stop string); nullptr = its piece. Ids behind the vocabulary have no text. Throws Failure(token) for a negative id,
  // Failure(arg) for a p outside [0, 1], Failure(limit); nothing is added then.
  void add(TokenProb drawn, const TokenProb* top, size_t n_top, const std::string_view* text);

  std::string json() const;

  // Forgets the tokens; text_offset goes on, as the parts of a stream want it.
  void clear() noexcept;
  // Where the next token's text begins, in characters; a new reply begins at 0.
  void set_text_offset(size_t characters) noexcept { offset_ = characters; }

 private:
  std::string_view piece(int32_t token) const noexcept;
  void append_entry(std::string& out, std::string_view bytes, TokenProb token) const;
  void append_logprob(std::string& out, float p) const;
  std::string object(TokenProb drawn, const TokenProb* top, size_t n_top, std::string_view bytes) const;
  std::string top_object(TokenProb drawn, const TokenProb* top, size_t n_top, std::string_view bytes) const;
  void append(const std::string* parts);

  static constexpr size_t n_columns = 4;
  size_t columns() const noexcept { return format_ == Format::openai_completions ? n_columns : 1; }

  Format format_;
  std::shared_ptr<const Vocab> vocab_;
  Options options_;
  std::string columns_[n_columns];  // elements of the arrays, with commas between them; formats of objects have one array
  size_t offset_ = 0;
};

}  // namespace bankml::reply
