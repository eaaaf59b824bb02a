/* Stop strings over the C ABI: what comes out, buffers that are too small, clones, refusals. */
#include "fixtures.h"

static bankml_stop* stop_of(const char* const* strings, size_t n, uint32_t flags) {
  char err[256] = "";
  uint8_t bytes[256];
  size_t offsets[16], i, end = 0;
  bankml_stop* s;
  offsets[0] = 0;
  for (i = 0; i < n; ++i) {
    memcpy(bytes + end, strings[i], strlen(strings[i]));
    end += strlen(strings[i]);
    offsets[i + 1] = end;
  }
  s = bankml_stop_new(bytes, offsets, n, flags, err, sizeof err);
  if (s == NULL) printf("stop_new: %s\n", err);
  CHECK(s != NULL);
  return s;
}

/* Feeds a text and compares what comes out and the stop string. */
static void feeds(bankml_stop* s, const char* text, const char* expected, int32_t expected_match) {
  uint8_t out[64];
  size_t len = 99;
  int32_t matched = -2;
  STATUS(BANKML_OK, bankml_stop_feed(s, (const uint8_t*)text, strlen(text), out, sizeof out, &len, &matched));
  CHECK(len == strlen(expected) && memcmp(out, expected, len) == 0);
  CHECK(matched == expected_match);
}
static void flushes(bankml_stop* s, const char* expected) {
  uint8_t out[64];
  size_t len = 99;
  STATUS(BANKML_OK, bankml_stop_flush(s, out, sizeof out, &len));
  CHECK(len == strlen(expected) && memcmp(out, expected, len) == 0);
}

static void over_token_borders(void) {
  static const char* const strings[] = {"</s>", "END"};
  bankml_stop* s = stop_of(strings, 2, 0);
  bankml_stop* copy;
  feeds(s, "a E", "a ", -1);
  CHECK(bankml_stop_held(s) == 1);
  copy = bankml_stop_clone(s, NULL, 0);
  CHECK(copy != NULL);
  feeds(s, "ND of text", "", 1);
  feeds(s, "more", "", 1);
  CHECK(bankml_stop_held(s) == 0);
  flushes(s, "");
  feeds(s, "EN", "", -1);
  flushes(s, "EN");
  feeds(s, "E", "", -1);
  STATUS(BANKML_OK, bankml_stop_reset(s));
  feeds(s, "ND", "ND", -1);
  bankml_stop_free(s);
  feeds(copy, "EN", "E", -1); /* its own place in the text, its strings outlive the original */
  feeds(copy, "D", "", 1);
  bankml_stop_free(copy);
}

static void flags(void) {
  static const char* const strings[] = {"abc", "ab"};
  bankml_stop* s = stop_of(strings, 2, BANKML_STOP_INCLUDE);
  feeds(s, "xabc", "xab", 1);
  bankml_stop_free(s);
  s = stop_of(strings, 2, BANKML_STOP_INCLUDE | BANKML_STOP_BY_TOKEN);
  feeds(s, "xabc", "xabc", 0);
  bankml_stop_free(s);
  s = stop_of(strings, 0, 0); /* characters alone */
  feeds(s, "a\xE2\x82", "a", -1);
  feeds(s, "\xAC", "\xE2\x82\xAC", -1);
  bankml_stop_free(s);
}

static void refusals(void) {
  static const char* const strings[] = {"END"};
  static const size_t empty[] = {0, 0}, one[] = {0, 1};
  char err[256] = "";
  uint8_t out[8];
  size_t len = 0;
  int32_t matched = -2;
  bankml_stop* s = stop_of(strings, 1, 0);
  CHECK(bankml_stop_new((const uint8_t*)"a", empty, 1, 0, err, sizeof err) == NULL);
  SAYS(err, "stop string 0 is empty");
  CHECK(bankml_stop_new((const uint8_t*)"a", one, 1, 4, err, sizeof err) == NULL);
  SAYS(err, "flags is 4");
  CHECK(bankml_stop_new(NULL, one, 1, 0, err, sizeof err) == NULL);
  SAYS(err, "bytes is NULL");
  CHECK(bankml_stop_new((const uint8_t*)"a", NULL, 1, 0, err, sizeof err) == NULL);
  SAYS(err, "offsets is NULL");
  CHECK(bankml_stop_new((const uint8_t*)"a", one, 65537, 0, err, sizeof err) == NULL);
  SAYS(err, "65537 stop strings");
  CHECK(bankml_stop_clone(NULL, err, sizeof err) == NULL);
  feeds(s, "E", "", -1);
  STATUS(BANKML_BUFFER, bankml_stop_feed(s, (const uint8_t*)"ab", 2, out, 2, &len, &matched));
  CHECK(len == 3 && matched == -2 && bankml_stop_held(s) == 1);
  SAYS(bankml_stop_error(s), "3 bytes may come out, the buffer has 2");
  STATUS(BANKML_BUFFER, bankml_stop_flush(s, NULL, 0, &len));
  CHECK(len == 1);
  STATUS(BANKML_ARG, bankml_stop_feed(s, NULL, 1, out, sizeof out, &len, &matched));
  STATUS(BANKML_ARG, bankml_stop_feed(s, NULL, SIZE_MAX, out, sizeof out, &len, &matched));
  STATUS(BANKML_ARG, bankml_stop_feed(s, (const uint8_t*)"a", 1, NULL, 2, &len, &matched));
  STATUS(BANKML_ARG, bankml_stop_feed(s, (const uint8_t*)"a", 1, out, 2, NULL, &matched));
  STATUS(BANKML_ARG, bankml_stop_feed(s, (const uint8_t*)"a", 1, out, 2, &len, NULL));
  STATUS(BANKML_ARG, bankml_stop_feed(NULL, NULL, 0, out, 2, &len, &matched));
  STATUS(BANKML_ARG, bankml_stop_flush(NULL, out, 2, &len));
  STATUS(BANKML_ARG, bankml_stop_reset(NULL));
  CHECK(bankml_stop_held(NULL) == 0);
  SAYS(bankml_stop_error(NULL), "NULL");
  feeds(s, "ND", "", 0); /* refusals have read nothing */
  STATUS(BANKML_OK, bankml_stop_feed(s, (const uint8_t*)"more", 4, NULL, 0, &len, &matched));
  CHECK(len == 0 && matched == 0);
  bankml_stop_free(s);
  bankml_stop_free(NULL);
}

int main(void) {
  over_token_borders();
  flags();
  refusals();
  return report();
}
