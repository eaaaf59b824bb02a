// Samplers and workspaces at the border: arguments are checked, overlap is detected, then the chain does the work.
//
// Tested by tests/capi/sampler.c and tests/capi/refusals.c
#include <cstddef>
#include <string>

#include "capi/src/alone.h"
#include "capi/src/bytes.h"
#include "capi/src/handles.h"

namespace bankml::capi {

static_assert(sizeof(bankml_perf) == offsetof(bankml_perf, accept_us) + sizeof(double));

Status require_logits(const float* logits, const int32_t* token, ErrorText& error) noexcept {
  if (logits == nullptr) return error.set(Status::arg, "logits is NULL");
  if (token == nullptr) return error.set(Status::arg, "token is NULL");
  return Status::ok;
}

}  // namespace bankml::capi

extern "C" {

bankml_workspace* bankml_workspace_new(size_t n_vocab, char* err, size_t err_cap) noexcept {
  return bankml::capi::construct<bankml_workspace>(err, err_cap, [&] {
    if (n_vocab == 0 || n_vocab > 0x7FFFFFFFu) {
      throw bankml::Failure(bankml::Status::arg, "n_vocab " + std::to_string(n_vocab) + " is outside [1, 2147483647]");
    }
    return std::unique_ptr<bankml_workspace>(new bankml_workspace{std::make_shared<bankml::Workspace>(n_vocab)});
  });
}

void bankml_workspace_free(bankml_workspace* w) noexcept { delete w; }

size_t bankml_workspace_bytes(const bankml_workspace* w) noexcept { return w == nullptr ? 0 : w->workspace->bytes(); }

bankml_sampler* bankml_sampler_new(const bankml_params* params, const bankml_vocab* vocab, size_t n_vocab, char* err,
                                   size_t err_cap) noexcept {
  return bankml::capi::construct<bankml_sampler>(err, err_cap, [&] {
    const bankml::Params defaults;
    auto sampler = std::make_unique<bankml::Sampler>(params == nullptr ? defaults : params->set.values(),
                                                     vocab == nullptr ? nullptr : vocab->vocab, n_vocab);
    return std::unique_ptr<bankml_sampler>(new bankml_sampler{std::move(sampler), {}});
  });
}

bankml_sampler* bankml_sampler_clone(const bankml_sampler* s, char* err, size_t err_cap) noexcept {
  return bankml::capi::construct<bankml_sampler>(err, err_cap, [&] {
    if (s == nullptr) throw bankml::Failure(bankml::Status::arg, "the sampler is NULL");
    const bankml::BusyScope scope(s->sampler->busy);
    if (!scope.entered()) throw bankml::Failure(bankml::Status::busy, "the sampler is in use by another thread");
    return std::unique_ptr<bankml_sampler>(new bankml_sampler{s->sampler->clone(), {}});
  });
}

void bankml_sampler_free(bankml_sampler* s) noexcept { delete s; }

const char* bankml_sampler_error(const bankml_sampler* s) noexcept {
  return s == nullptr ? "the sampler is NULL" : s->error.c_str();
}

size_t bankml_sampler_n_vocab(const bankml_sampler* s) noexcept { return s == nullptr ? 0 : s->sampler->n_vocab(); }

bankml_status bankml_sampler_use_workspace(bankml_sampler* s, bankml_workspace* w) noexcept {
  return bankml::capi::alone(s, [&](bankml::Sampler& sampler, bankml::ErrorText&) {
    sampler.use_workspace(w == nullptr ? nullptr : w->workspace);
    return bankml::Status::ok;
  });
}

bankml_status bankml_sampler_accept(bankml_sampler* s, int32_t token) noexcept { return bankml_sampler_accept_many(s, &token, 1); }

bankml_status bankml_sampler_accept_many(bankml_sampler* s, const int32_t* tokens, size_t n) noexcept {
  return bankml::capi::alone(s, [&](bankml::Sampler& sampler, bankml::ErrorText& error) {
    if (tokens == nullptr && n > 0) return error.set(bankml::Status::arg, "tokens is NULL, but n is %zu", n);
    return sampler.accept(tokens, n, error);
  });
}

bankml_status bankml_sampler_sample(bankml_sampler* s, const float* logits, size_t n, int32_t* token) noexcept {
  return bankml::capi::alone(s, [&](bankml::Sampler& sampler, bankml::ErrorText& error) {
    const bankml::Status given = bankml::capi::require_logits(logits, token, error);
    return given != bankml::Status::ok ? given : sampler.sample(logits, n, nullptr, token, error);
  });
}

bankml_status bankml_sampler_sample_masked(bankml_sampler* s, const float* logits, size_t n, const uint32_t* words, size_t n_words,
                                           int32_t* token) noexcept {
  return bankml::capi::alone(s, [&](bankml::Sampler& sampler, bankml::ErrorText& error) {
    const bankml::Status given = bankml::capi::require_logits(logits, token, error);
    if (given != bankml::Status::ok) return given;
    if (words == nullptr) return error.set(bankml::Status::arg, "words is NULL");
    return bankml::capi::sample_masked(sampler, logits, n, words, n_words, token, error);
  });
}

bankml_status bankml_sampler_sample_candidates(bankml_sampler* s, const int32_t* ids, const float* logits, size_t n,
                                               int32_t* token) noexcept {
  return bankml::capi::alone(s, [&](bankml::Sampler& sampler, bankml::ErrorText& error) {
    const bankml::Status given = bankml::capi::require_logits(logits, token, error);
    if (given != bankml::Status::ok) return given;
    if (ids == nullptr) return error.set(bankml::Status::arg, "ids is NULL");
    return sampler.sample_candidates(ids, logits, n, token, error);
  });
}

bankml_status bankml_sampler_keep(bankml_sampler* s, int32_t on) noexcept {
  return bankml::capi::alone(s, [&](bankml::Sampler& sampler, bankml::ErrorText&) {
    sampler.keep(on != 0);
    return bankml::Status::ok;
  });
}

bankml_status bankml_sampler_reset(bankml_sampler* s) noexcept {
  return bankml::capi::alone(s, [](bankml::Sampler& sampler, bankml::ErrorText&) {
    sampler.reset();
    return bankml::Status::ok;
  });
}

uint32_t bankml_sampler_get_seed(const bankml_sampler* s) noexcept { return s == nullptr ? 0 : s->sampler->seed_in_use(); }

bankml_status bankml_sampler_set_seed(bankml_sampler* s, uint32_t seed) noexcept {
  return bankml::capi::alone(s, [&](bankml::Sampler& sampler, bankml::ErrorText&) {
    sampler.seed(seed);
    return bankml::Status::ok;
  });
}

bankml_status bankml_sampler_save(bankml_sampler* s, uint8_t* out, size_t cap, size_t* len) noexcept {
  return bankml::capi::alone(s, [&](bankml::Sampler& sampler, bankml::ErrorText& error) {
    return bankml::capi::copy_bytes(sampler.save(), out, cap, len, error);
  });
}

bankml_status bankml_sampler_load(bankml_sampler* s, const uint8_t* bytes, size_t len) noexcept {
  return bankml::capi::alone(s, [&](bankml::Sampler& sampler, bankml::ErrorText& error) {
    if (bytes == nullptr && len > 0) return error.set(bankml::Status::arg, "bytes is NULL, but len is %zu", len);
    sampler.load(bankml::capi::text_of(bytes, len));
    return bankml::Status::ok;
  });
}

size_t bankml_sampler_step_count(const bankml_sampler* s) noexcept { return s == nullptr ? 0 : s->sampler->steps().size(); }

const char* bankml_sampler_step_name(const bankml_sampler* s, size_t i) noexcept {
  return s == nullptr || i >= s->sampler->steps().size() ? nullptr : s->sampler->steps()[i]->name();
}

const char* bankml_sampler_plan_name(const bankml_sampler* s) noexcept { return s == nullptr ? nullptr : s->sampler->plan_name(); }

const char* bankml_sampler_warning(const bankml_sampler* s, size_t i) noexcept {
  return s == nullptr || i >= s->sampler->warnings().size() ? nullptr : s->sampler->warnings()[i].c_str();
}

size_t bankml_sampler_bytes(const bankml_sampler* s) noexcept { return s == nullptr ? 0 : sizeof *s + s->sampler->bytes(); }

bankml_status bankml_sampler_perf(bankml_sampler* s, bankml_perf* out, int32_t reset) noexcept {
  return bankml::capi::alone(s, [&](bankml::Sampler& sampler, bankml::ErrorText& error) {
    if (out == nullptr) return error.set(bankml::Status::arg, "out is NULL");
    if (out->struct_size < sizeof *out) {
      return error.set(bankml::Status::arg, "struct_size is %u, this version's is %zu", out->struct_size, sizeof *out);
    }
    const bankml::Perf& perf = sampler.perf;
    *out = {out->struct_size,
            0,
            perf.draws,
            perf.accepts,
            perf.redraws,
            perf.prob_calls,
            perf.work.full_sets,
            perf.work.full_sorts,
            perf.work.exps,
            perf.work.dry_visits,
            perf.work.random_outputs,
            perf.sample_us,
            perf.accept_us};
    if (reset != 0) sampler.perf = bankml::Perf{};
    return bankml::Status::ok;
  });
}

bankml_status bankml_sampler_clock(bankml_sampler* s, int32_t on) noexcept {
  return bankml::capi::alone(s, [&](bankml::Sampler& sampler, bankml::ErrorText&) {
    sampler.clock_on = on != 0;
    return bankml::Status::ok;
  });
}

}  // extern "C"
