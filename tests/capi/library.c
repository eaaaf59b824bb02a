/* Library-wide calls: versions, status texts, self-check, CPU levels, the parameter table. */
#include "fixtures.h"

static void versions(void) {
  char expected[32];
  CHECK(strcmp(bankml_version_string(), BANKML_VERSION) == 0);
  snprintf(expected, sizeof expected, "%d.%d.%d", BANKML_VERSION_MAJOR, BANKML_VERSION_MINOR, BANKML_VERSION_PATCH);
  CHECK(strncmp(BANKML_VERSION, expected, strlen(expected)) == 0);
  CHECK(bankml_abi_version() == BANKML_ABI_VERSION);
}

static void status_texts(void) {
  static const bankml_status all[] = {BANKML_OK,           BANKML_ARG,   BANKML_LENGTH,  BANKML_TOKEN,  BANKML_NONFINITE,
                                      BANKML_NO_CANDIDATE, BANKML_BUSY,  BANKML_NOMEM,   BANKML_BUFFER, BANKML_OPEN_TEXT,
                                      BANKML_NOT_KEPT,     BANKML_PARSE, BANKML_REJECT,  BANKML_SCHEMA, BANKML_LIMIT,
                                      BANKML_STATE,        BANKML_IO,    BANKML_INTERNAL};
  const size_t n = sizeof all / sizeof all[0];
  size_t i, k;
  CHECK(strcmp(bankml_status_string(BANKML_OK), "ok") == 0);
  for (i = 0; i < n; ++i) {
    CHECK(strcmp(bankml_status_string(all[i]), "unknown status") != 0);
    for (k = 0; k < i; ++k) CHECK(strcmp(bankml_status_string(all[i]), bankml_status_string(all[k])) != 0);
  }
  CHECK(strcmp(bankml_status_string(-1), "unknown status") == 0);
  CHECK(strcmp(bankml_status_string(4), "unknown status") == 0);
}

static void self_check(void) {
  char report[8192] = "", cut[16];
  if (!STATUS(BANKML_OK, bankml_self_check(report, sizeof report))) puts(report);
  CHECK(strchr(report, '\n') != NULL);
  STATUS(BANKML_OK, bankml_self_check(NULL, 0));
  memset(cut, 'x', sizeof cut);
  STATUS(BANKML_OK, bankml_self_check(cut, 8));
  CHECK(memchr(cut, '\0', 8) != NULL && cut[8] == 'x');
}

/* Every level draws the same tokens, and a handle keeps the level it was made with. */
static void cpu_levels(void) {
  enum { n = 3000, draws = 20 };
  static float logits[n];
  int32_t expected[draws], token;
  size_t level, i;
  const char* best = bankml_cpu_name();
  CHECK(strcmp(bankml_cpu_level(0), "scalar") == 0);
  CHECK(bankml_cpu_level(100) == NULL);
  for (level = 0; bankml_cpu_level(level) != NULL; ++level) {
    bankml_sampler* s;
    STATUS(BANKML_OK, bankml_cpu_force(bankml_cpu_level(level)));
    CHECK(strcmp(bankml_cpu_name(), bankml_cpu_level(level)) == 0);
    s = sampler_of("{\"top_k\": 0, \"temperature\": 1.5}", NULL, n);
    STATUS(BANKML_OK, bankml_cpu_force(NULL));
    for (i = 0; i < draws; ++i) {
      fill_logits(logits, n, i);
      OK(s, bankml_sampler_sample(s, logits, n, &token));
      if (level == 0) expected[i] = token;
      CHECK(token == expected[i]);
    }
    bankml_sampler_free(s);
  }
  STATUS(BANKML_ARG, bankml_cpu_force("abacus"));
  CHECK(strcmp(bankml_cpu_name(), best) == 0);
  STATUS(BANKML_OK, bankml_cpu_force("auto"));
  CHECK(strcmp(bankml_cpu_name(), best) == 0);
}

/* Each row of the table is usable as it says: its default is the value in force, its bounds are accepted. */
static void parameter_table(void) {
  char err[256], json[4096];
  bankml_params* p = bankml_params_new("llama", err, sizeof err);
  size_t i, needed;
  CHECK(bankml_param_count() >= 30);
  for (i = 0; i < bankml_param_count(); ++i) {
    bankml_param_spec row;
    memset(&row, 0, sizeof row);
    row.struct_size = sizeof row;
    if (!STATUS(BANKML_OK, bankml_param_info(i, &row))) continue;
    CHECK(row.name != NULL && *row.name != '\0' && row.aliases != NULL && row.step != NULL && row.doc != NULL && *row.doc != '\0');
    CHECK(row.struct_size == sizeof row);
    PARAM_OK(p, bankml_params_get_json(p, row.name, json, sizeof json, &needed));
    if (!CHECK(strcmp(json, row.default_json) == 0)) printf("  %s: %s, table: %s\n", row.name, json, row.default_json);
    CHECK(strcmp(bankml_params_origin(p, row.name), "default") == 0);
    if (row.kind == BANKML_KIND_INTEGER || row.kind == BANKML_KIND_NUMBER) {
      CHECK(row.min <= row.max);
      if (!PARAM_OK(p, bankml_params_set_number(p, row.name, row.min))) printf("  %s = %g (min)\n", row.name, row.min);
      if (!PARAM_OK(p, bankml_params_set_number(p, row.name, row.max))) printf("  %s = %g (max)\n", row.name, row.max);
      CHECK(strcmp(bankml_params_origin(p, row.name), "set") == 0);
    }
  }
  {
    bankml_param_spec row;
    row.struct_size = sizeof row;
    STATUS(BANKML_ARG, bankml_param_info(bankml_param_count(), &row));
    row.struct_size = sizeof row - 8;
    STATUS(BANKML_ARG, bankml_param_info(0, &row));
    STATUS(BANKML_ARG, bankml_param_info(0, NULL));
  }
  {
    struct {
      bankml_param_spec row;
      double later; /* a member of a later version */
    } grown;
    grown.row.struct_size = sizeof grown;
    grown.later = 7;
    STATUS(BANKML_OK, bankml_param_info(0, &grown.row));
    CHECK(grown.later == 7);
  }
  bankml_params_free(p);
}

int main(void) {
  versions();
  status_texts();
  self_check();
  cpu_levels();
  parameter_table();
  return report();
}
