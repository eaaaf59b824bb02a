/* A tour in C through the public header: a model's text, then the chain at work, one request after the other.
 *
 * For each request: the steps that are on, how many candidates survive them (mean and the range over the draws), the text, and how
 * little time drawing takes. scripts/demo builds and runs it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bankml.h"
#include "examples/tiny-model/tiny_model.h"

enum { WIDTH = 96, MAX_PROMPT = 256 };

static void stop(const char* what, const char* why) {
  fprintf(stderr, "%s: %s\n", what, why);
  exit(1);
}

/* Prints a text in lines of WIDTH columns, broken at spaces. */
static void print_wrapped(const char* text) {
  while (*text != 0) {
    size_t n = strlen(text);
    if (n > WIDTH) {
      n = WIDTH;
      while (n > 0 && text[n] != ' ') --n;
      if (n == 0) n = WIDTH;
    }
    printf("    %.*s\n", (int)n, text);
    text += n;
    while (*text == ' ') ++text;
  }
}

/* Draws up to n_tokens after the prompt and prints what happened. The request is a body as llama-server takes it. */
static void show(const tiny_model* model, const bankml_vocab* vocab, const char* title, const char* request, const char* prompt,
                 int n_tokens) {
  char err[256] = "";
  int32_t ids[MAX_PROMPT], token = -1;
  size_t gguf_size = 0, length, survivors, fewest = SIZE_MAX, most = 0, sum = 0, draws = 0, n_vocab = tiny_model_n_vocab(model);
  const void* gguf = tiny_model_gguf(model, &gguf_size);

  bankml_params* params = bankml_params_new(NULL, err, sizeof err);
  if (params == NULL) stop("params", err);
  if (bankml_params_load_gguf_bytes(params, gguf, gguf_size) != BANKML_OK ||
      bankml_params_load_json(params, "llama-server", request, strlen(request)) != BANKML_OK)
    stop("request", bankml_params_error(params));
  bankml_sampler* sampler = bankml_sampler_new(params, vocab, 0, err, sizeof err);
  if (sampler == NULL) stop("sampler", err);
  bankml_sampler_keep(sampler, 1);
  bankml_sampler_clock(sampler, 1);

  printf("%s\n  request  %s\n  steps   ", title, request);
  for (size_t i = 0; i < bankml_sampler_step_count(sampler); ++i) printf(" %s", bankml_sampler_step_name(sampler, i));
  printf("\n");

  tiny_context* context = tiny_context_new(model);
  size_t n_prompt = tiny_model_tokenize(model, prompt, strlen(prompt), ids, MAX_PROMPT), used = strlen(prompt);
  if (context == NULL || n_prompt > MAX_PROMPT) stop("prompt", "too long");
  bankml_sampler_accept_many(sampler, ids, n_prompt);
  const float* logits = tiny_context_eval(context, ids, n_prompt);
  char* text = malloc(used + (size_t)n_tokens * 64 + 1);
  if (text == NULL) stop("text", "no memory");
  memcpy(text, prompt, used);
  for (; draws < (size_t)n_tokens; ++draws) {
    if (bankml_sampler_sample(sampler, logits, n_vocab, &token) != BANKML_OK) stop("sample", bankml_sampler_error(sampler));
    bankml_sampler_candidates(sampler, NULL, 0, &survivors);
    sum += survivors;
    fewest = survivors < fewest ? survivors : fewest;
    most = survivors > most ? survivors : most;
    bankml_sampler_accept(sampler, token);
    if (token == tiny_model_eos(model)) {
      ++draws;
      break;
    }
    const char* piece = tiny_model_piece(model, token, &length);
    for (size_t i = 0; i < length && i < 64; ++i) text[used++] = piece[i] == '\n' ? ' ' : piece[i];
    logits = tiny_context_step(context, token);
  }
  text[used] = 0;

  bankml_perf perf;
  memset(&perf, 0, sizeof perf);
  perf.struct_size = sizeof perf;
  bankml_sampler_perf(sampler, &perf, 0);
  printf("  left     %.1f of %zu candidates a draw (%zu to %zu), %.2f us a draw\n", (double)sum / (double)draws, n_vocab, fewest,
         most, perf.sample_us / (double)draws);
  print_wrapped(text);
  printf("\n");

  free(text);
  tiny_context_free(context);
  bankml_sampler_free(sampler);
  bankml_params_free(params);
}

int main(void) {
  char err[256] = "";
  size_t n = 0;
  tiny_model* model = tiny_model_load(NULL, err, sizeof err);
  if (model == NULL) stop("model", err);
  const void* gguf = tiny_model_gguf(model, &n);
  bankml_vocab* vocab = bankml_vocab_from_gguf_bytes(gguf, n, err, sizeof err);
  if (vocab == NULL) stop("vocabulary", err);
  printf("bankml %s on %s; model: %s, %zu KB, %zu tokens\n\n", bankml_version_string(), bankml_cpu_name(), tiny_model_name(model),
         n / 1000, bankml_vocab_size(vocab));

  show(model, vocab, "Default: what the model file asks for", "{\"seed\": 42}", "Once upon a time", 110);
  show(model, vocab, "Greedy: always the best token; small models get stuck", "{\"temperature\": 0}",
       "\"I have seen the map,\" said the hen.", 70);
  show(model, vocab, "DRY: the same, but a repeated phrase costs more with every token",
       "{\"temperature\": 0, \"dry_multiplier\": 0.8}", "\"I have seen the map,\" said the hen.", 70);
  show(model, vocab, "Mirostat 2: as many candidates as keep the surprise at 3 bits",
       "{\"seed\": 42, \"temperature\": 1, \"mirostat\": 2, \"mirostat_tau\": 3}", "Once upon a time", 70);
  show(model, vocab, "No truncation at all, temperature 1.5",
       "{\"seed\": 42, \"temperature\": 1.5, \"top_k\": 0, \"top_p\": 1, \"min_p\": 0}", "Once upon a time", 40);

  bankml_vocab_free(vocab);
  tiny_model_free(model);
  return 0;
}
