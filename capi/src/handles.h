// What the opaque handles of bankml.h hold, and the guard at the border: no exception leaves the library, every failure becomes a
// status and a text.
#pragma once

#include <cstddef>
#include <cstdio>
#include <exception>
#include <memory>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "bankml.h"
#include "core/base/busy.h"
#include "core/base/error_text.h"
#include "core/base/status.h"
#include "core/batch/pool.h"
#include "core/candidates/workspace.h"
#include "core/chain/sampler.h"
#include "core/chain/texts.h"
#include "core/grammar/grammar.h"
#include "core/math/fp_mode.h"
#include "core/params/param_set.h"
#include "core/reply/reply.h"
#include "core/stop/stop_filter.h"
#include "core/vocab/vocab.h"

struct bankml_params {
  bankml::ParamSet set;
  std::vector<bankml::OpenText> texts;  // as the last text_count listed them
  mutable bankml::ErrorText error;      // const getters fail too, and say why
};

struct bankml_vocab {
  std::shared_ptr<const bankml::Vocab> vocab;
};

struct bankml_workspace {
  std::shared_ptr<bankml::Workspace> workspace;
};

struct bankml_sampler {
  std::unique_ptr<bankml::Sampler> sampler;
  bankml::ErrorText error;
};

struct bankml_grammar_options {
  bankml::grammar::Options options;
  bool dialect_named = false;
  bankml::ErrorText error;
};

struct bankml_grammar {
  explicit bankml_grammar(std::unique_ptr<bankml::grammar::Grammar> made) : grammar(std::move(made)) {}
  std::unique_ptr<bankml::grammar::Grammar> grammar;
  bankml::ErrorText error;
  mutable bankml::BusyFlag busy;
  std::vector<uint32_t> padded;  // the mask for a sampler with more ids than the vocabulary
};

struct bankml_pool {
  bankml_pool(size_t n_threads, size_t n_vocab) : pool(n_threads, n_vocab) {}
  bankml::Pool pool;
  bankml::ErrorText error;
};

struct bankml_stop {
  explicit bankml_stop(bankml::StopFilter made) : filter(std::move(made)) {}
  bankml::StopFilter filter;
  bankml::ErrorText error;
  mutable bankml::BusyFlag busy;
};

struct bankml_reply {
  explicit bankml_reply(bankml::reply::Reply made) : reply(std::move(made)) {}
  bankml::reply::Reply reply;
  bankml::ErrorText error;
  bankml::BusyFlag busy;
};

namespace bankml::capi {

// Runs `body`, which returns a Status and may throw, in the floating-point mode that all arithmetic here assumes: not only draws
// compute, numbers are parsed and rounded, and accept moves averages.
template <class Body>
bankml_status guard(ErrorText& error, Body&& body) noexcept {
  const math::FpModeGuard fp_mode;
  try {
    error.clear();
    return static_cast<bankml_status>(body());
  } catch (const Failure& failure) {
    return static_cast<bankml_status>(error.set(failure.status(), "%s", failure.text().c_str()));
  } catch (const std::bad_alloc&) {
    return static_cast<bankml_status>(error.set(Status::nomem, "out of memory"));
  } catch (const std::exception& exception) {
    return static_cast<bankml_status>(error.set(Status::internal, "internal error: %s", exception.what()));
  } catch (...) {
    return static_cast<bankml_status>(error.set(Status::internal, "internal error"));
  }
}

// The same for a constructor: NULL and a text in the caller's buffer on failure.
template <class Handle, class Body>
Handle* construct(char* err, size_t err_cap, Body&& body) noexcept {
  ErrorText error;
  Handle* made = nullptr;
  guard(error, [&] {
    std::unique_ptr<Handle> handle = body();
    made = handle.release();
    return Status::ok;
  });
  if (err != nullptr && err_cap > 0) std::snprintf(err, err_cap, "%s", made == nullptr ? error.c_str() : "");
  return made;
}

// Copies a text to the caller's buffer; *needed counts the terminating zero.
inline Status copy_text(const std::string& text, char* out, size_t cap, size_t* needed, ErrorText& error) {
  if (needed != nullptr) *needed = text.size() + 1;
  if (out == nullptr && cap > 0) return error.set(Status::arg, "out is NULL, but cap is %zu", cap);
  if (cap < text.size() + 1) return error.set(Status::buffer, "the text needs %zu bytes, the buffer has %zu", text.size() + 1, cap);
  text.copy(out, text.size());
  out[text.size()] = '\0';
  return Status::ok;
}

}  // namespace bankml::capi
