// Drafts: draws and accepts token by token, exactly as a host does without a draft, until a token differs from the drafted one.
//
// Source of the idea: Leviathan et al. 2023 and Chen et al. 2023, in the form that keeps a seeded sampler's tokens: what is compared is
// the token that would be drawn, not a ratio of probabilities. Tested by tests/capi/verify.c
#include <optional>
#include <string>

#include "capi/src/alone.h"
#include "capi/src/constrained.h"
#include "capi/src/handles.h"

namespace bankml::capi {

// Takes back what sampler and grammar accepted, unless everything went well.
class Undo {
 public:
  Undo(Sampler& sampler, bankml_grammar* grammar) : sampler_(sampler), grammar_(grammar), before_(sampler.save()) {}
  ~Undo() {
    if (done_) return;
    ErrorText ignored;
    sampler_.load(before_);
    if (grammar_ != nullptr) grammar_->grammar->rollback(accepted_, ignored);
  }
  Undo(const Undo&) = delete;
  Undo& operator=(const Undo&) = delete;

  void grammar_accepted() noexcept { ++accepted_; }
  void done() noexcept { done_ = true; }

 private:
  Sampler& sampler_;
  bankml_grammar* grammar_;
  std::string before_;
  size_t accepted_ = 0;
  bool done_ = false;
};

Status verify(Sampler& sampler, bankml_grammar* g, const float* rows, size_t n_logits, const int32_t* drafted, size_t n, int32_t* out,
              size_t* count, ErrorText& error) {
  Undo undo(sampler, g);
  size_t drawn = 0;
  for (bool more = true; more; ++drawn) {
    const float* const row = rows + drawn * n_logits;
    int32_t token = -1;
    Status status = g == nullptr ? sampler.sample(row, n_logits, nullptr, &token, error)
                                 : sample_constrained(sampler, row, n_logits, *g, 0, &token, nullptr, error);
    if (status != Status::ok) return status;
    if (g != nullptr) {
      status = g->grammar->accept(&token, 1, error);
      if (status != Status::ok) return status;
      undo.grammar_accepted();
    }
    status = sampler.accept(&token, 1, error);
    if (status != Status::ok) return status;
    out[drawn] = token;
    more = drawn < n && token == drafted[drawn] && !sampler.ends(token);
  }
  *count = drawn;
  undo.done();
  return Status::ok;
}

}  // namespace bankml::capi

extern "C" {

bankml_status bankml_sampler_verify(bankml_sampler* s, bankml_grammar* g, const float* rows, size_t n_logits, const int32_t* drafted,
                                    size_t n, int32_t* out, size_t* count) noexcept {
  return bankml::capi::alone(s, [&](bankml::Sampler& sampler, bankml::ErrorText& error) {
    if (rows == nullptr || out == nullptr || count == nullptr || (drafted == nullptr && n > 0))
      return error.set(bankml::Status::arg, "rows, drafted, out or count is NULL");
    if (g == nullptr) return bankml::capi::verify(sampler, nullptr, rows, n_logits, drafted, n, out, count, error);
    const bankml::BusyScope scope(g->busy);
    if (!scope.entered()) return error.set(bankml::Status::busy, "the grammar is in use by another thread");
    return bankml::capi::verify(sampler, g, rows, n_logits, drafted, n, out, count, error);
  });
}

}  // extern "C"
