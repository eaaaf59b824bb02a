/* Params: setters, requests, model defaults, origins, warnings, texts that need tokens; and what they refuse. */
#include <math.h>

#include "fixtures.h"

static double number(const bankml_params* p, const char* name) {
  double value = -999;
  PARAM_OK(p, bankml_params_get_number(p, name, &value));
  return value;
}

static int json_is(const bankml_params* p, const char* name, const char* expected) {
  char text[4096] = "";
  size_t needed = 0;
  PARAM_OK(p, bankml_params_get_json(p, name, text, sizeof text, &needed));
  if (strcmp(text, expected) != 0) printf("%s is %s, not %s\n", name, text, expected);
  return strcmp(text, expected) == 0 && needed == strlen(expected) + 1;
}

static void setters(void) {
  char err[256] = "";
  bankml_params *p = bankml_params_new(NULL, err, sizeof err), *copy;
  CHECK(strcmp(bankml_params_error(p), "") == 0);
  CHECK(number(p, "top_k") == 40 && (float)number(p, "temperature") == 0.8f);
  PARAM_OK(p, bankml_params_set_number(p, "temperature", 0.5));
  PARAM_OK(p, bankml_params_set_number(p, "top_k", 12));
  PARAM_OK(p, bankml_params_set_number(p, "seed", 4294967295.0));
  CHECK(number(p, "temperature") == 0.5 && number(p, "top_k") == 12 && number(p, "seed") == 4294967295.0);
  CHECK(strcmp(bankml_params_origin(p, "temperature"), "set") == 0);
  CHECK(strcmp(bankml_params_origin(p, "min_p"), "default") == 0);
  CHECK(bankml_params_origin(p, "no_such_parameter") == NULL);
  PARAM_OK(p, bankml_params_set_json(p, "top_p", "0.25", 4));
  CHECK(number(p, "top_p") == 0.25 && json_is(p, "top_p", "0.25"));
  PARAM_OK(p, bankml_params_set_json(p, "logit_bias", "[[5,-1.5],[6,false]]", 20));
  PARAM_OK(p, bankml_params_set_json(p, "dry_sequence_breakers", "[]", 2));
  CHECK(json_is(p, "dry_sequence_breakers", "[]"));
  PARAM_OK(p, bankml_params_set_json(p, "dry_breaker_tokens", "[[1],[2,3]]", 11));
  PARAM_OK(p, bankml_params_set_string(p, "samplers", "kt"));
  PARAM_OK(p, bankml_params_set_string(p, "samplers", "top_k;temperature"));
  CHECK(json_is(p, "samplers", "[\"top_k\",\"temperature\"]"));
  copy = bankml_params_clone(p, err, sizeof err);
  CHECK(copy != NULL);
  PARAM_OK(p, bankml_params_set_number(p, "top_k", 3));
  CHECK(number(copy, "top_k") == 12 && number(copy, "top_p") == 0.25);
  bankml_params_free(copy);
  bankml_params_free(p);
  bankml_params_free(NULL);
}

/* Sizes, cuts and the whole set as one object. */
static void texts_out(void) {
  char small[4] = "zzz", *all;
  size_t needed = 0;
  bankml_params* p = params_of(NULL);
  STATUS(BANKML_BUFFER, bankml_params_to_json(p, NULL, 0, &needed));
  CHECK(needed > 100);
  STATUS(BANKML_BUFFER, bankml_params_to_json(p, small, sizeof small, NULL));
  STATUS(BANKML_BUFFER, bankml_params_get_json(p, "samplers", small, sizeof small, &needed));
  all = malloc(needed + 4096);
  PARAM_OK(p, bankml_params_to_json(p, all, needed + 4096, &needed));
  CHECK(all[0] == '{' && strlen(all) + 1 == needed && strstr(all, "\"temperature\":0.8") != NULL);
  free(all);
  bankml_params_free(p);
}

/* One bad setting of each kind: ARG, a text with name and value, the value in force unchanged. */
static void refusals(void) {
  static const struct {
    const char* name;
    double value;
    const char* shown;
  } bad[] = {
      {"temperature", NAN, "nan"},
      {"temperature", INFINITY, "inf"},
      {"top_p", -INFINITY, "inf"},
      {"top_k", 1.5, "1.5"},
      {"min_keep", -1, "-1"},
      {"repeat_penalty", 0, "0"},
      {"repeat_penalty", -2, "-2"},
      {"repeat_penalty", 1e-39, "e-39"},
      {"dry_penalty_last_n", -2, "-2"},
      {"repeat_last_n", -2, "-2"},
      {"dry_allowed_length", -1, "-1"},
      {"adaptive_decay", 0.995, "0.995"},
      {"adaptive_decay", -0.5, "-0.5"},
      {"top_k", 1e12, "1e+12"},
      {"seed", -2, "-2"},
      {"temperature", 1e300, "1e+300"},
      {"ignore_eos", 2, "2"},
  };
  char before[8192], after[8192];
  size_t i;
  bankml_params* p = params_of("{\"temperature\": 0.5}");
  PARAM_OK(p, bankml_params_to_json(p, before, sizeof before, NULL));
  for (i = 0; i < sizeof bad / sizeof bad[0]; ++i) {
    if (!STATUS(BANKML_ARG, bankml_params_set_number(p, bad[i].name, bad[i].value)))
      printf("  %s = %g\n", bad[i].name, bad[i].value);
    SAYS(bankml_params_error(p), bad[i].name);
    SAYS(bankml_params_error(p), bad[i].shown);
  }
  STATUS(BANKML_ARG, bankml_params_set_number(p, "temprature", 1));
  SAYS(bankml_params_error(p), "temprature");
  STATUS(BANKML_ARG, bankml_params_set_number(p, "samplers", 1));
  SAYS(bankml_params_error(p), "samplers");
  STATUS(BANKML_ARG, bankml_params_set_string(p, "samplers", "top_k;top_q"));
  SAYS(bankml_params_error(p), "top_q");
  STATUS(BANKML_ARG, bankml_params_set_json(p, "logit_bias", "[[1,\"x\"]]", 9));
  SAYS(bankml_params_error(p), "logit_bias");
  STATUS(BANKML_PARSE, bankml_params_set_json(p, "logit_bias", "[[1,", 4));
  SAYS(bankml_params_error(p), "logit_bias");
  STATUS(BANKML_PARSE, bankml_params_load_json(p, "llama-server", "{\"top_k\": 3,", 12));
  CHECK(*bankml_params_error(p) != '\0');
  STATUS(BANKML_ARG, bankml_params_load_json(p, "lama-server", "{}", 2));
  SAYS(bankml_params_error(p), "lama-server");
  STATUS(BANKML_IO, bankml_params_load_gguf(p, "/no/such/model.gguf"));
  SAYS(bankml_params_error(p), "/no/such/model.gguf");
  STATUS(BANKML_PARSE, bankml_params_load_gguf_bytes(p, "GGXX", 4));
  STATUS(BANKML_PARSE, bankml_params_load_gguf_bytes(p, "", 0));
  PARAM_OK(p, bankml_params_to_json(p, after, sizeof after, NULL));
  CHECK(strcmp(before, after) == 0);
  PARAM_OK(p, bankml_params_set_number(p, "top_k", 3));
  CHECK(strcmp(bankml_params_error(p), "") == 0);
  bankml_params_free(p);
}

static void null_arguments(void) {
  char err[64] = "", text[16];
  double value;
  size_t count, len;
  const uint8_t* bytes;
  const char* purpose;
  bankml_params* p = params_of(NULL);
  CHECK(bankml_params_new("lama", err, sizeof err) == NULL);
  SAYS(err, "lama");
  CHECK(bankml_params_new("lama", NULL, 0) == NULL);
  CHECK(bankml_params_new("lama", err, 4) == NULL && strlen(err) == 3);
  CHECK(bankml_params_clone(NULL, err, sizeof err) == NULL && *err != '\0');
  STATUS(BANKML_ARG, bankml_params_set_number(NULL, "top_k", 1));
  STATUS(BANKML_ARG, bankml_params_set_number(p, NULL, 1));
  STATUS(BANKML_ARG, bankml_params_set_string(NULL, "samplers", "k"));
  STATUS(BANKML_ARG, bankml_params_set_string(p, "samplers", NULL));
  STATUS(BANKML_ARG, bankml_params_set_string(p, NULL, "k"));
  STATUS(BANKML_ARG, bankml_params_set_json(NULL, "top_k", "1", 1));
  STATUS(BANKML_ARG, bankml_params_set_json(p, NULL, "1", 1));
  STATUS(BANKML_ARG, bankml_params_set_json(p, "top_k", NULL, 1));
  STATUS(BANKML_ARG, bankml_params_load_json(NULL, "llama-server", "{}", 2));
  STATUS(BANKML_ARG, bankml_params_load_json(p, NULL, "{}", 2));
  STATUS(BANKML_ARG, bankml_params_load_json(p, "llama-server", NULL, 2));
  STATUS(BANKML_ARG, bankml_params_strict(NULL, 1));
  STATUS(BANKML_ARG, bankml_params_load_gguf(NULL, "x"));
  STATUS(BANKML_ARG, bankml_params_load_gguf(p, NULL));
  STATUS(BANKML_ARG, bankml_params_load_gguf_bytes(NULL, "x", 1));
  STATUS(BANKML_ARG, bankml_params_load_gguf_bytes(p, NULL, 1));
  STATUS(BANKML_ARG, bankml_params_get_number(NULL, "top_k", &value));
  STATUS(BANKML_ARG, bankml_params_get_number(p, NULL, &value));
  STATUS(BANKML_ARG, bankml_params_get_number(p, "top_k", NULL));
  STATUS(BANKML_ARG, bankml_params_get_number(p, "samplers", &value));
  STATUS(BANKML_ARG, bankml_params_get_json(NULL, "top_k", text, sizeof text, NULL));
  STATUS(BANKML_ARG, bankml_params_get_json(p, NULL, text, sizeof text, NULL));
  STATUS(BANKML_ARG, bankml_params_get_json(p, "top_k", NULL, sizeof text, NULL));
  STATUS(BANKML_ARG, bankml_params_to_json(NULL, text, sizeof text, NULL));
  STATUS(BANKML_ARG, bankml_params_text_count(NULL, NULL, &count));
  STATUS(BANKML_ARG, bankml_params_text_count(p, NULL, NULL));
  STATUS(BANKML_ARG, bankml_params_text(NULL, 0, &bytes, &len, &purpose));
  STATUS(BANKML_ARG, bankml_params_text(p, 99, &bytes, &len, &purpose));
  STATUS(BANKML_ARG, bankml_params_set_text_tokens(NULL, 0, NULL, 0));
  STATUS(BANKML_ARG, bankml_params_set_text_tokens(p, 99, NULL, 0));
  CHECK(bankml_params_origin(NULL, "top_k") == NULL && bankml_params_origin(p, NULL) == NULL);
  CHECK(bankml_params_warning_count(NULL) == 0 && bankml_params_warning(NULL, 0) == NULL);
  CHECK(bankml_params_error(NULL) != NULL);
  bankml_params_free(p);
}

static void requests(void) {
  static const char unknown[] = "{\"top_k\": 5, \"prompt\": \"x\", \"not_a_field\": 1}";
  bankml_params* p = params_of("{\"top_k\": 9, \"samplers\": [\"top_k\", \"min_p\"]}");
  CHECK(number(p, "top_k") == 9 && json_is(p, "samplers", "[\"top_k\",\"min_p\"]"));
  CHECK(strcmp(bankml_params_origin(p, "top_k"), "request") == 0);
  PARAM_OK(p, bankml_params_load_json(p, "llama-server", unknown, sizeof unknown - 1));
  CHECK(number(p, "top_k") == 5);
  PARAM_OK(p, bankml_params_strict(p, 1));
  PARAM_OK(p, bankml_params_set_number(p, "top_k", 8));
  STATUS(BANKML_ARG, bankml_params_load_json(p, "llama-server", unknown, sizeof unknown - 1));
  SAYS(bankml_params_error(p), "not_a_field");
  CHECK(number(p, "top_k") == 8);
  PARAM_OK(p, bankml_params_strict(p, 0));
  bankml_params_free(p);
}

static void model_defaults(void) {
  static gguf_bytes g;
  const char* path = "params_test.gguf";
  FILE* file;
  size_t cut;
  bankml_params* p = params_of(NULL);
  build_gguf(&g);
  PARAM_OK(p, bankml_params_load_gguf_bytes(p, g.data, g.len));
  CHECK(number(p, "temperature") == 0.25 && number(p, "top_k") == 7);
  CHECK(strcmp(bankml_params_origin(p, "temperature"), "gguf:general.sampling.temp") == 0);
  if (CHECK(bankml_params_warning_count(p) == 1)) SAYS(bankml_params_warning(p, 0), "general.sampling.top_p");
  CHECK(bankml_params_warning(p, 1) == NULL);
  bankml_params_free(p);

  p = params_of(NULL);
  file = fopen(path, "wb");
  CHECK(file != NULL && fwrite(g.data, 1, g.len, file) == g.len);
  fclose(file);
  PARAM_OK(p, bankml_params_load_gguf(p, path));
  CHECK(number(p, "top_k") == 7);
  remove(path);
  bankml_params_free(p);

  for (cut = 0; cut < 400; ++cut) { /* damaged files: an error, nothing changed */
    p = params_of(NULL);
    STATUS(BANKML_PARSE, bankml_params_load_gguf_bytes(p, g.data, cut));
    CHECK(number(p, "top_k") == 40);
    bankml_params_free(p);
  }
}

static void open_texts(void) {
  static const char request[] = "{\"dry_multiplier\": 1, \"dry_sequence_breakers\": [\"\\n\", \"User:\"]}";
  bankml_params* p = params_of(request);
  bankml_vocab* v = vocab_of_bytes();
  bankml_sampler* s;
  size_t count = 99, len = 0;
  const uint8_t* bytes = NULL;
  const char* purpose = NULL;
  char err[256] = "";
  int32_t tail[8];
  size_t i;
  int rounds = 0;
  PARAM_OK(p, bankml_params_text_count(p, v, &count));
  CHECK(count >= 1);
  s = bankml_sampler_new(p, v, 0, err, sizeof err);
  CHECK(s == NULL && *err != '\0');
  while (count > 0 && rounds++ < 50) {
    PARAM_OK(p, bankml_params_text(p, 0, &bytes, &len, &purpose));
    CHECK(strcmp(purpose, "dry_sequence_breakers") == 0 && len > 0 && len < 8);
    for (i = 0; i < len && i < 8; ++i) tail[i] = bytes[i]; /* the byte vocabulary tokenizes itself */
    PARAM_OK(p, bankml_params_set_text_tokens(p, 0, tail, len));
    PARAM_OK(p, bankml_params_text_count(p, v, &count));
  }
  CHECK(count == 0);
  s = bankml_sampler_new(p, v, 0, err, sizeof err);
  if (!CHECK(s != NULL)) printf("  %s\n", err);
  CHECK(bankml_vocab_breaker_scans(v) == 1);
  bankml_sampler_free(s);
  bankml_params_free(p);
  bankml_vocab_free(v);
}

int main(void) {
  setters();
  texts_out();
  refusals();
  null_arguments();
  requests();
  model_defaults();
  open_texts();
  return report();
}
