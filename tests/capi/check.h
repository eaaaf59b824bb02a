/* Checks for test programs in C: each counts, a failing one prints its line, and report() ends the program with the house's last
 * line. */
#ifndef BANKML_TESTS_CAPI_CHECK_H
#define BANKML_TESTS_CAPI_CHECK_H

#include <stdio.h>
#include <string.h>

#include "bankml.h"

static int checks_passed, checks_failed;

static inline int check_that(int held, const char* file, int line, const char* what) {
  if (held) {
    ++checks_passed;
  } else {
    ++checks_failed;
    printf("%s:%d: does not hold: %s\n", file, line, what);
  }
  return held;
}
#define CHECK(condition) check_that(!!(condition), __FILE__, __LINE__, #condition)

static inline int check_status(bankml_status got, bankml_status expected, const char* text, const char* file, int line,
                               const char* call) {
  if (got == expected) {
    ++checks_passed;
    return 1;
  }
  ++checks_failed;
  printf("%s:%d: %s gave %d (%s), not %d (%s); text: %s\n", file, line, call, (int)got, bankml_status_string(got), (int)expected,
         bankml_status_string(expected), text);
  return 0;
}
/* The status of a call; OK(s, call): on a sampler, with its text shown on failure. */
#define STATUS(expected, call) check_status((call), (expected), "-", __FILE__, __LINE__, #call)
#define OK(sampler, call) check_status((call), BANKML_OK, bankml_sampler_error(sampler), __FILE__, __LINE__, #call)
#define PARAM_OK(params, call) check_status((call), BANKML_OK, bankml_params_error(params), __FILE__, __LINE__, #call)

static inline int check_text(const char* text, const char* part, const char* file, int line) {
  if (text != NULL && strstr(text, part) != NULL) {
    ++checks_passed;
    return 1;
  }
  ++checks_failed;
  printf("%s:%d: the text \"%s\" does not say \"%s\"\n", file, line, text == NULL ? "(null)" : text, part);
  return 0;
}
#define SAYS(text, part) check_text((text), (part), __FILE__, __LINE__)

static inline int report(void) {
  printf("%d passed, %d failed\n", checks_passed, checks_failed);
  return checks_failed != 0;
}

#endif
