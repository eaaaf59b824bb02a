/* The language-neutral half of the SWIG interface: what is wrapped, under which name, and the few calls whose C shape no typemap
 * turns into a good one. A language's own .i file (bindings/python/bankml.i, bindings/java/bankml_java.i) includes this file after
 * its typemaps and before nothing else; it must not contain anything that only one language understands.
 *
 * - The C header itself is wrapped; names lose their prefix: bankml_sampler_new -> sampler_new, BANKML_ARG stays BANKML_ARG.
 * - Structs are not wrapped (no proxy classes, no std types): a `flat` helper below gives their fields one by one or as an array.
 *   bankml_candidate and bankml_token_prob stay plain memory (three and two 32-bit words) that a language hands in as a buffer.
 * - Who calls the `free` functions, and whether they are wrapped at all, each language decides.
 */
%{
#include <cstddef>
#include <cstdint>

#include "bankml.h"
%}

%include <stdint.i>

%rename("%(strip:[bankml_])s", %$isfunction) "";

/* Struct types and the calls that take them by pointer; see the helpers. */
%ignore bankml_param_spec;
%ignore bankml_param_info;
%ignore bankml_perf;
%ignore bankml_sampler_perf;
%ignore bankml_candidate;
%ignore bankml_token_prob;
/* Items hold addresses, so each language has helpers of its own for them and for pools. */
%ignore bankml_batch_item;
%ignore bankml_batch_sample;
%ignore bankml_pool;
%ignore bankml_pool_new;
%ignore bankml_pool_free;
%ignore bankml_pool_threads;
%ignore bankml_pool_error;
/* What comes out has a length of its own; each language has helpers. */
%ignore bankml_stop_new;
%ignore bankml_stop_feed;
%ignore bankml_stop_flush;
%ignore bankml_reply_add;
%ignore bankml_reply_json;
/* Replaced by a helper that knows both lengths. */
%ignore bankml_sampler_sample_candidates;

%ignore bankml_sampler_save;
%ignore bankml_sampler_verify;

%include "bankml.h"

%{
/* One row of the parameter table; kind 0 if there is no row i. */
static bankml_param_spec bankml_flat_spec(size_t i) {
  bankml_param_spec spec = {};
  spec.struct_size = sizeof spec;
  if (bankml_param_info(i, &spec) != BANKML_OK) spec = bankml_param_spec{};
  return spec;
}
%}

%inline %{
/* The parameter table by columns; NULL (texts) or 0 (numbers) for i >= bankml_param_count(). Texts are static. */
static const char *bankml_flat_param_name(size_t i) { return bankml_flat_spec(i).name; }
static const char *bankml_flat_param_aliases(size_t i) { return bankml_flat_spec(i).aliases; }
static const char *bankml_flat_param_step(size_t i) { return bankml_flat_spec(i).step; }
static const char *bankml_flat_param_doc(size_t i) { return bankml_flat_spec(i).doc; }
static const char *bankml_flat_param_default(size_t i) { return bankml_flat_spec(i).default_json; }
static int32_t bankml_flat_param_kind(size_t i) { return bankml_flat_spec(i).kind; }
static double bankml_flat_param_min(size_t i) { return bankml_flat_spec(i).min; }
static double bankml_flat_param_max(size_t i) { return bankml_flat_spec(i).max; }

/* The counters of bankml_perf in their order, draws ... random_outputs, then sample_us and accept_us. */
static bankml_status bankml_flat_perf(bankml_sampler *s, uint64_t counts[9], double times[2], int32_t reset) {
  bankml_perf perf = {};
  perf.struct_size = sizeof perf;
  const bankml_status status = bankml_sampler_perf(s, &perf, reset);
  const uint64_t in_order[9] = {perf.draws,      perf.accepts, perf.redraws,    perf.prob_calls,    perf.full_sets,
                                perf.full_sorts, perf.exps,    perf.dry_visits, perf.random_outputs};
  for (int i = 0; i < 9; ++i) counts[i] = in_order[i];
  times[0] = perf.sample_us;
  times[1] = perf.accept_us;
  return status;
}

/* bankml_sampler_sample_candidates for two arrays with a length each: BANKML_LENGTH, without a text, if they differ. */
static bankml_status bankml_flat_sample_candidates(bankml_sampler *s, const int32_t *ids, size_t n_ids, const float *logits, size_t n,
                                                   int32_t *token) {
  if (n_ids != n) return BANKML_LENGTH;
  return bankml_sampler_sample_candidates(s, ids, logits, n, token);
}
%}
