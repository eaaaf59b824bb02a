// Grammars at the border: options by name, one caller at a time on a handle, and the constrained draw, which brings the mask of a
// grammar and the two draws of a sampler together.
//
// Tested by tests/capi/grammar.c
#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <string_view>

#include "capi/src/alone.h"
#include "capi/src/bytes.h"
#include "capi/src/constrained.h"
#include "capi/src/handles.h"
#include "core/schema/llama_schema.h"

namespace bankml::capi {

template <class Body>
bankml_status alone(bankml_grammar* g, Body&& body) noexcept {
  if (g == nullptr) return BANKML_ARG;
  const BusyScope scope(g->busy);
  if (!scope.entered()) return BANKML_BUSY;
  return guard(g->error, [&] { return body(*g->grammar, g->error); });
}

// The grammar's mask for a row of n_vocab logits: ids behind the vocabulary are not allowed.
const uint32_t* mask_for(bankml_grammar& g, size_t n_vocab) {
  const std::vector<uint32_t>& words = g.grammar->mask();
  const size_t needed = (n_vocab + 31) / 32;
  if (words.size() >= needed) return words.data();
  g.padded.assign(needed, 0);
  std::copy(words.begin(), words.end(), g.padded.begin());
  return g.padded.data();
}

Status sample_constrained(Sampler& sampler, const float* logits, size_t n, bankml_grammar& g, uint32_t flags, int32_t* token,
                          int32_t* redrawn, ErrorText& error) {
  if (logits == nullptr) return error.set(Status::arg, "logits is NULL");
  if (token == nullptr) return error.set(Status::arg, "token is NULL");
  if ((flags & ~static_cast<uint32_t>(BANKML_GRAMMAR_FIRST)) != 0)
    return error.set(Status::arg, "flags is %u: unknown bits", flags);
  if (g.grammar->vocab().size() > sampler.n_vocab()) {
    return error.set(Status::arg, "the grammar's vocabulary has %zu tokens, more than the sampler's %zu", g.grammar->vocab().size(),
                     sampler.n_vocab());
  }
  if (redrawn != nullptr) *redrawn = 0;
  if (g.grammar->waits()) return sampler.sample(logits, n, nullptr, token, error);
  if ((flags & BANKML_GRAMMAR_FIRST) != 0) return sampler.sample(logits, n, mask_for(g, n), token, error);
  int32_t first = -1;
  const Status drawn = sampler.sample(logits, n, nullptr, &first, error);
  if (drawn != Status::ok) return drawn;
  const uint32_t* mask = nullptr;
  try {
    if (g.grammar->test(first)) {
      *token = first;
      return Status::ok;
    }
    mask = mask_for(g, n);
  } catch (...) {
    sampler.take_back();
    throw;
  }
  const Status again = sampler.sample_again(logits, n, mask, token, error);
  if (again == Status::ok && redrawn != nullptr) *redrawn = 1;
  return again;
}

}  // namespace bankml::capi

extern "C" {

bankml_grammar_options* bankml_grammar_options_new(char* err, size_t err_cap) noexcept {
  return bankml::capi::construct<bankml_grammar_options>(err, err_cap, [] { return std::make_unique<bankml_grammar_options>(); });
}

void bankml_grammar_options_free(bankml_grammar_options* o) noexcept { delete o; }

const char* bankml_grammar_options_error(const bankml_grammar_options* o) noexcept {
  return o == nullptr ? "the options are NULL" : o->error.c_str();
}

bankml_status bankml_grammar_options_set_string(bankml_grammar_options* o, const char* name, const char* value) noexcept {
  if (o == nullptr || name == nullptr) return BANKML_ARG;
  return bankml::capi::guard(o->error, [&] {
    if (value == nullptr) return o->error.set(bankml::Status::arg, "%s: the value is NULL", name);
    if (std::strcmp(name, "dialect") == 0) {
      const bool strict = std::strcmp(value, "strict") == 0;
      if (!strict && std::strcmp(value, "llama") != 0) {
        return o->error.set(bankml::Status::arg, "dialect is '%s': llama or strict is expected", value);
      }
      o->options.decoding = strict ? bankml::Decoding::strict : bankml::Decoding::llama;
      o->dialect_named = true;
      return bankml::Status::ok;
    }
    if (std::strcmp(name, "root") != 0) return o->error.set(bankml::Status::arg, "unknown option '%s' with a text", name);
    o->options.root = value;
    return bankml::Status::ok;
  });
}

bankml_status bankml_grammar_options_set_number(bankml_grammar_options* o, const char* name, double value) noexcept {
  if (o == nullptr || name == nullptr) return BANKML_ARG;
  return bankml::capi::guard(o->error, [&] {
    if (std::strcmp(name, "lazy") == 0) {
      if (value != 0 && value != 1) return o->error.set(bankml::Status::arg, "lazy is %g: 0 or 1 is expected", value);
      o->options.lazy = value == 1;
      return bankml::Status::ok;
    }
    const bool states = std::strcmp(name, "max_states") == 0;
    if (!states && std::strcmp(name, "max_bytes") != 0) {
      return o->error.set(bankml::Status::arg, "unknown option '%s' with a number", name);
    }
    const double highest = states ? 1e8 : 1e15;
    if (!(value >= 1 && value <= highest) || value != std::floor(value)) {
      return o->error.set(bankml::Status::arg, "%s is %g: an integer in [1, %g] is expected", name, value, highest);
    }
    const double most = std::min(value, static_cast<double>(SIZE_MAX / 2));
    (states ? o->options.max_states : o->options.max_bytes) = static_cast<size_t>(most);
    return bankml::Status::ok;
  });
}

bankml_status bankml_grammar_options_token_text(bankml_grammar_options* o, const uint8_t* bytes, size_t len,
                                                int32_t token) noexcept {
  if (o == nullptr) return BANKML_ARG;
  return bankml::capi::guard(o->error, [&] {
    const std::string_view text = bytes == nullptr ? std::string_view() : bankml::capi::text_of(bytes, len);
    if (text.size() < 2 || text.front() != '<' || text.back() != '>') {
      return o->error.set(bankml::Status::arg, "token_text: the text must begin with '<' and end with '>'");
    }
    if (token < 0) return o->error.set(bankml::Status::token, "token_text: token %d is negative", static_cast<int>(token));
    o->options.token_texts[std::string(text)] = token;
    return bankml::Status::ok;
  });
}

bankml_status bankml_grammar_options_trigger(bankml_grammar_options* o, int32_t kind, const uint8_t* bytes, size_t len,
                                             int32_t token) noexcept {
  using bankml::grammar::Trigger;
  if (o == nullptr) return BANKML_ARG;
  return bankml::capi::guard(o->error, [&] {
    if (kind < BANKML_TRIGGER_TOKEN || kind > BANKML_TRIGGER_PATTERN_FULL) {
      return o->error.set(bankml::Status::arg, "trigger: kind is %d, of 0 to 3", static_cast<int>(kind));
    }
    if (kind == BANKML_TRIGGER_TOKEN && token < 0) {
      return o->error.set(bankml::Status::token, "trigger: token %d is negative", static_cast<int>(token));
    }
    if (bytes == nullptr && len > 0) return o->error.set(bankml::Status::arg, "trigger: bytes is NULL, but len is %zu", len);
    const bool by_token = kind == BANKML_TRIGGER_TOKEN;
    o->options.triggers.push_back({static_cast<Trigger::Kind>(kind),
                                   std::string(by_token ? std::string_view() : bankml::capi::text_of(bytes, len)),
                                   by_token ? token : -1});
    return bankml::Status::ok;
  });
}

bankml_grammar* bankml_grammar_from_gbnf(const bankml_vocab* vocab, const char* text, size_t len,
                                         const bankml_grammar_options* options, char* err, size_t err_cap) noexcept {
  return bankml::capi::construct<bankml_grammar>(err, err_cap, [&] {
    if (vocab == nullptr) throw bankml::Failure(bankml::Status::arg, "vocab is NULL");
    if (text == nullptr && len > 0) throw bankml::Failure(bankml::Status::arg, "text is NULL");
    const bankml::grammar::Options defaults;
    return std::make_unique<bankml_grammar>(bankml::grammar::Grammar::from_gbnf(vocab->vocab, bankml::capi::text_of(text, len),
                                                                                options == nullptr ? defaults : options->options));
  });
}

bankml_grammar* bankml_grammar_from_schema(const bankml_vocab* vocab, const char* json, size_t len,
                                           const bankml_grammar_options* options, char* err, size_t err_cap) noexcept {
  return bankml::capi::construct<bankml_grammar>(err, err_cap, [&] {
    if (vocab == nullptr) throw bankml::Failure(bankml::Status::arg, "vocab is NULL");
    if (json == nullptr && len > 0) throw bankml::Failure(bankml::Status::arg, "json is NULL");
    const bool llama = options != nullptr && options->dialect_named && options->options.decoding == bankml::Decoding::llama;
    if (!llama) throw bankml::Failure(bankml::Status::schema, "a JSON schema needs the option dialect = llama");
    bankml::grammar::Options own = options->options;
    own.root = "root";
    const std::string gbnf = bankml::schema::llama_gbnf(bankml::capi::text_of(json, len));
    try {
      return std::make_unique<bankml_grammar>(bankml::grammar::Grammar::from_gbnf(vocab->vocab, gbnf, own));
    } catch (const bankml::Failure& failure) {
      if (failure.status() != bankml::Status::parse) throw;
      throw bankml::Failure(bankml::Status::schema, "failed to parse grammar: " + failure.text());
    }
  });
}

bankml_status bankml_grammar_to_gbnf(bankml_grammar* g, char* out, size_t cap, size_t* needed) noexcept {
  return bankml::capi::alone(g, [&](bankml::grammar::Grammar& grammar, bankml::ErrorText& error) {
    return bankml::capi::copy_text(grammar.text(), out, cap, needed, error);
  });
}

bankml_grammar* bankml_grammar_clone(const bankml_grammar* g, char* err, size_t err_cap) noexcept {
  return bankml::capi::construct<bankml_grammar>(err, err_cap, [&] {
    if (g == nullptr) throw bankml::Failure(bankml::Status::arg, "the grammar is NULL");
    const bankml::BusyScope scope(g->busy);
    if (!scope.entered()) throw bankml::Failure(bankml::Status::busy, "the grammar is in use by another thread");
    return std::make_unique<bankml_grammar>(g->grammar->clone());
  });
}

void bankml_grammar_free(bankml_grammar* g) noexcept { delete g; }

const char* bankml_grammar_error(const bankml_grammar* g) noexcept {
  return g == nullptr ? "the grammar is NULL" : g->error.c_str();
}

bankml_status bankml_grammar_mask(bankml_grammar* g, uint32_t* words, size_t n_words) noexcept {
  return bankml::capi::alone(g, [&](bankml::grammar::Grammar& grammar, bankml::ErrorText& error) {
    if (words == nullptr) return error.set(bankml::Status::arg, "words is NULL");
    const size_t needed = (grammar.vocab().size() + 31) / 32;
    if (n_words < needed) {
      return error.set(bankml::Status::length, "the mask has %zu words, %zu tokens need %zu", n_words, grammar.vocab().size(),
                       needed);
    }
    const std::vector<uint32_t>& mask = grammar.mask();
    std::memcpy(words, mask.data(), mask.size() * sizeof(uint32_t));
    std::fill(words + mask.size(), words + n_words, 0u);
    return bankml::Status::ok;
  });
}

bankml_status bankml_grammar_mask_ptr(bankml_grammar* g, const uint32_t** words, size_t* n_words) noexcept {
  return bankml::capi::alone(g, [&](bankml::grammar::Grammar& grammar, bankml::ErrorText& error) {
    if (words == nullptr || n_words == nullptr) return error.set(bankml::Status::arg, "words or n_words is NULL");
    const std::vector<uint32_t>& mask = grammar.mask();
    *words = mask.data();
    *n_words = mask.size();
    return bankml::Status::ok;
  });
}

bankml_status bankml_grammar_test(bankml_grammar* g, int32_t token, int32_t* allowed) noexcept {
  return bankml::capi::alone(g, [&](bankml::grammar::Grammar& grammar, bankml::ErrorText& error) {
    if (allowed == nullptr) return error.set(bankml::Status::arg, "allowed is NULL");
    if (token < 0) return error.set(bankml::Status::token, "token %d is negative", static_cast<int>(token));
    *allowed = grammar.test(token) ? 1 : 0;
    return bankml::Status::ok;
  });
}

bankml_status bankml_grammar_accept(bankml_grammar* g, int32_t token) noexcept { return bankml_grammar_accept_many(g, &token, 1); }

bankml_status bankml_grammar_accept_many(bankml_grammar* g, const int32_t* tokens, size_t n) noexcept {
  return bankml::capi::alone(g, [&](bankml::grammar::Grammar& grammar, bankml::ErrorText& error) {
    if (tokens == nullptr && n > 0) return error.set(bankml::Status::arg, "tokens is NULL, but n is %zu", n);
    return grammar.accept(tokens, n, error);
  });
}

bankml_status bankml_grammar_rollback(bankml_grammar* g, size_t n) noexcept {
  return bankml::capi::alone(
      g, [&](bankml::grammar::Grammar& grammar, bankml::ErrorText& error) { return grammar.rollback(n, error); });
}

bankml_status bankml_grammar_reset(bankml_grammar* g) noexcept {
  return bankml::capi::alone(g, [&](bankml::grammar::Grammar& grammar, bankml::ErrorText&) {
    grammar.reset();
    return bankml::Status::ok;
  });
}

bankml_status bankml_grammar_is_complete(bankml_grammar* g, int32_t* complete) noexcept {
  return bankml::capi::alone(g, [&](bankml::grammar::Grammar& grammar, bankml::ErrorText& error) {
    if (complete == nullptr) return error.set(bankml::Status::arg, "complete is NULL");
    *complete = grammar.is_complete() ? 1 : 0;
    return bankml::Status::ok;
  });
}

bankml_status bankml_grammar_is_dead(bankml_grammar* g, int32_t* dead) noexcept {
  return bankml::capi::alone(g, [&](bankml::grammar::Grammar& grammar, bankml::ErrorText& error) {
    if (dead == nullptr) return error.set(bankml::Status::arg, "dead is NULL");
    *dead = grammar.is_dead() ? 1 : 0;
    return bankml::Status::ok;
  });
}

bankml_status bankml_grammar_forced(bankml_grammar* g, uint8_t* out, size_t cap, size_t* len) noexcept {
  return bankml::capi::alone(g, [&](bankml::grammar::Grammar& grammar, bankml::ErrorText& error) {
    return bankml::capi::copy_bytes(grammar.forced(), out, cap, len, error);
  });
}

bankml_status bankml_grammar_warm(bankml_grammar* g, size_t n, size_t* filled) noexcept {
  return bankml::capi::alone(g, [&](bankml::grammar::Grammar& grammar, bankml::ErrorText&) {
    const size_t made = grammar.warm(n);
    if (filled != nullptr) *filled = made;
    return bankml::Status::ok;
  });
}

bankml_status bankml_grammar_save(bankml_grammar* g, uint8_t* out, size_t cap, size_t* len) noexcept {
  return bankml::capi::alone(g, [&](bankml::grammar::Grammar& grammar, bankml::ErrorText& error) {
    return bankml::capi::copy_bytes(grammar.save(), out, cap, len, error);
  });
}

bankml_status bankml_grammar_load(bankml_grammar* g, const uint8_t* bytes, size_t len) noexcept {
  return bankml::capi::alone(g, [&](bankml::grammar::Grammar& grammar, bankml::ErrorText& error) {
    if (bytes == nullptr && len > 0) return error.set(bankml::Status::arg, "bytes is NULL, but len is %zu", len);
    grammar.load(bankml::capi::text_of(bytes, len));
    return bankml::Status::ok;
  });
}

size_t bankml_grammar_bytes(const bankml_grammar* g) noexcept { return g == nullptr ? 0 : sizeof *g + g->grammar->bytes(); }

uint64_t bankml_grammar_mask_fills(const bankml_grammar* g) noexcept { return g == nullptr ? 0 : g->grammar->mask_fills(); }

bankml_status bankml_sampler_sample_constrained(bankml_sampler* s, const float* logits, size_t n, bankml_grammar* g, uint32_t flags,
                                                int32_t* token, int32_t* redrawn) noexcept {
  return bankml::capi::alone(s, [&](bankml::Sampler& sampler, bankml::ErrorText& error) {
    if (g == nullptr) return error.set(bankml::Status::arg, "the grammar is NULL");
    const bankml::BusyScope scope(g->busy);
    if (!scope.entered()) return error.set(bankml::Status::busy, "the grammar is in use by another thread");
    return bankml::capi::sample_constrained(sampler, logits, n, *g, flags, token, redrawn, error);
  });
}

}  // extern "C"
