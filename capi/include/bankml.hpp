// bankml for C++17 and later: owning classes over the C functions of bankml.h, header-only. The library exports no C++ symbol, so
// one libbankml serves every compiler and C++ runtime.
//
//   bankml::Params params;
//   params.set_number("temperature", 0.7).set_number("seed", 42);
//   bankml::Sampler sampler(params, n_vocab);
//   int32_t token = sampler.sample(logits);   // any container of float with data() and size(), or pointer and size
//   sampler.accept(token);
//
// Errors: every failing call throws bankml::Error with the library's text and status; the object is as it was before the call.
// Objects are movable, not copyable (clone() copies); a moved-from object only may be destroyed or assigned to. Threads, units,
// ranges and ownership: bankml.h. Text arguments are std::string; what a function returns by value stays valid for good.
//
// Long because it is one header: consumers copy one file.
// Tested by tests/capi/wrapper_test.cpp.
#ifndef BANKML_HPP
#define BANKML_HPP

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "bankml.h"

namespace bankml {
// The library's own internals live in `bankml` too; the inline namespace keeps their symbols apart in a static link.
inline namespace wrapper {

class Error : public std::runtime_error {
 public:
  Error(bankml_status status, const std::string& text) : std::runtime_error(text), status_(status) {}
  // BANKML_... code. Constructors of the C API give a text and no code: theirs is BANKML_ARG.
  bankml_status status() const noexcept { return status_; }

 private:
  bankml_status status_;
};

namespace detail {

inline void check(bankml_status status, const char* text = nullptr) {
  if (status == BANKML_OK) return;
  throw Error(status, text != nullptr && *text != '\0' ? text : bankml_status_string(status));
}

// Calls a constructor of the C API as make(err, err_cap) and throws its text if it returns NULL.
template <class Make>
auto made(Make make) -> decltype(make(nullptr, size_t{0})) {
  char text[512] = "";
  auto handle = make(text, sizeof text);
  if (handle == nullptr) throw Error(BANKML_ARG, text);
  return handle;
}

// Calls a reader of the C API twice: read(buffer, cap, &needed) for the size of a text (its zero included), then for the text.
template <class Read>
std::string read_text(Read read) {
  size_t needed = 0;
  read(nullptr, size_t{0}, &needed);
  std::string text(needed, '\0');
  read(text.empty() ? nullptr : &text[0], text.size(), &needed);
  if (!text.empty()) text.pop_back();
  return text;
}

// Reads an array: read(buffer, cap, &count) until the buffer is large enough.
template <class Item, class Read>
std::vector<Item> read_array(Read read, size_t guess) {
  std::vector<Item> items(guess);
  size_t count = 0;
  while (read(items.data(), items.size(), &count) == BANKML_BUFFER && count > items.size()) items.resize(count);
  items.resize(count);
  return items;
}

struct Free {
  void operator()(bankml_params* p) const noexcept { bankml_params_free(p); }
  void operator()(bankml_vocab* v) const noexcept { bankml_vocab_free(v); }
  void operator()(bankml_workspace* w) const noexcept { bankml_workspace_free(w); }
  void operator()(bankml_sampler* s) const noexcept { bankml_sampler_free(s); }
  void operator()(bankml_grammar* g) const noexcept { bankml_grammar_free(g); }
  void operator()(bankml_grammar_options* o) const noexcept { bankml_grammar_options_free(o); }
  void operator()(bankml_pool* p) const noexcept { bankml_pool_free(p); }
  void operator()(bankml_stop* s) const noexcept { bankml_stop_free(s); }
  void operator()(bankml_reply* r) const noexcept { bankml_reply_free(r); }
};

}  // namespace detail

// ---- Library ----------------------------------------------------------------------------------------------------------------

inline std::string version_string() { return bankml_version_string(); }
inline uint32_t abi_version() noexcept { return bankml_abi_version(); }
inline std::string status_string(bankml_status status) { return bankml_status_string(status); }

// One line per check; throws Error(BANKML_INTERNAL) naming the first that fails.
inline std::string self_check() {
  char report[8192] = "";
  const bankml_status status = bankml_self_check(report, sizeof report);
  detail::check(status, report);
  return report;
}

inline std::string cpu_name() { return bankml_cpu_name(); }
inline std::vector<std::string> cpu_levels() {
  std::vector<std::string> names;
  while (const char* name = bankml_cpu_level(names.size())) names.emplace_back(name);
  return names;
}
inline void cpu_force(const std::string& name) { detail::check(bankml_cpu_force(name.c_str()), ("no CPU level " + name).c_str()); }

// The parameter table, one row each; pointers are static.
inline std::vector<bankml_param_spec> param_table() {
  std::vector<bankml_param_spec> rows(bankml_param_count());
  for (size_t i = 0; i < rows.size(); ++i) {
    rows[i].struct_size = sizeof(bankml_param_spec);
    detail::check(bankml_param_info(i, &rows[i]));
  }
  return rows;
}

// ---- Vocab ------------------------------------------------------------------------------------------------------------------

// Immutable; may be shared by any number of threads.
class Vocab {
 public:
  // Piece i is bytes[offsets[i] .. offsets[i+1]); flags (may be nullptr): BANKML_TOKEN_... of each token.
  Vocab(const uint8_t* bytes, const size_t* offsets, const uint32_t* flags, size_t n, int32_t eos = -1, int32_t eot = -1)
      : handle_(
            detail::made([&](char* err, size_t cap) { return bankml_vocab_new(bytes, offsets, flags, n, eos, eot, err, cap); })) {}

  explicit Vocab(const std::vector<std::string>& pieces, const std::vector<uint32_t>& flags = {}, int32_t eos = -1,
                 int32_t eot = -1) {
    if (!flags.empty() && flags.size() != pieces.size()) throw Error(BANKML_LENGTH, "flags: one for each piece, or none");
    std::string bytes;
    std::vector<size_t> offsets{0};
    for (const std::string& piece : pieces) {
      bytes += piece;
      offsets.push_back(bytes.size());
    }
    *this = Vocab(reinterpret_cast<const uint8_t*>(bytes.data()), offsets.data(), flags.empty() ? nullptr : flags.data(),
                  pieces.size(), eos, eot);
  }

  static Vocab from_gguf(const std::string& path) {
    return Vocab(detail::made([&](char* err, size_t cap) { return bankml_vocab_from_gguf(path.c_str(), err, cap); }));
  }
  static Vocab from_gguf_bytes(const void* data, size_t len) {
    return Vocab(detail::made([&](char* err, size_t cap) { return bankml_vocab_from_gguf_bytes(data, len, err, cap); }));
  }

  size_t size() const noexcept { return bankml_vocab_size(get()); }
  std::string piece(int32_t token) const {
    const uint8_t* bytes = nullptr;
    size_t len = 0;
    detail::check(bankml_vocab_piece(get(), token, &bytes, &len), no_token(token).c_str());
    return len == 0 ? std::string() : std::string(reinterpret_cast<const char*>(bytes), len);
  }
  uint32_t flags(int32_t token) const {
    uint32_t flags = 0;
    detail::check(bankml_vocab_flags(get(), token, &flags), no_token(token).c_str());
    return flags;
  }
  int32_t eos() const noexcept { return bankml_vocab_eos(get()); }
  int32_t eot() const noexcept { return bankml_vocab_eot(get()); }
  int32_t bos() const noexcept { return bankml_vocab_bos(get()); }
  uint64_t fingerprint() const noexcept { return bankml_vocab_fingerprint(get()); }
  uint64_t breaker_scans() const noexcept { return bankml_vocab_breaker_scans(get()); }
  std::vector<int32_t> tokenize(const std::string& text) const {
    const auto* bytes = reinterpret_cast<const uint8_t*>(text.data());
    return detail::read_array<int32_t>(
        [&](int32_t* out, size_t cap, size_t* count) {
          const bankml_status status = bankml_vocab_tokenize(get(), bytes, text.size(), out, cap, count);
          if (status != BANKML_BUFFER) detail::check(status);
          return status;
        },
        text.size() + 1);
  }
  const bankml_vocab* get() const noexcept { return handle_.get(); }

 private:
  explicit Vocab(bankml_vocab* handle) noexcept : handle_(handle) {}
  static std::string no_token(int32_t token) { return "token " + std::to_string(token) + " is outside the vocabulary"; }
  std::unique_ptr<bankml_vocab, detail::Free> handle_;
};

// ---- Params -----------------------------------------------------------------------------------------------------------------

// A text whose tokens the library cannot know; see bankml_params_text_count.
struct OpenText {
  std::string bytes;
  std::string purpose;  // "dry_sequence_breakers" or "logit_bias"
};

class Params {
 public:
  Params() : Params(std::string("llama")) {}
  explicit Params(const std::string& profile)
      : handle_(detail::made([&](char* err, size_t cap) { return bankml_params_new(profile.c_str(), err, cap); })) {}
  Params clone() const {
    return Params(detail::made([&](char* err, size_t cap) { return bankml_params_clone(get(), err, cap); }));
  }

  Params& set_number(const std::string& name, double value) { return check(bankml_params_set_number(get(), name.c_str(), value)); }
  Params& set_string(const std::string& name, const std::string& value) {
    return check(bankml_params_set_string(get(), name.c_str(), value.c_str()));
  }
  Params& set_json(const std::string& name, const std::string& text) {
    return check(bankml_params_set_json(get(), name.c_str(), text.data(), text.size()));
  }
  // A whole request body of llama-server.
  Params& load_request(const std::string& text) { return load_json("llama-server", text); }
  Params& load_json(const std::string& format, const std::string& text) {
    return check(bankml_params_load_json(get(), format.c_str(), text.data(), text.size()));
  }
  Params& strict(bool on = true) { return check(bankml_params_strict(get(), on ? 1 : 0)); }
  Params& load_gguf(const std::string& path) { return check(bankml_params_load_gguf(get(), path.c_str())); }
  Params& load_gguf_bytes(const void* data, size_t len) { return check(bankml_params_load_gguf_bytes(get(), data, len)); }

  double number(const std::string& name) const {
    double value = 0;
    check_const(bankml_params_get_number(get(), name.c_str(), &value));
    return value;
  }
  std::string json(const std::string& name) const {
    return detail::read_text([&](char* out, size_t cap, size_t* needed) {
      const bankml_status status = bankml_params_get_json(get(), name.c_str(), out, cap, needed);
      if (status != BANKML_BUFFER) check_const(status);
    });
  }
  std::string to_json() const {
    return detail::read_text([&](char* out, size_t cap, size_t* needed) {
      const bankml_status status = bankml_params_to_json(get(), out, cap, needed);
      if (status != BANKML_BUFFER) check_const(status);
    });
  }
  std::string origin(const std::string& name) const {
    const char* text = bankml_params_origin(get(), name.c_str());
    if (text == nullptr) throw Error(BANKML_ARG, "unknown parameter " + name);
    return text;
  }
  std::vector<std::string> warnings() const {
    std::vector<std::string> lines(bankml_params_warning_count(get()));
    for (size_t i = 0; i < lines.size(); ++i) lines[i] = bankml_params_warning(get(), i);
    return lines;
  }

  // Texts still open for the vocabulary; answer_text(i, ids) answers the i-th of this list.
  std::vector<OpenText> open_texts() { return open_texts_of(nullptr); }
  std::vector<OpenText> open_texts(const Vocab& vocab) { return open_texts_of(vocab.get()); }
  Params& answer_text(size_t i, const std::vector<int32_t>& ids) {
    return check(bankml_params_set_text_tokens(get(), i, ids.data(), ids.size()));
  }

  bankml_params* get() noexcept { return handle_.get(); }
  const bankml_params* get() const noexcept { return handle_.get(); }

 private:
  explicit Params(bankml_params* handle) noexcept : handle_(handle) {}
  void check_const(bankml_status status) const { detail::check(status, bankml_params_error(get())); }
  Params& check(bankml_status status) {
    check_const(status);
    return *this;
  }
  std::vector<OpenText> open_texts_of(const bankml_vocab* vocab) {
    size_t count = 0;
    check(bankml_params_text_count(get(), vocab, &count));
    std::vector<OpenText> texts(count);
    for (size_t i = 0; i < count; ++i) {
      const uint8_t* bytes = nullptr;
      size_t len = 0;
      const char* purpose = nullptr;
      check(bankml_params_text(get(), i, &bytes, &len, &purpose));
      texts[i] = OpenText{std::string(reinterpret_cast<const char*>(bytes), len), purpose};
    }
    return texts;
  }
  std::unique_ptr<bankml_params, detail::Free> handle_;
};

// ---- Workspace --------------------------------------------------------------------------------------------------------------

// Scratch that samplers of one thread may share. A sampler that uses it keeps it alive.
class Workspace {
 public:
  explicit Workspace(size_t n_vocab)
      : handle_(detail::made([&](char* err, size_t cap) { return bankml_workspace_new(n_vocab, err, cap); })) {}
  size_t bytes() const noexcept { return bankml_workspace_bytes(get()); }
  bankml_workspace* get() const noexcept { return handle_.get(); }

 private:
  std::unique_ptr<bankml_workspace, detail::Free> handle_;
};

// ---- Grammar ----------------------------------------------------------------------------------------------------------------

class GrammarOptions {
 public:
  GrammarOptions() : handle_(detail::made([](char* err, size_t cap) { return bankml_grammar_options_new(err, cap); })) {}
  GrammarOptions& set_string(const std::string& name, const std::string& value) {
    return check(bankml_grammar_options_set_string(handle_.get(), name.c_str(), value.c_str()));
  }
  GrammarOptions& set_number(const std::string& name, double value) {
    return check(bankml_grammar_options_set_number(handle_.get(), name.c_str(), value));
  }
  GrammarOptions& token_text(const std::string& text, int32_t token) {
    return check(
        bankml_grammar_options_token_text(handle_.get(), reinterpret_cast<const uint8_t*>(text.data()), text.size(), token));
  }
  // kind: BANKML_TRIGGER_WORD, ..._PATTERN or ..._PATTERN_FULL; text: its bytes.
  GrammarOptions& trigger(int32_t kind, const std::string& text) {
    return check(
        bankml_grammar_options_trigger(handle_.get(), kind, reinterpret_cast<const uint8_t*>(text.data()), text.size(), -1));
  }
  GrammarOptions& trigger_token(int32_t token) {
    return check(bankml_grammar_options_trigger(handle_.get(), BANKML_TRIGGER_TOKEN, nullptr, 0, token));
  }
  const bankml_grammar_options* get() const noexcept { return handle_.get(); }

 private:
  GrammarOptions& check(bankml_status status) {
    detail::check(status, bankml_grammar_options_error(handle_.get()));
    return *this;
  }
  std::unique_ptr<bankml_grammar_options, detail::Free> handle_;
};

// What one sequence may be. Accept each token here first, then in the sampler.
class Grammar {
 public:
  static Grammar from_gbnf(const Vocab& vocab, const std::string& text, const GrammarOptions& options = {}) {
    return Grammar(detail::made([&](char* err, size_t cap) {
      return bankml_grammar_from_gbnf(vocab.get(), text.data(), text.size(), options.get(), err, cap);
    }));
  }
  // options must name the dialect "llama".
  static Grammar from_schema(const Vocab& vocab, const std::string& json, const GrammarOptions& options) {
    return Grammar(detail::made([&](char* err, size_t cap) {
      return bankml_grammar_from_schema(vocab.get(), json.data(), json.size(), options.get(), err, cap);
    }));
  }
  std::string to_gbnf() {
    size_t needed = 0;
    bankml_grammar_to_gbnf(get(), nullptr, 0, &needed);
    std::string text(needed, '\0');
    check(bankml_grammar_to_gbnf(get(), &text[0], text.size(), &needed));
    text.resize(needed - 1);
    return text;
  }
  Grammar clone() const {
    return Grammar(detail::made([&](char* err, size_t cap) { return bankml_grammar_clone(get(), err, cap); }));
  }

  void mask(uint32_t* words, size_t n_words) { check(bankml_grammar_mask(get(), words, n_words)); }
  std::vector<uint32_t> mask() {
    const uint32_t* words = nullptr;
    size_t n_words = 0;
    check(bankml_grammar_mask_ptr(get(), &words, &n_words));
    return std::vector<uint32_t>(words, words + n_words);
  }
  bool test(int32_t token) {
    int32_t allowed = 0;
    check(bankml_grammar_test(get(), token, &allowed));
    return allowed != 0;
  }
  void accept(int32_t token) { check(bankml_grammar_accept(get(), token)); }
  void accept(const std::vector<int32_t>& tokens) { check(bankml_grammar_accept_many(get(), tokens.data(), tokens.size())); }
  void rollback(size_t n) { check(bankml_grammar_rollback(get(), n)); }
  void reset() { check(bankml_grammar_reset(get())); }
  bool is_complete() {
    int32_t complete = 0;
    check(bankml_grammar_is_complete(get(), &complete));
    return complete != 0;
  }
  bool is_dead() {
    int32_t dead = 0;
    check(bankml_grammar_is_dead(get(), &dead));
    return dead != 0;
  }
  std::string forced() {
    std::string out(4096, '\0');
    size_t len = 0;
    check(bankml_grammar_forced(get(), reinterpret_cast<uint8_t*>(&out[0]), out.size(), &len));
    out.resize(len);
    return out;
  }
  size_t warm(size_t n) {
    size_t filled = 0;
    check(bankml_grammar_warm(get(), n, &filled));
    return filled;
  }
  std::string save() {
    size_t needed = 0;
    bankml_grammar_save(get(), nullptr, 0, &needed);
    std::string out(needed, '\0');
    check(bankml_grammar_save(get(), reinterpret_cast<uint8_t*>(&out[0]), out.size(), &needed));
    return out;
  }
  void load(const std::string& saved) {
    check(bankml_grammar_load(get(), reinterpret_cast<const uint8_t*>(saved.data()), saved.size()));
  }
  size_t memory() const noexcept { return bankml_grammar_bytes(get()); }
  uint64_t mask_fills() const noexcept { return bankml_grammar_mask_fills(get()); }
  bankml_grammar* get() const noexcept { return handle_.get(); }

 private:
  explicit Grammar(bankml_grammar* handle) noexcept : handle_(handle) {}
  void check(bankml_status status) const { detail::check(status, bankml_grammar_error(get())); }
  std::unique_ptr<bankml_grammar, detail::Free> handle_;
};

struct ConstrainedToken {
  int32_t token;
  bool redrawn;  // the first draw did not fit
};

// ---- Sampler ----------------------------------------------------------------------------------------------------------------

struct TokenProbs {
  std::vector<bankml_token_prob> top;  // best first
  float sampled_p = 0;                 // of the named token; 0 if none was named
};

class Sampler {
 public:
  // Defaults of the profile `llama`, no vocabulary.
  explicit Sampler(size_t n_vocab) : Sampler(nullptr, nullptr, n_vocab) {}
  Sampler(const Params& params, size_t n_vocab) : Sampler(params.get(), nullptr, n_vocab) {}
  // n_vocab 0 = the vocabulary's size; larger = padded rows.
  Sampler(const Params& params, const Vocab& vocab, size_t n_vocab = 0) : Sampler(params.get(), vocab.get(), n_vocab) {}
  Sampler clone() const {
    return Sampler(Owned{detail::made([&](char* err, size_t cap) { return bankml_sampler_clone(get(), err, cap); })});
  }

  size_t n_vocab() const noexcept { return bankml_sampler_n_vocab(get()); }
  void use_workspace(const Workspace& workspace) { check(bankml_sampler_use_workspace(get(), workspace.get())); }
  void use_own_workspace() { check(bankml_sampler_use_workspace(get(), nullptr)); }

  void accept(int32_t token) { check(bankml_sampler_accept(get(), token)); }
  void accept(const int32_t* tokens, size_t n) { check(bankml_sampler_accept_many(get(), tokens, n)); }
  void accept(const std::vector<int32_t>& tokens) { accept(tokens.data(), tokens.size()); }

  int32_t sample(const float* logits, size_t n) {
    int32_t token = -1;
    check(bankml_sampler_sample(get(), logits, n, &token));
    return token;
  }
  template <class Logits>
  int32_t sample(const Logits& logits) {
    return sample(std::data(logits), std::size(logits));
  }
  // Bit i of word w allows token 32*w + i.
  int32_t sample_masked(const float* logits, size_t n, const uint32_t* words, size_t n_words) {
    int32_t token = -1;
    check(bankml_sampler_sample_masked(get(), logits, n, words, n_words, &token));
    return token;
  }
  template <class Logits, class Words>
  int32_t sample_masked(const Logits& logits, const Words& words) {
    return sample_masked(std::data(logits), std::size(logits), std::data(words), std::size(words));
  }
  // flags: BANKML_GRAMMAR_FIRST or 0. Advances neither.
  template <class Logits>
  ConstrainedToken sample_constrained(const Logits& logits, Grammar& grammar, uint32_t flags = 0) {
    int32_t token = -1, redrawn = 0;
    check(bankml_sampler_sample_constrained(get(), std::data(logits), std::size(logits), grammar.get(), flags, &token, &redrawn));
    return {token, redrawn != 0};
  }
  int32_t sample_candidates(const int32_t* ids, const float* logits, size_t n) {
    int32_t token = -1;
    check(bankml_sampler_sample_candidates(get(), ids, logits, n, &token));
    return token;
  }
  template <class Ids, class Logits>
  int32_t sample_candidates(const Ids& ids, const Logits& logits) {
    if (std::size(ids) != std::size(logits)) throw Error(BANKML_LENGTH, "ids and logits: as many of one as of the other");
    return sample_candidates(std::data(ids), std::data(logits), std::size(ids));
  }

  // Survivors of the last draw, kept only while keep is on.
  void keep(bool on = true) { check(bankml_sampler_keep(get(), on ? 1 : 0)); }
  std::vector<bankml_candidate> candidates() {
    return detail::read_array<bankml_candidate>(
        [&](bankml_candidate* out, size_t cap, size_t* count) {
          return unless_small(bankml_sampler_candidates(get(), out, cap, count));
        },
        64);
  }
  std::vector<bankml_token_prob> post_probs(size_t n_top) {
    return detail::read_array<bankml_token_prob>(
        [&](bankml_token_prob* out, size_t cap, size_t* count) {
          return unless_small(bankml_sampler_post_probs(get(), n_top, out, cap, count));
        },
        64);
  }
  // Raw softmax probabilities of a row; sampled -1 = no token named.
  TokenProbs token_probs(const float* logits, size_t n, int32_t sampled, size_t n_top) {
    TokenProbs result;
    result.top = detail::read_array<bankml_token_prob>(
        [&](bankml_token_prob* out, size_t cap, size_t* count) {
          return unless_small(bankml_sampler_token_probs(get(), logits, n, sampled, n_top, out, cap, count, &result.sampled_p));
        },
        n_top < n ? n_top : n);
    return result;
  }
  template <class Logits>
  TokenProbs token_probs(const Logits& logits, int32_t sampled, size_t n_top) {
    return token_probs(std::data(logits), std::size(logits), sampled, n_top);
  }

  std::string save() {
    size_t len = 0;
    bankml_sampler_save(get(), nullptr, 0, &len);
    std::string bytes(len, '\0');
    check(bankml_sampler_save(get(), reinterpret_cast<uint8_t*>(&bytes[0]), bytes.size(), &len));
    return bytes;
  }
  void load(const std::string& bytes) {
    check(bankml_sampler_load(get(), reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()));
  }
  void reset() { check(bankml_sampler_reset(get())); }
  uint32_t seed() const noexcept { return bankml_sampler_get_seed(get()); }
  void set_seed(uint32_t seed) { check(bankml_sampler_set_seed(get(), seed)); }

  std::vector<std::string> steps() const {
    std::vector<std::string> names(bankml_sampler_step_count(get()));
    for (size_t i = 0; i < names.size(); ++i) names[i] = bankml_sampler_step_name(get(), i);
    return names;
  }
  std::string plan_name() const { return bankml_sampler_plan_name(get()); }
  std::vector<std::string> warnings() const {
    std::vector<std::string> lines;
    while (const char* line = bankml_sampler_warning(get(), lines.size())) lines.emplace_back(line);
    return lines;
  }
  size_t bytes() const noexcept { return bankml_sampler_bytes(get()); }
  bankml_perf perf(bool reset = false) {
    bankml_perf counters{};
    counters.struct_size = sizeof counters;
    check(bankml_sampler_perf(get(), &counters, reset ? 1 : 0));
    return counters;
  }
  void clock(bool on = true) { check(bankml_sampler_clock(get(), on ? 1 : 0)); }

  bankml_sampler* get() const noexcept { return handle_.get(); }

 private:
  struct Owned {
    bankml_sampler* handle;
  };
  explicit Sampler(Owned owned) noexcept : handle_(owned.handle) {}
  Sampler(const bankml_params* params, const bankml_vocab* vocab, size_t n_vocab)
      : handle_(detail::made([&](char* err, size_t cap) { return bankml_sampler_new(params, vocab, n_vocab, err, cap); })) {}
  void check(bankml_status status) const { detail::check(status, bankml_sampler_error(get())); }
  bankml_status unless_small(bankml_status status) const {
    if (status != BANKML_BUFFER) check(status);
    return status;
  }
  std::unique_ptr<bankml_sampler, detail::Free> handle_;
};

// ---- Batch ------------------------------------------------------------------------------------------------------------------

// One item of a batch: a sampler, its row, optionally a mask or a grammar; then its status and token.
class BatchItem {
 public:
  BatchItem(Sampler& sampler, const float* logits, size_t n) : BatchItem(sampler, logits, n, nullptr, 0) {}
  BatchItem(Sampler& sampler, const float* logits, size_t n, const uint32_t* words, size_t n_words)
      : item_{sizeof item_, BANKML_INTERNAL, -1, 0, sampler.get(), logits, n, words, n_words, nullptr, 0, 0} {}
  // flags: BANKML_GRAMMAR_FIRST or 0. Advances neither.
  BatchItem(Sampler& sampler, const float* logits, size_t n, Grammar& grammar, uint32_t flags = 0)
      : item_{sizeof item_, BANKML_INTERNAL, -1, 0, sampler.get(), logits, n, nullptr, 0, grammar.get(), flags, 0} {}
  bankml_status status() const noexcept { return item_.status; }
  // Throws the draw's own Error if it failed.
  int32_t token() const {
    detail::check(item_.status, bankml_sampler_error(item_.sampler));
    return item_.token;
  }
  bool redrawn() const noexcept { return item_.redrawn != 0; }  // the first draw did not fit the grammar

 private:
  bankml_batch_item item_;
};
static_assert(sizeof(BatchItem) == sizeof(bankml_batch_item), "an array of one is an array of the other");

// Threads that share out the draws of a batch; see bankml_pool_new.
class Pool {
 public:
  explicit Pool(size_t n_threads = 0, size_t n_vocab = 0)
      : handle_(detail::made([&](char* err, size_t cap) { return bankml_pool_new(n_threads, n_vocab, err, cap); })) {}
  size_t threads() const noexcept { return bankml_pool_threads(handle_.get()); }
  // Throws only if the whole batch is refused; look at each item's status.
  void sample(std::vector<BatchItem>& items) {
    auto* const first = reinterpret_cast<bankml_batch_item*>(items.data());
    const bankml_status status = bankml_batch_sample(handle_.get(), first, items.size());
    detail::check(status, bankml_pool_error(handle_.get()));
  }

 private:
  std::unique_ptr<bankml_pool, detail::Free> handle_;
};

// ---- Stop strings and replies -----------------------------------------------------------------------------------------------

// The text of one generation on its way out; see bankml_stop_new.
class Stop {
 public:
  // flags: BANKML_STOP_INCLUDE, BANKML_STOP_BY_TOKEN.
  explicit Stop(const std::vector<std::string>& strings, uint32_t flags = 0) {
    std::string bytes;
    std::vector<size_t> offsets{0};
    for (const std::string& string : strings) {
      bytes += string;
      offsets.push_back(bytes.size());
    }
    handle_.reset(detail::made([&](char* err, size_t cap) {
      return bankml_stop_new(reinterpret_cast<const uint8_t*>(bytes.data()), offsets.data(), strings.size(), flags, err, cap);
    }));
  }
  Stop clone() const {
    return Stop(detail::made([&](char* err, size_t cap) { return bankml_stop_clone(handle_.get(), err, cap); }), matched_);
  }

  // What may be shown now.
  std::string feed(const char* bytes, size_t n) {
    std::string out(held() + n, '\0');
    size_t len = 0;
    check(bankml_stop_feed(handle_.get(), reinterpret_cast<const uint8_t*>(bytes), n, data(out), out.size(), &len, &matched_));
    out.resize(len);
    return out;
  }
  std::string feed(const std::string& bytes) { return feed(bytes.data(), bytes.size()); }
  // What was held back when the generation ended; begins anew.
  std::string flush() {
    std::string out(held(), '\0');
    size_t len = 0;
    check(bankml_stop_flush(handle_.get(), data(out), out.size(), &len));
    out.resize(len);
    matched_ = -1;
    return out;
  }
  void reset() {
    check(bankml_stop_reset(handle_.get()));
    matched_ = -1;
  }
  size_t held() const noexcept { return bankml_stop_held(handle_.get()); }
  // Index of the stop string that ended the text, or -1.
  int32_t matched() const noexcept { return matched_; }

 private:
  Stop(bankml_stop* handle, int32_t matched) noexcept : handle_(handle), matched_(matched) {}
  static uint8_t* data(std::string& out) { return reinterpret_cast<uint8_t*>(&out[0]); }
  void check(bankml_status status) const { detail::check(status, bankml_stop_error(handle_.get())); }
  std::unique_ptr<bankml_stop, detail::Free> handle_;
  int32_t matched_ = -1;
};

// Probabilities of drawn tokens as a server's JSON; see bankml_reply_new.
class Reply {
 public:
  // flags: BANKML_REPLY_POST_SAMPLING, BANKML_REPLY_SPECIAL.
  Reply(const std::string& format, const Vocab& vocab, uint32_t flags = 0)
      : handle_(
            detail::made([&](char* err, size_t cap) { return bankml_reply_new(format.c_str(), vocab.get(), flags, err, cap); })) {}

  void add(int32_t token, float p, const std::vector<bankml_token_prob>& top = {}) {
    check(bankml_reply_add(handle_.get(), token, p, top.data(), top.size(), nullptr, 0));
  }
  // text: what was sent for the token, where that is not its piece.
  void add(int32_t token, float p, const std::vector<bankml_token_prob>& top, const std::string& text) {
    check(bankml_reply_add(handle_.get(), token, p, top.data(), top.size(), reinterpret_cast<const uint8_t*>(text.data()),
                           text.size()));
  }
  std::string json() const {
    return detail::read_text([&](char* out, size_t cap, size_t* needed) {
      const bankml_status status = bankml_reply_json(handle_.get(), out, cap, needed);
      if (status != BANKML_BUFFER) check(status);
    });
  }
  void clear() { check(bankml_reply_clear(handle_.get())); }
  void text_offset(size_t characters) { check(bankml_reply_text_offset(handle_.get(), characters)); }

 private:
  void check(bankml_status status) const { detail::check(status, bankml_reply_error(handle_.get())); }
  std::unique_ptr<bankml_reply, detail::Free> handle_;
};

}  // namespace wrapper
}  // namespace bankml

#endif  // BANKML_HPP
