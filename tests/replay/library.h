// The library as the recorded cases see it, whoever provides it: the C ABI in this process, or a program in another language that
// speaks the adapter protocol (README.md) over its own binding. So every language runs the same cases through the same comparison.
//
// Handles are numbers of the provider; 0 stands for "none". One object serves one thread.
// Tested by tests/vectors, run through it.
#pragma once

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "bankml.h"

namespace bankml::replay {

// The library refused a call: its status and its text.
struct Refused : std::runtime_error {
  Refused(bankml_status code, const std::string& text) : std::runtime_error(text), status(code) {}
  bankml_status status;
};

class Library {
 public:
  using Handle = uint64_t;
  struct VocabInfo {
    size_t size;
    int32_t eos, eot, bos;
  };
  struct Piece {
    std::string bytes;
    uint32_t flags;
  };
  struct Parameter {
    std::string name, default_json;
  };
  struct OpenText {
    std::string bytes, purpose;
  };
  struct Probs {
    std::vector<bankml_token_prob> top;
    float sampled_p;
  };
  struct Sampler {
    Handle handle;
    size_t n_vocab;
  };
  using Tokens = std::vector<int32_t>;

  virtual ~Library() = default;
  virtual std::string name() = 0;  // language and version

  virtual Handle vocab(const std::string& path) = 0;
  virtual VocabInfo vocab_info(Handle vocab) = 0;
  virtual Piece piece(Handle vocab, int32_t token) = 0;
  virtual Tokens tokenize(Handle vocab, const std::string& bytes) = 0;

  virtual Handle params() = 0;
  virtual void set(Handle params, const std::string& name, const std::string& json_text) = 0;
  virtual void load(Handle params, const std::string& format, const std::string& text) = 0;
  virtual std::string get(Handle params, const std::string& name) = 0;
  virtual double number(Handle params, const std::string& name) = 0;
  virtual std::vector<Parameter> table() = 0;
  virtual std::vector<OpenText> texts(Handle params, Handle vocab) = 0;
  virtual void answer(Handle params, size_t i, const Tokens& tokens) = 0;

  virtual Sampler sampler(Handle params, Handle vocab, size_t n_vocab) = 0;
  virtual void keep(Handle sampler) = 0;
  virtual void accept(Handle sampler, const Tokens& tokens) = 0;
  virtual int32_t sample(Handle sampler, const std::vector<float>& logits) = 0;
  virtual std::vector<bankml_candidate> candidates(Handle sampler) = 0;
  virtual Probs probs(Handle sampler, int32_t sampled, size_t n_top, const std::vector<float>& logits) = 0;

  struct Drawn {
    int32_t token;
    bool redrawn;
  };
  // What wakes a lazy grammar. kind: "token", "word", "pattern" or "pattern_full"; text: of the others than token.
  struct Trigger {
    std::string kind, text;
    int32_t token;
  };
  // Lazy if there are triggers.
  virtual Handle grammar(Handle vocab, const std::string& gbnf, const std::vector<Trigger>& triggers = {}) = 0;
  virtual Handle schema(Handle vocab, const std::string& json) = 0;  // dialect llama
  virtual std::vector<uint32_t> mask(Handle grammar) = 0;
  virtual void advance(Handle grammar, int32_t token) = 0;
  virtual Drawn sample_constrained(Handle sampler, Handle grammar, const std::vector<float>& logits) = 0;

  virtual void free_grammar(Handle grammar) noexcept = 0;

  // The opening that the sampler's draws take; "" if the provider does not tell.
  virtual std::string plan(Handle) { return ""; }

  virtual void free_params(Handle params) noexcept = 0;
  virtual void free_sampler(Handle sampler) noexcept = 0;
};

// Frees the handle it holds.
template <void (Library::*Free)(Library::Handle) noexcept>
class Owned {
 public:
  Owned(Library& library, Library::Handle handle) : library_(library), handle_(handle) {}
  Owned(const Owned&) = delete;
  Owned& operator=(const Owned&) = delete;
  ~Owned() {
    if (handle_ != 0) (library_.*Free)(handle_);  // 0: none
  }
  Library::Handle get() const { return handle_; }

 private:
  Library& library_;
  Library::Handle handle_;
};
using OwnedGrammar = Owned<&Library::free_grammar>;
using OwnedParams = Owned<&Library::free_params>;
using OwnedSampler = Owned<&Library::free_sampler>;

std::unique_ptr<Library> c_library();
// Starts `command` through the shell. Throws std::runtime_error if it cannot be started or does not answer.
std::unique_ptr<Library> adapter(const std::string& command);

}  // namespace bankml::replay
