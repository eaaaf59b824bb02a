// Writes replies: see reply.h.
// Tested by tests/reply/reply_test.cpp
#include "core/math/fp_env.h"

#include "core/reply/reply.h"

#include <algorithm>
#include <cstdio>
#include <utility>

#include "core/base/status.h"
#include "core/formats/json.h"
#include "core/reply/number_text.h"
#include "core/reply/token_text.h"

namespace bankml::reply {

namespace reply_detail {

constexpr std::string_view names[] = {"llama-server", "llama-server-chat", "openai-chat", "openai-completions"};
constexpr float openai_lowest = -9999.0f;

void check(TokenProb token, const char* what) {
  char p[32];
  std::snprintf(p, sizeof p, "%g", static_cast<double>(token.p));
  if (token.id < 0) throw Failure(Status::token, std::string(what) + " " + std::to_string(token.id) + " is negative");
  if (!(token.p >= 0.0f && token.p <= 1.0f)) {
    throw Failure(Status::arg, std::string("p of ") + what + " " + std::to_string(token.id) + " is " + p + ", outside [0, 1]");
  }
}

void append_bytes(std::string& out, std::string_view bytes) {
  out += '[';
  for (size_t i = 0; i < bytes.size(); ++i) {
    if (i > 0) out += ',';
    out += std::to_string(static_cast<unsigned char>(bytes[i]));
  }
  out += ']';
}

}  // namespace reply_detail

Format format_named(std::string_view name) {
  const auto* const found = std::find(std::begin(reply_detail::names), std::end(reply_detail::names), name);
  if (found == std::end(reply_detail::names)) {
    throw Failure(Status::arg, "unknown format '" + std::string(name.substr(0, 64)) +
                                   "': llama-server, llama-server-chat, openai-chat or openai-completions is expected");
  }
  return static_cast<Format>(found - std::begin(reply_detail::names));
}

Reply::Reply(Format format, std::shared_ptr<const Vocab> vocab, Options options)
    : format_(format), vocab_(std::move(vocab)), options_(options) {
  const bool llama = format == Format::llama_server || format == Format::llama_server_chat;
  if (options.post_sampling && !llama) {
    throw Failure(Status::arg, "OpenAI's replies have no probabilities after sampling");
  }
}

std::string_view Reply::piece(int32_t token) const noexcept {
  if (!vocab_->contains(token)) return {};
  return options_.special ? vocab_->piece(token) : vocab_->plain_piece(token);
}

void Reply::append_logprob(std::string& out, float p) const {
  if (format_ == Format::openai_chat || format_ == Format::openai_completions) {
    return append_shortest(out, p == 0.0f ? reply_detail::openai_lowest : logprob(p));
  }
  append_widened(out, options_.post_sampling ? p : logprob(p));
}

// The members that a drawn token and one of the best have in common, without the closing brace.
void Reply::append_entry(std::string& out, std::string_view bytes, TokenProb token) const {
  if (format_ == Format::openai_chat) {
    out += "{\"token\":";
    json::append_string(out, escaped_text(bytes));
    out += ",\"logprob\":";
    append_logprob(out, token.p);
    out += ",\"bytes\":";
    if (bytes.empty()) {
      out += "null";  // "if there is no bytes representation for the token"
    } else {
      reply_detail::append_bytes(out, bytes);
    }
    return;
  }
  out += "{\"id\":";
  json::append_integer(out, token.id);
  out += ",\"token\":";
  json::append_string(out, replaced_text(bytes));
  out += ",\"bytes\":";
  reply_detail::append_bytes(out, bytes);
  out += options_.post_sampling ? ",\"prob\":" : ",\"logprob\":";
  append_logprob(out, token.p);
}

std::string Reply::object(TokenProb drawn, const TokenProb* top, size_t n_top, std::string_view bytes) const {
  std::string out;
  append_entry(out, bytes, drawn);
  out += options_.post_sampling ? ",\"top_probs\":[" : ",\"top_logprobs\":[";
  for (size_t i = 0; i < n_top; ++i) {
    if (i > 0) out += ',';
    append_entry(out, piece(top[i].id), top[i]);
    out += '}';
    if (out.size() > max_bytes) break;  // refused by append
  }
  return out + "]}";
}

std::string Reply::top_object(TokenProb drawn, const TokenProb* top, size_t n_top, std::string_view bytes) const {
  struct Entry {
    std::string text;
    float p;
    size_t place;
  };
  std::vector<Entry> entries;
  for (size_t i = 0; i < n_top; ++i) entries.push_back({marked_text(piece(top[i].id)), top[i].p, i});
  const bool listed = std::any_of(top, top + n_top, [&](TokenProb t) { return t.id == drawn.id; });
  if (!listed) entries.push_back({marked_text(bytes), drawn.p, n_top});
  // Sorted by text, so that equal ones are found without comparing all pairs.
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    const int order = a.text.compare(b.text);
    return order != 0 ? order < 0 : a.place < b.place;
  });
  const auto same = [](const Entry& a, const Entry& b) { return a.text == b.text; };
  entries.erase(std::unique(entries.begin(), entries.end(), same), entries.end());
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.place < b.place; });
  std::string out = "{";
  for (const Entry& entry : entries) {
    if (out.size() > 1) out += ',';
    json::append_string(out, entry.text);
    out += ':';
    append_logprob(out, entry.p);
  }
  return out + "}";
}

void Reply::add(TokenProb drawn, const TokenProb* top, size_t n_top, const std::string_view* text) {
  reply_detail::check(drawn, "token");
  for (size_t i = 0; i < n_top; ++i) reply_detail::check(top[i], "top token");
  const std::string_view bytes = text == nullptr ? piece(drawn.id) : *text;
  std::string parts[n_columns];
  if (format_ == Format::openai_completions) {
    json::append_string(parts[0], marked_text(bytes));
    append_logprob(parts[1], drawn.p);
    parts[2] = top_object(drawn, top, n_top, bytes);
    json::append_unsigned(parts[3], offset_);
  } else {
    parts[0] = object(drawn, top, n_top, bytes);
  }
  append(parts);
  offset_ += characters(bytes);
}

void Reply::append(const std::string* parts) {
  size_t size = 0;
  for (size_t i = 0; i < columns(); ++i) size += columns_[i].size() + parts[i].size() + 1;
  if (size > max_bytes) throw Failure(Status::limit, "the reply has more than " + std::to_string(max_bytes) + " bytes");
  for (size_t i = 0; i < columns(); ++i) {
    const size_t needed = columns_[i].size() + parts[i].size() + 1;
    // Grown by doubling, before anything is added: a failure leaves all columns as they were.
    if (needed > columns_[i].capacity()) columns_[i].reserve(std::max(needed, 2 * columns_[i].capacity()));
  }
  for (size_t i = 0; i < columns(); ++i) {
    if (!columns_[i].empty()) columns_[i] += ',';
    columns_[i] += parts[i];
  }
}

std::string Reply::json() const {
  switch (format_) {
    case Format::llama_server:
      return "[" + columns_[0] + "]";
    case Format::llama_server_chat:
      return "{\"content\":[" + columns_[0] + "]}";
    case Format::openai_chat:
      return "{\"content\":[" + columns_[0] + "],\"refusal\":null}";
    case Format::openai_completions:
      break;
  }
  return "{\"tokens\":[" + columns_[0] + "],\"token_logprobs\":[" + columns_[1] + "],\"top_logprobs\":[" + columns_[2] +
         "],\"text_offset\":[" + columns_[3] + "]}";
}

void Reply::clear() noexcept {
  for (std::string& column : columns_) column.clear();
}

}  // namespace bankml::reply
