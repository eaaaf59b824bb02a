/* Vocabularies: from arrays and from GGUF, pieces, flags, fingerprints, tokenization; and what they refuse. */
#include "fixtures.h"

static int piece_is(const bankml_vocab* v, int32_t token, const char* expected) {
  const uint8_t* bytes = NULL;
  size_t len = 0;
  STATUS(BANKML_OK, bankml_vocab_piece(v, token, &bytes, &len));
  return len == strlen(expected) && memcmp(bytes, expected, len) == 0;
}

static void from_arrays(void) {
  bankml_vocab *v = vocab_of_bytes(), *same = vocab_of_bytes(), *other;
  const size_t offsets[3] = {0, 1, 3};
  const uint8_t* bytes;
  uint32_t flags = 0;
  size_t len, count;
  char err[128];
  int32_t out[4];
  if (!CHECK(v != NULL)) return;
  CHECK(bankml_vocab_size(v) == fixture_vocab_size);
  CHECK(piece_is(v, 'A', "A") && piece_is(v, 256, "\n\n") && piece_is(v, 257, "</s>"));
  STATUS(BANKML_OK, bankml_vocab_flags(v, 257, &flags));
  CHECK(flags == (BANKML_TOKEN_CONTROL | BANKML_TOKEN_EOG));
  CHECK(bankml_vocab_eos(v) == fixture_eos && bankml_vocab_eot(v) == -1 && bankml_vocab_bos(v) == -1);
  CHECK(bankml_vocab_breaker_scans(v) == 0);
  CHECK(bankml_vocab_fingerprint(v) == bankml_vocab_fingerprint(same));
  other = bankml_vocab_new((const uint8_t*)"abc", offsets, NULL, 2, -1, -1, err, sizeof err);
  CHECK(other != NULL && bankml_vocab_fingerprint(other) != bankml_vocab_fingerprint(v));
  CHECK(piece_is(other, 0, "a") && piece_is(other, 1, "bc"));
  STATUS(BANKML_TOKEN, bankml_vocab_piece(v, -1, &bytes, &len));
  STATUS(BANKML_TOKEN, bankml_vocab_piece(v, fixture_vocab_size, &bytes, &len));
  STATUS(BANKML_TOKEN, bankml_vocab_flags(v, fixture_vocab_size, &flags));
  STATUS(BANKML_ARG, bankml_vocab_piece(v, 0, NULL, &len));
  STATUS(BANKML_ARG, bankml_vocab_piece(v, 0, &bytes, NULL));
  STATUS(BANKML_ARG, bankml_vocab_flags(v, 0, NULL));
  STATUS(BANKML_ARG, bankml_vocab_tokenize(v, (const uint8_t*)"a", 1, out, 4, &count)); /* no tokenizer in arrays */
  bankml_vocab_free(other);
  bankml_vocab_free(same);
  bankml_vocab_free(v);
}

static void refusals(void) {
  const size_t falling[3] = {0, 2, 1}, good[2] = {0, 1};
  char err[256];
  const uint8_t* bytes;
  uint32_t flags;
  size_t len, count;
  bankml_vocab_free(NULL);
  CHECK(bankml_vocab_size(NULL) == 0 && bankml_vocab_eos(NULL) == -1 && bankml_vocab_eot(NULL) == -1 &&
        bankml_vocab_bos(NULL) == -1);
  CHECK(bankml_vocab_fingerprint(NULL) == 0 && bankml_vocab_breaker_scans(NULL) == 0);
  STATUS(BANKML_ARG, bankml_vocab_piece(NULL, 0, &bytes, &len));
  STATUS(BANKML_ARG, bankml_vocab_flags(NULL, 0, &flags));
  STATUS(BANKML_ARG, bankml_vocab_tokenize(NULL, NULL, 0, NULL, 0, &count));
  *err = '\0';
  CHECK(bankml_vocab_new((const uint8_t*)"abc", NULL, NULL, 2, -1, -1, err, sizeof err) == NULL);
  SAYS(err, "offsets");
  *err = '\0';
  CHECK(bankml_vocab_new((const uint8_t*)"abc", falling, NULL, 2, -1, -1, err, sizeof err) == NULL);
  SAYS(err, "offsets");
  *err = '\0';
  CHECK(bankml_vocab_new(NULL, good, NULL, 1, -1, -1, err, sizeof err) == NULL);
  CHECK(bankml_vocab_new((const uint8_t*)"a", good, NULL, 0, -1, -1, err, sizeof err) == NULL);
  *err = '\0';
  CHECK(bankml_vocab_new((const uint8_t*)"a", good, NULL, 1, 7, -1, err, sizeof err) == NULL);
  SAYS(err, "7");
  *err = '\0';
  CHECK(bankml_vocab_from_gguf("/no/such/file.gguf", err, sizeof err) == NULL);
  SAYS(err, "/no/such/file.gguf");
  CHECK(bankml_vocab_from_gguf(NULL, err, sizeof err) == NULL);
  CHECK(bankml_vocab_from_gguf_bytes(NULL, 3, err, sizeof err) == NULL);
  CHECK(bankml_vocab_from_gguf_bytes("abc", 3, err, sizeof err) == NULL && *err != '\0');
}

static void from_gguf(void) {
  static gguf_bytes g;
  char err[256] = "";
  int32_t out[16];
  size_t count = 0, cut;
  uint32_t flags = 0;
  FILE* file;
  bankml_vocab *v, *again;
  build_gguf(&g);
  v = bankml_vocab_from_gguf_bytes(g.data, g.len, err, sizeof err);
  if (!CHECK(v != NULL)) {
    printf("  %s\n", err);
    return;
  }
  CHECK(bankml_vocab_size(v) == gguf_vocab_size);
  CHECK(bankml_vocab_bos(v) == 1 && bankml_vocab_eos(v) == 2);
  CHECK(piece_is(v, 3 + 'Q', "Q") && piece_is(v, 259, " ") && piece_is(v, 263, " ab"));
  STATUS(BANKML_OK, bankml_vocab_flags(v, 3 + 'Q', &flags));
  CHECK((flags & BANKML_TOKEN_BYTE) != 0);
  STATUS(BANKML_OK, bankml_vocab_flags(v, 2, &flags));
  CHECK((flags & BANKML_TOKEN_EOG) != 0);
  STATUS(BANKML_OK, bankml_vocab_flags(v, 0, &flags));
  CHECK((flags & BANKML_TOKEN_UNKNOWN) != 0);
  STATUS(BANKML_OK, bankml_vocab_tokenize(v, (const uint8_t*)"ab", 2, out, 16, &count));
  CHECK(count == 1 && out[0] == 263); /* with the space prefix that the file asks for */
  STATUS(BANKML_BUFFER, bankml_vocab_tokenize(v, (const uint8_t*)"Qz", 2, out, 1, &count));
  CHECK(count == 3);
  STATUS(BANKML_OK, bankml_vocab_tokenize(v, (const uint8_t*)"Qz", 2, out, 16, &count));
  CHECK(count == 3 && out[0] == 259 && out[1] == 3 + 'Q' && out[2] == 3 + 'z');
  file = fopen("vocab_test.gguf", "wb");
  CHECK(file != NULL && fwrite(g.data, 1, g.len, file) == g.len);
  fclose(file);
  again = bankml_vocab_from_gguf("vocab_test.gguf", err, sizeof err);
  CHECK(again != NULL && bankml_vocab_fingerprint(again) == bankml_vocab_fingerprint(v));
  remove("vocab_test.gguf");
  bankml_vocab_free(again);
  bankml_vocab_free(v);
  for (cut = 0; cut < g.len; cut += cut < 600 ? 1 : 97) { /* damaged files: an error with a text, no crash */
    *err = '\0';
    v = bankml_vocab_from_gguf_bytes(g.data, cut, err, sizeof err);
    CHECK(v == NULL && *err != '\0');
    bankml_vocab_free(v);
  }
}

int main(void) {
  from_arrays();
  refusals();
  from_gguf();
  return report();
}
