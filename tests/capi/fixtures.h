/* What the test programs work on: rows of logits, params, a vocabulary, a model file in memory. Static functions only. */
#ifndef BANKML_TESTS_CAPI_FIXTURES_H
#define BANKML_TESTS_CAPI_FIXTURES_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

/* Bell-shaped logits from splitmix64: exact in float, equal on every machine. */
static inline void fill_logits(float* logits, size_t n, uint64_t seed) {
  size_t i;
  for (i = 0; i < n; ++i) {
    uint64_t x;
    seed += 0x9E3779B97F4A7C15u;
    x = seed;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    x ^= x >> 31;
    logits[i] = (float)((int64_t)((x & 0xFFFF) + ((x >> 16) & 0xFFFF) + ((x >> 32) & 0xFFFF) + (x >> 48)) - 131070) / 16384.0f;
  }
}

static inline int32_t best_of(const float* logits, size_t n) {
  size_t i, best = 0;
  for (i = 1; i < n; ++i) {
    if (logits[i] > logits[best]) best = i;
  }
  return (int32_t)best;
}

/* Params of the profile `llama` from a request body; NULL body = defaults. Seeds are given, so that draws replay. */
static inline bankml_params* params_of(const char* request) {
  char err[256];
  bankml_params* p = bankml_params_new(NULL, err, sizeof err);
  if (!CHECK(p != NULL)) return NULL;
  PARAM_OK(p, bankml_params_set_number(p, "seed", 42));
  if (request != NULL) PARAM_OK(p, bankml_params_load_json(p, "llama-server", request, strlen(request)));
  return p;
}

static inline bankml_sampler* sampler_of(const char* request, const bankml_vocab* vocab, size_t n_vocab) {
  char err[256] = "";
  bankml_params* p = params_of(request);
  bankml_sampler* s;
  if (vocab == NULL) PARAM_OK(p, bankml_params_set_json(p, "dry_sequence_breakers", "[]", 2)); /* breakers need pieces */
  s = bankml_sampler_new(p, vocab, n_vocab, err, sizeof err);
  if (s == NULL) printf("sampler_new: %s\n", err);
  CHECK(s != NULL);
  bankml_params_free(p);
  return s;
}

/* 256 byte tokens, "\n\n" as 256, an end-of-generation token 257 and a control token 258. */
enum { fixture_eos = 257, fixture_vocab_size = 259 };
static inline bankml_vocab* vocab_of_bytes(void) {
  uint8_t bytes[512];
  size_t offsets[fixture_vocab_size + 1];
  uint32_t flags[fixture_vocab_size];
  char err[256] = "";
  size_t i, end = 0;
  bankml_vocab* v;
  for (i = 0; i < 256; ++i) {
    offsets[i] = end;
    bytes[end++] = (uint8_t)i;
    flags[i] = 0;
  }
  offsets[256] = end;
  memcpy(bytes + end, "\n\n", 2), end += 2;
  flags[256] = 0;
  offsets[257] = end;
  memcpy(bytes + end, "</s>", 4), end += 4;
  flags[257] = BANKML_TOKEN_CONTROL | BANKML_TOKEN_EOG;
  offsets[258] = end;
  memcpy(bytes + end, "<s>", 3), end += 3;
  flags[258] = BANKML_TOKEN_CONTROL;
  offsets[259] = end;
  v = bankml_vocab_new(bytes, offsets, flags, fixture_vocab_size, fixture_eos, -1, err, sizeof err);
  if (v == NULL) printf("vocab_new: %s\n", err);
  return v;
}

/* A GGUF file in memory: sampling defaults and a SentencePiece vocabulary of 3 specials, 256 byte tokens and a few pieces. */
typedef struct gguf_bytes {
  uint8_t data[32768];
  size_t len;
} gguf_bytes;

static inline void gguf_number(gguf_bytes* g, uint64_t value, int width) { /* little-endian on every machine */
  int i;
  for (i = 0; i < width; ++i) g->data[g->len++] = (uint8_t)(value >> (8 * i));
}
static inline void gguf_text(gguf_bytes* g, const char* text) {
  const size_t len = strlen(text);
  gguf_number(g, len, 8);
  memcpy(g->data + g->len, text, len);
  g->len += len;
}
static inline void gguf_float(gguf_bytes* g, float value) {
  uint32_t bits;
  memcpy(&bits, &value, 4);
  gguf_number(g, bits, 4);
}
enum { gguf_u32 = 4, gguf_i32 = 5, gguf_f32 = 6, gguf_bool = 7, gguf_string = 8, gguf_array = 9 };
static inline void gguf_key(gguf_bytes* g, const char* key, uint32_t type) {
  gguf_text(g, key);
  gguf_number(g, type, 4);
}

enum { gguf_specials = 3, gguf_words = 5, gguf_vocab_size = gguf_specials + 256 + gguf_words };
static const char* const gguf_word_list[gguf_words] = {"\xE2\x96\x81", "a", "b", "ab",
                                                       "\xE2\x96\x81"
                                                       "ab"};

static inline void build_gguf(gguf_bytes* g) {
  int i;
  char text[16];
  g->len = 0;
  memcpy(g->data, "GGUF", 4), g->len = 4;
  gguf_number(g, 3, 4);  /* version */
  gguf_number(g, 0, 8);  /* tensors */
  gguf_number(g, 11, 8); /* keys */
  gguf_key(g, "general.architecture", gguf_string), gguf_text(g, "llama");
  gguf_key(g, "general.sampling.temp", gguf_f32), gguf_float(g, 0.25f);
  gguf_key(g, "general.sampling.top_k", gguf_i32), gguf_number(g, 7, 4);
  gguf_key(g, "general.sampling.top_p", gguf_string), gguf_text(g, "wrong type");
  gguf_key(g, "tokenizer.ggml.model", gguf_string), gguf_text(g, "llama");
  gguf_key(g, "tokenizer.ggml.bos_token_id", gguf_u32), gguf_number(g, 1, 4);
  gguf_key(g, "tokenizer.ggml.eos_token_id", gguf_u32), gguf_number(g, 2, 4);
  gguf_key(g, "tokenizer.ggml.add_space_prefix", gguf_bool), gguf_number(g, 1, 1);
  gguf_key(g, "tokenizer.ggml.tokens", gguf_array), gguf_number(g, gguf_string, 4), gguf_number(g, gguf_vocab_size, 8);
  gguf_text(g, "<unk>"), gguf_text(g, "<s>"), gguf_text(g, "</s>");
  for (i = 0; i < 256; ++i) {
    snprintf(text, sizeof text, "<0x%02X>", i);
    gguf_text(g, text);
  }
  for (i = 0; i < gguf_words; ++i) gguf_text(g, gguf_word_list[i]);
  gguf_key(g, "tokenizer.ggml.scores", gguf_array), gguf_number(g, gguf_f32, 4), gguf_number(g, gguf_vocab_size, 8);
  for (i = 0; i < gguf_vocab_size; ++i) gguf_float(g, i < gguf_specials + 256 ? 0.0f : (float)-(i - 300) / 16.0f);
  gguf_key(g, "tokenizer.ggml.token_type", gguf_array), gguf_number(g, gguf_i32, 4), gguf_number(g, gguf_vocab_size, 8);
  for (i = 0; i < gguf_vocab_size; ++i) gguf_number(g, i == 0 ? 2 : i < 3 ? 3 : i < gguf_specials + 256 ? 6 : 1, 4);
}

#endif
