/* The example language model: text in, logits out. Example code, not part of the library.
 *
 * A model is read-only once loaded and may be shared by any number of threads; a context (the state of one sequence) belongs to one
 * thread at a time. Functions that return pointers lend them; nothing but a model and a context is to be freed.
 * See README.md for what the model is, and examples/c for how bankml is used with it.
 *
 * Tested by examples/tiny-model/tiny_model_test.cpp */
#ifndef BANKML_EXAMPLES_TINY_MODEL_H
#define BANKML_EXAMPLES_TINY_MODEL_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tiny_model tiny_model;
typedef struct tiny_context tiny_context;

/* path NULL: the model that is embedded in this program. NULL on failure, with the reason in err (err_cap bytes, may be 0). */
tiny_model* tiny_model_load(const char* path, char* err, size_t err_cap);
void tiny_model_free(tiny_model* m); /* NULL is fine; contexts of the model go first */

const char* tiny_model_name(const tiny_model* m);            /* general.name of the file */
const void* tiny_model_gguf(const tiny_model* m, size_t* n); /* the file's bytes, for bankml_vocab_from_gguf_bytes */
size_t tiny_model_n_vocab(const tiny_model* m);
int32_t tiny_model_eos(const tiny_model* m);
/* Bytes of a token, not zero-terminated; the end token is rendered as nothing. NULL and 0 outside the vocabulary. */
const char* tiny_model_piece(const tiny_model* m, int32_t token, size_t* n);
/* Tokens of a text (no specials). Returns their number; at most cap are written. */
size_t tiny_model_tokenize(const tiny_model* m, const char* text, size_t n, int32_t* out, size_t cap);

tiny_context* tiny_context_new(const tiny_model* m); /* at the start of a story; NULL without memory */
void tiny_context_free(tiny_context* c);
void tiny_context_reset(tiny_context* c); /* back to the start of a story */
/* Reads one token (in range), or n of them, and returns the logits of the next: tiny_model_n_vocab floats, overwritten by the next
 * call on this context. */
const float* tiny_context_step(tiny_context* c, int32_t token);
const float* tiny_context_eval(tiny_context* c, const int32_t* tokens, size_t n);
const float* tiny_context_logits(const tiny_context* c); /* those of the last call; at the start, of a story's first token */

#ifdef __cplusplus
}
#endif

#endif
