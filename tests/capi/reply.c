/* Replies over the C ABI: from token_probs and post_probs to the JSON, parts of a stream, refusals. */
#include "fixtures.h"

static bankml_vocab* vocab;

static bankml_reply* reply_of(const char* format, uint32_t flags) {
  char err[256] = "";
  bankml_reply* r = bankml_reply_new(format, vocab, flags, err, sizeof err);
  if (r == NULL) printf("reply_new: %s\n", err);
  CHECK(r != NULL);
  return r;
}

static void writes(bankml_reply* r, const char* expected) {
  char out[2048];
  size_t needed = 0;
  STATUS(BANKML_OK, bankml_reply_json(r, out, sizeof out, &needed));
  CHECK(needed == strlen(expected) + 1);
  if (!CHECK(strcmp(out, expected) == 0)) printf("%s\n", out);
}

static void from_a_row(void) {
  static float logits[fixture_vocab_size];
  bankml_sampler* s = sampler_of("{\"top_k\": 2, \"temperature\": 1.0}", vocab, 0);
  bankml_token_prob top[2];
  size_t i, count = 0;
  float p = -1;
  int32_t token = -1;
  bankml_reply* r = reply_of("llama-server", 0);
  for (i = 0; i < fixture_vocab_size; ++i) logits[i] = -1000; /* underflows: p is zero */
  logits['a'] = 3;
  logits[256] = 3;
  OK(s, bankml_sampler_token_probs(s, logits, fixture_vocab_size, 0, 2, top, 2, &count, &p));
  STATUS(BANKML_OK, bankml_reply_add(r, 0, p, top, count, NULL, 0));
  writes(r,
         "[{\"id\":0,\"token\":\"\\u0000\",\"bytes\":[0],\"logprob\":-3.4028234663852886e+38,\"top_logprobs\":["
         "{\"id\":256,\"token\":\"\\n\\n\",\"bytes\":[10,10],\"logprob\":-0.6931471824645996},"
         "{\"id\":97,\"token\":\"a\",\"bytes\":[97],\"logprob\":-0.6931471824645996}]}]");
  bankml_reply_free(r);

  OK(s, bankml_sampler_keep(s, 1));
  OK(s, bankml_sampler_sample(s, logits, fixture_vocab_size, &token));
  OK(s, bankml_sampler_post_probs(s, 2, top, 2, &count));
  CHECK(count == 2);
  r = reply_of("llama-server", BANKML_REPLY_POST_SAMPLING);
  STATUS(BANKML_OK, bankml_reply_add(r, 97, 0.5f, top, count, NULL, 0));
  writes(r,
         "[{\"id\":97,\"token\":\"a\",\"bytes\":[97],\"prob\":0.5,\"top_probs\":["
         "{\"id\":256,\"token\":\"\\n\\n\",\"bytes\":[10,10],\"prob\":0.5},"
         "{\"id\":97,\"token\":\"a\",\"bytes\":[97],\"prob\":0.5}]}]");
  bankml_reply_free(r);
  bankml_sampler_free(s);
}

static void formats(void) {
  static const bankml_token_prob top[1] = {{'b', 0.25f}};
  bankml_reply* r = reply_of("llama-server-chat", BANKML_REPLY_SPECIAL);
  STATUS(BANKML_OK, bankml_reply_add(r, fixture_eos, 1, NULL, 0, NULL, 0));
  writes(r, "{\"content\":[{\"id\":257,\"token\":\"</s>\",\"bytes\":[60,47,115,62],\"logprob\":0.0,\"top_logprobs\":[]}]}");
  bankml_reply_free(r);
  r = reply_of("openai-chat", 0);
  STATUS(BANKML_OK, bankml_reply_add(r, 0xF0, 0, top, 1, NULL, 0));
  writes(r,
         "{\"content\":[{\"token\":\"\\\\xf0\",\"logprob\":-9999.0,\"bytes\":[240],\"top_logprobs\":["
         "{\"token\":\"b\",\"logprob\":-1.3862944,\"bytes\":[98]}]}],\"refusal\":null}");
  bankml_reply_free(r);
}

static void parts_of_a_stream(void) {
  bankml_reply* r = reply_of("openai-completions", 0);
  STATUS(BANKML_OK, bankml_reply_text_offset(r, 10));
  STATUS(BANKML_OK, bankml_reply_add(r, 256, 1, NULL, 0, NULL, 0));
  writes(r, "{\"tokens\":[\"\\n\\n\"],\"token_logprobs\":[0.0],\"top_logprobs\":[{\"\\n\\n\":0.0}],\"text_offset\":[10]}");
  STATUS(BANKML_OK, bankml_reply_clear(r));
  STATUS(BANKML_OK, bankml_reply_add(r, 'a', 0.5f, NULL, 0, (const uint8_t*)"", 0));
  writes(r, "{\"tokens\":[\"\"],\"token_logprobs\":[-0.6931472],\"top_logprobs\":[{\"\":-0.6931472}],\"text_offset\":[12]}");
  bankml_reply_free(r);
}

static void refusals(void) {
  static const bankml_token_prob bad = {-1, 0.5f};
  char err[256] = "", out[4];
  size_t needed = 0;
  bankml_reply* r = reply_of("llama-server", 0);
  CHECK(bankml_reply_new("openai", vocab, 0, err, sizeof err) == NULL);
  SAYS(err, "unknown format 'openai'");
  CHECK(bankml_reply_new(NULL, vocab, 0, err, sizeof err) == NULL);
  CHECK(bankml_reply_new("llama-server", NULL, 0, err, sizeof err) == NULL);
  SAYS(err, "vocab is NULL");
  CHECK(bankml_reply_new("llama-server", vocab, 8, err, sizeof err) == NULL);
  CHECK(bankml_reply_new("openai-chat", vocab, BANKML_REPLY_POST_SAMPLING, err, sizeof err) == NULL);
  SAYS(err, "after sampling");
  STATUS(BANKML_TOKEN, bankml_reply_add(r, -1, 0.5f, NULL, 0, NULL, 0));
  STATUS(BANKML_TOKEN, bankml_reply_add(r, 0, 0.5f, &bad, 1, NULL, 0));
  STATUS(BANKML_ARG, bankml_reply_add(r, 0, 1.5f, NULL, 0, NULL, 0));
  SAYS(bankml_reply_error(r), "p of token 0 is 1.5, outside [0, 1]");
  STATUS(BANKML_ARG, bankml_reply_add(r, 0, 0.5f, NULL, 1, NULL, 0));
  STATUS(BANKML_ARG, bankml_reply_add(r, 0, 0.5f, NULL, 0, NULL, 1));
  STATUS(BANKML_ARG, bankml_reply_add(NULL, 0, 0.5f, NULL, 0, NULL, 0));
  STATUS(BANKML_ARG, bankml_reply_json(NULL, out, sizeof out, &needed));
  STATUS(BANKML_ARG, bankml_reply_clear(NULL));
  STATUS(BANKML_ARG, bankml_reply_text_offset(NULL, 1));
  SAYS(bankml_reply_error(NULL), "NULL");
  STATUS(BANKML_BUFFER, bankml_reply_json(r, out, 2, &needed));
  CHECK(needed == 3);
  writes(r, "[]");
  bankml_reply_free(r);
  bankml_reply_free(NULL);
}

int main(void) {
  vocab = vocab_of_bytes();
  from_a_row();
  formats();
  parts_of_a_stream();
  refusals();
  bankml_vocab_free(vocab);
  return report();
}
