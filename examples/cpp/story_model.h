// The tiny model of examples/tiny-model in C++ dress: what the examples beside this file need from an engine.
#pragma once

#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "examples/tiny-model/tiny_model.h"

class Model {
 public:
  Model() {
    char err[256] = "";
    handle_.reset(tiny_model_load(nullptr, err, sizeof err));
    if (!handle_) throw std::runtime_error(err);
  }
  size_t n_vocab() const { return tiny_model_n_vocab(get()); }
  int32_t eos() const { return tiny_model_eos(get()); }
  std::string_view piece(int32_t token) const {
    size_t n = 0;
    const char* text = tiny_model_piece(get(), token, &n);
    return {text, n};
  }
  std::vector<int32_t> tokenize(std::string_view text) const {
    std::vector<int32_t> ids(text.size());
    ids.resize(tiny_model_tokenize(get(), text.data(), text.size(), ids.data(), ids.size()));
    return ids;
  }
  std::span<const std::byte> gguf() const {
    size_t n = 0;
    const void* bytes = tiny_model_gguf(get(), &n);
    return {static_cast<const std::byte*>(bytes), n};
  }
  const tiny_model* get() const { return handle_.get(); }

 private:
  struct Free {
    void operator()(tiny_model* m) const { tiny_model_free(m); }
  };
  std::unique_ptr<tiny_model, Free> handle_;
};

// One sequence. The logits are those of the next token; step() overwrites them.
class Context {
 public:
  explicit Context(const Model& model) : handle_(tiny_context_new(model.get())), n_vocab_(model.n_vocab()) {}
  std::span<const float> logits() const { return {tiny_context_logits(handle_.get()), n_vocab_}; }
  void step(int32_t token) { tiny_context_step(handle_.get(), token); }
  void eval(const std::vector<int32_t>& tokens) { tiny_context_eval(handle_.get(), tokens.data(), tokens.size()); }

 private:
  struct Free {
    void operator()(tiny_context* c) const { tiny_context_free(c); }
  };
  std::unique_ptr<tiny_context, Free> handle_;
  size_t n_vocab_;
};
