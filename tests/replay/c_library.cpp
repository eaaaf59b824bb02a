// The library through its C ABI, in this process.
#include <algorithm>

#include "tests/replay/library.h"

namespace bankml::replay {
namespace {

constexpr size_t text_cap = 1 << 16;

template <class T>
T* as(Library::Handle handle) {
  return reinterpret_cast<T*>(static_cast<uintptr_t>(handle));
}

Library::Handle handle_of(const void* pointer) { return reinterpret_cast<uintptr_t>(pointer); }

void check(bankml_status status, const char* text) {
  if (status != BANKML_OK) throw Refused(status, text != nullptr && *text != '\0' ? text : bankml_status_string(status));
}

template <class Make>
Library::Handle made(Make make) {
  char error[1024] = "";
  const void* pointer = make(error, sizeof error);
  if (pointer == nullptr) throw Refused(BANKML_ARG, error);
  return handle_of(pointer);
}

class CLibrary final : public Library {
 public:
  ~CLibrary() override {
    for (const Handle vocab : vocabs_) bankml_vocab_free(as<bankml_vocab>(vocab));
  }
  std::string name() override { return std::string("c ") + bankml_version_string(); }

  Handle vocab(const std::string& path) override {
    vocabs_.push_back(made([&](char* err, size_t cap) { return bankml_vocab_from_gguf(path.c_str(), err, cap); }));
    return vocabs_.back();
  }
  VocabInfo vocab_info(Handle vocab) override {
    const auto* v = as<bankml_vocab>(vocab);
    return {bankml_vocab_size(v), bankml_vocab_eos(v), bankml_vocab_eot(v), bankml_vocab_bos(v)};
  }
  Piece piece(Handle vocab, int32_t token) override {
    const uint8_t* bytes = nullptr;
    size_t length = 0;
    uint32_t flags = 0;
    check(bankml_vocab_piece(as<bankml_vocab>(vocab), token, &bytes, &length), "piece");
    check(bankml_vocab_flags(as<bankml_vocab>(vocab), token, &flags), "flags");
    return {std::string(reinterpret_cast<const char*>(bytes), length), flags};
  }
  Tokens tokenize(Handle vocab, const std::string& bytes) override {
    Tokens tokens(bytes.size() + 8);
    size_t count = 0;
    check(bankml_vocab_tokenize(as<bankml_vocab>(vocab), reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size(),
                                tokens.data(), tokens.size(), &count),
          "tokenize");
    tokens.resize(count);
    return tokens;
  }

  Handle params() override {
    return made([](char* err, size_t cap) { return bankml_params_new(nullptr, err, cap); });
  }
  void set(Handle params, const std::string& name, const std::string& json_text) override {
    check_params(params, bankml_params_set_json(as<bankml_params>(params), name.c_str(), json_text.data(), json_text.size()));
  }
  void load(Handle params, const std::string& format, const std::string& text) override {
    check_params(params, bankml_params_load_json(as<bankml_params>(params), format.c_str(), text.data(), text.size()));
  }
  std::string get(Handle params, const std::string& name) override {
    std::string text(text_cap, '\0');
    check_params(params, bankml_params_get_json(as<bankml_params>(params), name.c_str(), text.data(), text.size(), nullptr));
    return text.c_str();
  }
  double number(Handle params, const std::string& name) override {
    double value = 0;
    check_params(params, bankml_params_get_number(as<bankml_params>(params), name.c_str(), &value));
    return value;
  }
  std::vector<Parameter> table() override {
    std::vector<Parameter> rows;
    for (size_t i = 0; i < bankml_param_count(); ++i) {
      bankml_param_spec spec{};
      spec.struct_size = sizeof spec;
      check(bankml_param_info(i, &spec), "param_info");
      rows.push_back({spec.name, spec.default_json});
    }
    return rows;
  }
  std::vector<OpenText> texts(Handle params, Handle vocab) override {
    size_t count = 0;
    check_params(params, bankml_params_text_count(as<bankml_params>(params), as<bankml_vocab>(vocab), &count));
    std::vector<OpenText> open;
    for (size_t i = 0; i < count; ++i) {
      const uint8_t* bytes = nullptr;
      size_t length = 0;
      const char* purpose = nullptr;
      check_params(params, bankml_params_text(as<bankml_params>(params), i, &bytes, &length, &purpose));
      open.push_back({std::string(reinterpret_cast<const char*>(bytes), length), purpose});
    }
    return open;
  }
  void answer(Handle params, size_t i, const Tokens& tokens) override {
    check_params(params, bankml_params_set_text_tokens(as<bankml_params>(params), i, tokens.data(), tokens.size()));
  }

  Sampler sampler(Handle params, Handle vocab, size_t n_vocab) override {
    const Handle handle = made([&](char* err, size_t cap) {
      return bankml_sampler_new(as<bankml_params>(params), as<bankml_vocab>(vocab), n_vocab, err, cap);
    });
    return {handle, bankml_sampler_n_vocab(as<bankml_sampler>(handle))};
  }
  std::string plan(Handle sampler) override { return bankml_sampler_plan_name(as<bankml_sampler>(sampler)); }
  void keep(Handle sampler) override { check_sampler(sampler, bankml_sampler_keep(as<bankml_sampler>(sampler), 1)); }
  void accept(Handle sampler, const Tokens& tokens) override {
    auto* s = as<bankml_sampler>(sampler);
    check_sampler(sampler, tokens.size() == 1 ? bankml_sampler_accept(s, tokens[0])
                                              : bankml_sampler_accept_many(s, tokens.data(), tokens.size()));
  }
  int32_t sample(Handle sampler, const std::vector<float>& logits) override {
    int32_t token = -1;
    check_sampler(sampler, bankml_sampler_sample(as<bankml_sampler>(sampler), logits.data(), logits.size(), &token));
    return token;
  }
  std::vector<bankml_candidate> candidates(Handle sampler) override {
    auto* s = as<bankml_sampler>(sampler);
    std::vector<bankml_candidate> list(bankml_sampler_n_vocab(s));
    size_t count = 0;
    check_sampler(sampler, bankml_sampler_candidates(s, list.data(), list.size(), &count));
    list.resize(count);
    return list;
  }
  Probs probs(Handle sampler, int32_t sampled, size_t n_top, const std::vector<float>& logits) override {
    Probs result{std::vector<bankml_token_prob>(std::min(n_top, logits.size())), 0};
    size_t count = 0;
    check_sampler(sampler, bankml_sampler_token_probs(as<bankml_sampler>(sampler), logits.data(), logits.size(), sampled, n_top,
                                                      result.top.data(), result.top.size(), &count, &result.sampled_p));
    result.top.resize(count);
    return result;
  }

  Handle grammar(Handle vocab, const std::string& gbnf, const std::vector<Trigger>& triggers) override {
    const std::unique_ptr<bankml_grammar_options, void (*)(bankml_grammar_options*)> options(bankml_grammar_options_new(nullptr, 0),
                                                                                             bankml_grammar_options_free);
    const auto set = [&](bankml_status status) { check(status, bankml_grammar_options_error(options.get())); };
    for (const Trigger& trigger : triggers) {
      const int32_t kind = trigger.kind == "token"     ? BANKML_TRIGGER_TOKEN
                           : trigger.kind == "word"    ? BANKML_TRIGGER_WORD
                           : trigger.kind == "pattern" ? BANKML_TRIGGER_PATTERN
                                                       : BANKML_TRIGGER_PATTERN_FULL;
      set(bankml_grammar_options_set_number(options.get(), "lazy", 1));
      set(bankml_grammar_options_trigger(options.get(), kind, reinterpret_cast<const uint8_t*>(trigger.text.data()),
                                         trigger.text.size(), trigger.token));
    }
    return made([&](char* err, size_t cap) {
      return bankml_grammar_from_gbnf(as<bankml_vocab>(vocab), gbnf.data(), gbnf.size(), options.get(), err, cap);
    });
  }
  Handle schema(Handle vocab, const std::string& json) override {
    const std::unique_ptr<bankml_grammar_options, void (*)(bankml_grammar_options*)> options(bankml_grammar_options_new(nullptr, 0),
                                                                                             bankml_grammar_options_free);
    check(bankml_grammar_options_set_string(options.get(), "dialect", "llama"), bankml_grammar_options_error(options.get()));
    return made([&](char* err, size_t cap) {
      return bankml_grammar_from_schema(as<bankml_vocab>(vocab), json.data(), json.size(), options.get(), err, cap);
    });
  }
  std::vector<uint32_t> mask(Handle grammar) override {
    const uint32_t* words = nullptr;
    size_t n_words = 0;
    check_grammar(grammar, bankml_grammar_mask_ptr(as<bankml_grammar>(grammar), &words, &n_words));
    return std::vector<uint32_t>(words, words + n_words);
  }
  void advance(Handle grammar, int32_t token) override {
    check_grammar(grammar, bankml_grammar_accept(as<bankml_grammar>(grammar), token));
  }
  Drawn sample_constrained(Handle sampler, Handle grammar, const std::vector<float>& logits) override {
    int32_t token = -1, redrawn = 0;
    check_sampler(sampler, bankml_sampler_sample_constrained(as<bankml_sampler>(sampler), logits.data(), logits.size(),
                                                             as<bankml_grammar>(grammar), 0, &token, &redrawn));
    return {token, redrawn != 0};
  }

  void free_grammar(Handle grammar) noexcept override { bankml_grammar_free(as<bankml_grammar>(grammar)); }
  void free_params(Handle params) noexcept override { bankml_params_free(as<bankml_params>(params)); }
  void free_sampler(Handle sampler) noexcept override { bankml_sampler_free(as<bankml_sampler>(sampler)); }

 private:
  static void check_params(Handle params, bankml_status status) { check(status, bankml_params_error(as<bankml_params>(params))); }
  static void check_grammar(Handle grammar, bankml_status status) {
    check(status, bankml_grammar_error(as<bankml_grammar>(grammar)));
  }
  static void check_sampler(Handle sampler, bankml_status status) {
    check(status, bankml_sampler_error(as<bankml_sampler>(sampler)));
  }

  std::vector<Handle> vocabs_;
};

}  // namespace

std::unique_ptr<Library> c_library() { return std::make_unique<CLibrary>(); }

}  // namespace bankml::replay
