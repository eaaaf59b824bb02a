// The network: one gated recurrent layer between an embedding and the same embedding as output.
//
//   x = E[token];  a = W x + bw;  u = U h + bu           (three parts each: update z, reset r, new n)
//   z = sigmoid(a_z + u_z);  r = sigmoid(a_r + u_r);  n = tanh(a_n + r * u_n);  h = (1 - z) n + z h
//   logits = E h + b
//
// Why matrices are stored by column: y += column * x_j is a loop that every compiler turns into vector instructions without being
// allowed to reorder a float sum, so the logits do not depend on the compiler's taste. About 0.65 million multiplications a token.
// Source of the layer: K. Cho et al., "Learning Phrase Representations using RNN Encoder-Decoder" (2014), in the form where the
// reset gate acts after the product.
//
// Tested by examples/tiny-model/tiny_model_test.cpp
#include "examples/tiny-model/tiny_model.h"

#include <cmath>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>
#include <new>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "examples/tiny-model/gguf_file.h"
#include "examples/tiny-model/tokenizer.h"

extern "C" const uint8_t tiny_model_embedded[];  // embedded.cpp: the bytes of tiny-model.gguf
extern "C" const uint8_t tiny_model_embedded_end[];

namespace tiny {
namespace {

// A matrix of `rows` x `columns`, stored column after column.
struct Matrix {
  size_t rows = 0;
  std::vector<float> by_column;

  Matrix() = default;
  Matrix(const std::vector<float>& by_row, size_t rows_in) : rows(rows_in), by_column(by_row.size()) {
    const size_t columns = by_row.size() / rows;
    for (size_t r = 0; r < rows; ++r)
      for (size_t c = 0; c < columns; ++c) by_column[c * rows + r] = by_row[r * columns + c];
  }

  // y = start + M x
  void times(const float* __restrict x, size_t columns, const float* start, float* __restrict y) const {
    std::memcpy(y, start, rows * sizeof(float));
    for (size_t c = 0; c < columns; ++c) {
      const float* __restrict column = by_column.data() + c * rows;
      const float value = x[c];
      for (size_t r = 0; r < rows; ++r) y[r] += column[r] * value;
    }
  }
};

float sigmoid(float x) { return 1.0f / (1.0f + std::exp(-x)); }

std::vector<uint8_t> read_file(const char* path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error(std::string("cannot read '") + path + "'");
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

}  // namespace
}  // namespace tiny

struct tiny_model {
  std::vector<uint8_t> owned;  // the file, unless it is the embedded one
  std::span<const uint8_t> bytes;
  std::string name;
  size_t hidden, n_vocab;
  int32_t eos;
  std::unique_ptr<tiny::Tokenizer> tokenizer;
  std::vector<float> embedding;  // by token
  tiny::Matrix output, input, state;
  std::vector<float> output_bias, input_bias, state_bias;

  explicit tiny_model(const char* path)
      : owned(path == nullptr ? std::vector<uint8_t>() : tiny::read_file(path)),
        bytes(path == nullptr ? std::span<const uint8_t>(tiny_model_embedded, tiny_model_embedded_end)
                              : std::span<const uint8_t>(owned)) {
    const tiny::GgufFile file(bytes);
    const std::string kind = file.text("general.architecture");
    if (kind != "bankml-tiny-gru") throw std::runtime_error("the model's architecture is '" + kind + "', not 'bankml-tiny-gru'");
    name = file.text("general.name");
    const std::vector<std::string>& tokens = file.texts("tokenizer.ggml.tokens");
    n_vocab = tokens.size();
    const uint64_t width = file.number("bankml-tiny-gru.embedding_length"), end = file.number("tokenizer.ggml.eos_token_id");
    if (width == 0 || width > 4096 || n_vocab > (1u << 19) || end >= n_vocab)
      throw std::runtime_error("the model's sizes make no sense");
    hidden = static_cast<size_t>(width);
    eos = static_cast<int32_t>(end);
    tokenizer = std::make_unique<tiny::Tokenizer>(tokens, file.texts("tokenizer.ggml.merges"), eos);
    embedding = file.tensor("token_embd.weight", n_vocab * hidden);
    output = tiny::Matrix(embedding, n_vocab);
    input = tiny::Matrix(file.tensor("gru.input.weight", 3 * hidden * hidden), 3 * hidden);
    state = tiny::Matrix(file.tensor("gru.state.weight", 3 * hidden * hidden), 3 * hidden);
    output_bias = file.tensor("output.bias", n_vocab);
    input_bias = file.tensor("gru.input.bias", 3 * hidden);
    state_bias = file.tensor("gru.state.bias", 3 * hidden);
  }
};

struct tiny_context {
  const tiny_model* model;
  std::vector<float> h, a, u, logits;

  explicit tiny_context(const tiny_model* m) : model(m), h(m->hidden), a(3 * m->hidden), u(3 * m->hidden), logits(m->n_vocab) {
    reset();
  }

  void reset() {
    h.assign(h.size(), 0.0f);
    step(model->eos);  // a story starts where another one ended
  }

  // The layer alone; the output matrix is needed only where logits are wanted.
  void read(int32_t token) {
    const size_t n = model->hidden;
    model->input.times(model->embedding.data() + static_cast<size_t>(token) * n, n, model->input_bias.data(), a.data());
    model->state.times(h.data(), n, model->state_bias.data(), u.data());
    for (size_t i = 0; i < n; ++i) {
      const float z = tiny::sigmoid(a[i] + u[i]);
      const float r = tiny::sigmoid(a[n + i] + u[n + i]);
      const float fresh = std::tanh(a[2 * n + i] + r * u[2 * n + i]);
      h[i] = (1.0f - z) * fresh + z * h[i];
    }
  }

  void step(int32_t token) {
    read(token);
    model->output.times(h.data(), model->hidden, model->output_bias.data(), logits.data());
  }
};

extern "C" {

tiny_model* tiny_model_load(const char* path, char* err, size_t err_cap) {
  try {
    return new tiny_model(path);
  } catch (const std::exception& error) {
    if (err != nullptr && err_cap > 0) std::snprintf(err, err_cap, "%s", error.what());
    return nullptr;
  }
}

void tiny_model_free(tiny_model* m) { delete m; }

const char* tiny_model_name(const tiny_model* m) { return m->name.c_str(); }

const void* tiny_model_gguf(const tiny_model* m, size_t* n) {
  *n = m->bytes.size();
  return m->bytes.data();
}

size_t tiny_model_n_vocab(const tiny_model* m) { return m->n_vocab; }

int32_t tiny_model_eos(const tiny_model* m) { return m->eos; }

const char* tiny_model_piece(const tiny_model* m, int32_t token, size_t* n) {
  *n = 0;
  if (token < 0 || static_cast<size_t>(token) >= m->n_vocab) return nullptr;
  const std::string& piece = m->tokenizer->piece(token);
  *n = piece.size();
  return piece.data();
}

size_t tiny_model_tokenize(const tiny_model* m, const char* text, size_t n, int32_t* out, size_t cap) {
  const std::vector<int32_t> tokens = m->tokenizer->encode({text, n});
  for (size_t i = 0; i < tokens.size() && i < cap; ++i) out[i] = tokens[i];
  return tokens.size();
}

tiny_context* tiny_context_new(const tiny_model* m) {
  try {
    return new tiny_context(m);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

void tiny_context_free(tiny_context* c) { delete c; }

void tiny_context_reset(tiny_context* c) { c->reset(); }

const float* tiny_context_step(tiny_context* c, int32_t token) {
  c->step(token);
  return c->logits.data();
}

const float* tiny_context_eval(tiny_context* c, const int32_t* tokens, size_t n) {
  for (size_t i = 0; i + 1 < n; ++i) c->read(tokens[i]);
  return n == 0 ? c->logits.data() : tiny_context_step(c, tokens[n - 1]);
}

const float* tiny_context_logits(const tiny_context* c) { return c->logits.data(); }

}  // extern "C"
