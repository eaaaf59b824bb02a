// One sequence's sampler: the chain built from params, its state, and the ways to draw.
//
// A draw takes one of two openings. The fast one (chain/opening.h) reads the caller's row and a few edits and writes the first
// short set; the plain one fills a set with every token. The remaining steps are the same. Whatever fails, the state is as it was
// before the call: steps mark their engines before a draw and rewind them after a failure.
//
// Threads: one at a time; `busy` detects overlap (the border checks it). Draws and accepts do not allocate.
// Tested by tests/chain/sampler.cpp
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/busy.h"
#include "core/base/error_text.h"
#include "core/base/status.h"
#include "core/candidates/candidates.h"
#include "core/candidates/edits.h"
#include "core/candidates/workspace.h"
#include "core/chain/opening.h"
#include "core/params/params.h"
#include "core/steps/step.h"
#include "core/vocab/vocab.h"

namespace bankml {

// Sets of at most this many candidates live in the sampler itself; larger ones in a workspace.
constexpr size_t small_set_capacity = 1024;

inline constexpr const char* nothing_kept =
    "no candidates are kept: keeping is off, or there was no draw since, or the workspace has been used by another sampler";

struct Perf {
  uint64_t draws = 0;
  uint64_t accepts = 0;
  uint64_t redraws = 0;
  uint64_t prob_calls = 0;
  Work work;
  double sample_us = 0;
  double accept_us = 0;
};

class Sampler {
 public:
  // n_vocab 0 = the vocabulary's size. Throws Failure (arg, open_text) naming what is wrong.
  Sampler(const Params& params, std::shared_ptr<const Vocab> vocab, size_t n_vocab, const simd::Kernels& kernels = simd::kernels());
  std::unique_ptr<Sampler> clone() const;

  size_t n_vocab() const noexcept { return n_vocab_; }
  // Whether the vocabulary says that the token ends a generation; false without a vocabulary.
  bool ends(int32_t token) const noexcept { return vocab_ != nullptr && vocab_->contains(token) && vocab_->is_eog(token); }
  const simd::Kernels& kernels() const noexcept { return *kernels_; }

  void use_workspace(std::shared_ptr<Workspace> workspace);  // nullptr = its own; throws Failure(length)

  // Until the next call of borrow, large sets go to `workspace` (nullptr = back to its own), if it is large enough and nothing
  // is kept: what is kept must stay where no other sampler draws.
  void borrow(Workspace* workspace) noexcept {
    borrowed_ = workspace != nullptr && !keep_ && workspace->capacity() >= n_vocab_ ? workspace : nullptr;
  }

  // All or nothing. May throw bad_alloc (a window above 65,536 that has to grow), with nothing changed.
  Status accept(const int32_t* tokens, size_t n, ErrorText& error);

  // mask may be nullptr.
  Status sample(const float* logits, size_t n, const uint32_t* mask, int32_t* token, ErrorText& error) noexcept;
  // The second of two draws that stand or fall together: after sample gave a token that is refused, under a mask. Both count for
  // the engines; if this one fails, the state is as before the first.
  Status sample_again(const float* logits, size_t n, const uint32_t* mask, int32_t* token, ErrorText& error) noexcept;
  void take_back() noexcept;  // the last draw, before anything else is called
  Status sample_candidates(const int32_t* ids, const float* logits, size_t n, int32_t* token, ErrorText& error) noexcept;

  void keep(bool on) noexcept;
  // The set of the last draw, or nullptr if it was not kept or its workspace has been used since. Its `scratch` is free to use.
  const Candidates* kept() const noexcept;
  // Runs `read` on that set, alone on its workspace. not_kept, or busy where another thread draws on the workspace.
  template <class Read>
  Status with_kept(ErrorText& error, Read&& read) {
    if (kept_in_ == nullptr) return error.set(Status::not_kept, "%s", nothing_kept);
    const BusyScope alone(kept_in_->busy);
    if (!alone.entered()) return error.set(Status::busy, "the workspace is in use by another thread");
    return kept() != nullptr ? read(set_) : error.set(Status::not_kept, "%s", nothing_kept);
  }

  void reset();
  void seed(uint32_t value);
  // The state as portable bytes (state.h), and back; load throws Failure(state) for foreign or damaged bytes, nothing changed.
  std::string save() const;
  void load(std::string_view bytes);
  uint32_t seed_in_use() const noexcept { return seed_in_use_; }

  const std::vector<std::unique_ptr<Step>>& steps() const noexcept { return steps_; }
  const char* plan_name() const noexcept { return opening_.name(); }
  const std::vector<std::string>& warnings() const noexcept { return warnings_; }
  size_t bytes() const noexcept;

  BusyFlag busy;
  Perf perf;
  bool clock_on = false;

 private:
  Sampler(const Sampler& other);
  void make_storage();
  bool needs_workspace() const noexcept;
  template <class Open>
  Status draw(const uint32_t* mask, int32_t* token, ErrorText& error, Open&& open_set) noexcept;
  Status lend_set(size_t n, ErrorText& error) noexcept;
  Status open_row(Row& row, size_t& next, ErrorText& error) noexcept;
  Status check_edits(ErrorText& error) const noexcept;
  Status fill_set(const Row& row, ErrorText& error) noexcept;
  Status fill_candidates(const int32_t* ids, const float* logits, size_t n, ErrorText& error) noexcept;
  Status check_set(ErrorText& error) const noexcept;
  Status check_selected(const uint32_t* mask, ErrorText& error) const noexcept;
  Status run_steps(size_t from, ErrorText& error) noexcept;

  Params params_;
  std::shared_ptr<const Vocab> vocab_;
  size_t n_vocab_;
  const simd::Kernels* kernels_;
  uint32_t requested_seed_;
  uint32_t seed_in_use_;
  std::vector<std::string> warnings_;
  std::vector<std::unique_ptr<Step>> steps_;
  Opening opening_;
  FastScratch fast_;
  Edits edits_;
  Workspace small_;
  std::shared_ptr<Workspace> workspace_;  // lent or own; nullptr while none is needed
  bool workspace_lent_ = false;
  Workspace* borrowed_ = nullptr;  // of the pool's thread that draws
  Candidates set_;
  Workspace* lent_ = nullptr;  // where the set of the draw under way lies
  bool second_ = false;        // the draw under way is sample_again's
  bool keep_ = false;
  Workspace* kept_in_ = nullptr;  // where the kept set lies; nullptr = none
  uint64_t kept_generation_ = 0;
};

}  // namespace bankml
