#include "core/math/fp_env.h"

#include "core/chain/sampler.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "core/candidates/fast_row_scan.h"
#include "core/chain/plan.h"
#include "core/math/fp_mode.h"
#include "core/order/introsort.h"
#include "core/random/seed_value.h"

namespace bankml {
namespace sampler_detail {

uint32_t chosen_seed(uint32_t requested) { return requested == random_seed ? random::random_seed_value() : requested; }

size_t checked_n_vocab(const Vocab* vocab, size_t n_vocab) {
  if (vocab == nullptr && n_vocab == 0) throw Failure(Status::arg, "n_vocab is 0, and there is no vocabulary to take it from");
  if (vocab != nullptr && n_vocab != 0 && n_vocab < vocab->size()) {
    throw Failure(Status::arg,
                  "n_vocab " + std::to_string(n_vocab) + " is smaller than the vocabulary's " + std::to_string(vocab->size()));
  }
  const size_t n = n_vocab != 0 ? n_vocab : vocab->size();
  if (n == 0) throw Failure(Status::arg, "the vocabulary is empty");
  if (n > static_cast<size_t>(std::numeric_limits<int32_t>::max())) {
    throw Failure(Status::arg, "n_vocab " + std::to_string(n) + " is above 2147483647");
  }
  return n;
}

size_t edit_capacity(const std::vector<std::unique_ptr<Step>>& steps, const Opening& opening) {
  size_t capacity = 0;
  for (size_t i = 0; !opening.plain() && i < opening.sparse(); ++i) capacity += steps[i]->edit_capacity();
  return capacity;
}

// Adds the microseconds of its scope, if a clock is wanted at all.
class Stopwatch {
 public:
  Stopwatch(bool on, double& total) : total_(on ? &total : nullptr) {
    if (total_ != nullptr) start_ = std::chrono::steady_clock::now();
  }
  ~Stopwatch() {
    if (total_ != nullptr) *total_ += std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start_).count();
  }
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;

 private:
  double* total_;
  std::chrono::steady_clock::time_point start_;
};

}  // namespace sampler_detail

Sampler::Sampler(const Params& params, std::shared_ptr<const Vocab> vocab, size_t n_vocab, const simd::Kernels& kernels)
    : params_(params),
      vocab_(std::move(vocab)),
      n_vocab_(sampler_detail::checked_n_vocab(vocab_.get(), n_vocab)),
      kernels_(&kernels),
      requested_seed_(params.seed),
      seed_in_use_(sampler_detail::chosen_seed(params.seed)),
      steps_(build_steps(params_, vocab_, n_vocab_, seed_in_use_, warnings_)),
      opening_(params_, steps_, n_vocab_),
      fast_(n_vocab_, opening_.scratch_k(), opening_.needs_masses()),
      edits_(sampler_detail::edit_capacity(steps_, opening_)),
      small_(std::min(n_vocab_, std::max(small_set_capacity, opening_.set_capacity(n_vocab_)))) {
  make_storage();
}

Sampler::Sampler(const Sampler& other)
    : params_(other.params_),
      vocab_(other.vocab_),
      n_vocab_(other.n_vocab_),
      kernels_(other.kernels_),
      requested_seed_(other.requested_seed_),
      seed_in_use_(other.seed_in_use_),
      warnings_(other.warnings_),
      opening_(other.opening_),
      fast_(n_vocab_, opening_.scratch_k(), opening_.needs_masses()),
      small_(other.small_.capacity()),
      keep_(other.keep_) {
  steps_.reserve(other.steps_.size());
  for (const auto& step : other.steps_) steps_.push_back(step->clone());
  edits_.reserve(sampler_detail::edit_capacity(steps_, opening_));
  clock_on = other.clock_on;
  if (other.workspace_lent_) {
    workspace_ = other.workspace_;
    workspace_lent_ = true;
  }
  make_storage();
}

std::unique_ptr<Sampler> Sampler::clone() const { return std::unique_ptr<Sampler>(new Sampler(*this)); }

// A set of the whole vocabulary is needed unless the opening always succeeds, or the vocabulary is small.
bool Sampler::needs_workspace() const noexcept { return opening_.may_fall_back() && n_vocab_ > small_.capacity(); }

void Sampler::make_storage() {
  set_.n_vocab = n_vocab_;
  set_.kernels = kernels_;
  set_.work = &perf.work;
  if (workspace_ == nullptr && needs_workspace()) workspace_ = std::make_shared<Workspace>(n_vocab_);
}

void Sampler::use_workspace(std::shared_ptr<Workspace> workspace) {
  if (workspace != nullptr && workspace->capacity() < n_vocab_) {
    throw Failure(Status::length, "the workspace is for " + std::to_string(workspace->capacity()) + " tokens, n_vocab is " +
                                      std::to_string(n_vocab_));
  }
  const bool lent = workspace != nullptr;
  if (!lent && !workspace_lent_) return;  // it has its own already, if it needs one
  if (!lent && needs_workspace()) workspace = std::make_shared<Workspace>(n_vocab_);
  workspace_ = std::move(workspace);
  workspace_lent_ = lent;
  kept_in_ = nullptr;
}

Status Sampler::accept(const int32_t* tokens, size_t n, ErrorText& error) {
  const sampler_detail::Stopwatch watch(clock_on, perf.accept_us);
  for (size_t i = 0; i < n; ++i) {
    if (tokens[i] < 0 || static_cast<size_t>(tokens[i]) >= n_vocab_) {
      return error.set(Status::token, "token %d at place %zu is outside [0, %zu)", tokens[i], i, n_vocab_);
    }
  }
  for (const auto& step : steps_) step->reserve(n);
  for (size_t i = 0; i < n; ++i) {
    for (const auto& step : steps_) step->accept(tokens[i]);
  }
  perf.accepts += n;
  return Status::ok;
}

Status Sampler::sample(const float* logits, size_t n, const uint32_t* mask, int32_t* token, ErrorText& error) noexcept {
  const sampler_detail::Stopwatch watch(clock_on, perf.sample_us);
  if (n != n_vocab_) return error.set(Status::length, "n is %zu, the sampler's n_vocab is %zu", n, n_vocab_);
  const math::FpModeGuard fp_mode;
  Row row{logits, n, mask, nullptr};
  const Status scanned = fast_scan_row(row, fast_, *kernels_, error);
  if (scanned != Status::ok) return scanned;
  return draw(mask, token, error, [&](size_t& next) { return open_row(row, next, error); });
}

Status Sampler::sample_candidates(const int32_t* ids, const float* logits, size_t n, int32_t* token, ErrorText& error) noexcept {
  const sampler_detail::Stopwatch watch(clock_on, perf.sample_us);
  if (n == 0) return error.set(Status::no_candidate, "no candidates were given");
  if (n > n_vocab_) return error.set(Status::length, "n is %zu candidates, the sampler's n_vocab is %zu", n, n_vocab_);
  if (n > small_.capacity() && workspace_ == nullptr) {
    return error.set(Status::arg, "%zu candidates need a workspace (at most %zu fit without one)", n, small_.capacity());
  }
  const math::FpModeGuard fp_mode;
  return draw(nullptr, token, error, [&](size_t& next) {
    next = 0;
    return fill_candidates(ids, logits, n, error);
  });
}

// Checks pairs that a device selected and makes them the set, in the order given.
Status Sampler::fill_candidates(const int32_t* ids, const float* logits, size_t n, ErrorText& error) noexcept {
  if (const Status lent = lend_set(n, error); lent != Status::ok) return lent;
  int32_t* const seen = reinterpret_cast<int32_t*>(set_.scratch);  // n ids fit: a candidate is larger
  bool any = false;
  for (size_t i = 0; i < n; ++i) {
    if (ids[i] < 0 || static_cast<size_t>(ids[i]) >= n_vocab_) {
      return error.set(Status::token, "token %d at place %zu is outside [0, %zu)", ids[i], i, n_vocab_);
    }
    if (!(logits[i] <= std::numeric_limits<float>::max())) {
      return error.set(Status::nonfinite, "logit %f of token %d is not finite", static_cast<double>(logits[i]), ids[i]);
    }
    any = any || logits[i] >= std::numeric_limits<float>::lowest();
    seen[i] = ids[i];
  }
  if (!any) return error.set(Status::no_candidate, "all %zu logits are -inf", n);
  order::introsort(seen, seen + n, [](int32_t a, int32_t b) { return a < b; });
  for (size_t i = 1; i < n; ++i) {
    if (seen[i] == seen[i - 1]) return error.set(Status::token, "token %d is listed twice", seen[i]);
  }
  for (size_t i = 0; i < n; ++i) set_.data[i] = {ids[i], logits[i], 0.0f};
  set_.size = n;
  return Status::ok;
}

// One draw, from whatever `open_set` makes: engines advance on success only. The workspace is left last, since from then on another
// thread may fill it.
template <class Open>
Status Sampler::draw(const uint32_t* mask, int32_t* token, ErrorText& error, Open&& open_set) noexcept {
  kept_in_ = nullptr;
  for (const auto& step : steps_) {
    if (!second_) step->mark();
  }
  size_t next = 0;
  Status status = open_set(next);
  if (status == Status::ok) status = run_steps(next, error);
  if (status == Status::ok) status = check_selected(mask, error);
  if (status == Status::ok) {
    *token = set_.data[set_.selected].id;
    ++perf.draws;
    if (keep_) {
      kept_in_ = lent_;
      kept_generation_ = lent_->generation;
    }
  } else {
    for (const auto& step : steps_) step->rewind();
  }
  if (lent_ != nullptr) lent_->busy.leave();
  lent_ = nullptr;
  return status;
}

Status Sampler::sample_again(const float* logits, size_t n, const uint32_t* mask, int32_t* token, ErrorText& error) noexcept {
  second_ = true;
  const Status status = sample(logits, n, mask, token, error);
  second_ = false;
  if (status == Status::ok) {
    ++perf.redraws;
  } else {
    take_back();  // some failures are found before the steps run
  }
  return status;
}

void Sampler::take_back() noexcept {
  for (const auto& step : steps_) step->rewind();
  kept_in_ = nullptr;
  --perf.draws;
}

// A chain may drop every token but one at -inf and select that (xtc behind temperature 0, typical with a negative p): the
// reference's answer, but not where a mask forbids it.
Status Sampler::check_selected(const uint32_t* mask, ErrorText& error) const noexcept {
  if (mask == nullptr) return Status::ok;
  const auto id = static_cast<size_t>(set_.data[set_.selected].id);
  if ((mask[id / 32] >> (id % 32) & 1u) != 0) return Status::ok;
  return error.set(Status::no_candidate, "the steps dropped every allowed token and left token %zu, which the mask forbids", id);
}

// Points the set at arrays that hold `n` candidates.
Status Sampler::lend_set(size_t n, ErrorText& error) noexcept {
  Workspace* const large = borrowed_ != nullptr ? borrowed_ : workspace_.get();
  Workspace* const place = n <= small_.capacity() ? &small_ : large;
  if (lent_ != nullptr) lent_->busy.leave();
  lent_ = nullptr;
  if (!place->busy.enter()) return error.set(Status::busy, "the workspace is in use by another thread");
  lent_ = place;
  place->lend(set_);
  return Status::ok;
}

// The first set from the caller's row: the fast opening if there is one and it can prove its result, else every token.
Status Sampler::open_row(Row& row, size_t& next, ErrorText& error) noexcept {
  if (!opening_.plain()) {
    edits_.clear();
    row.edits = &edits_;
    bool sparse = true;
    for (size_t i = 0; i < opening_.sparse() && sparse; ++i) sparse = steps_[i]->edit(row, perf.work);
    if (sparse) {
      edits_.sort();
      if (const Status unusable = check_edits(error); unusable != Status::ok) return unusable;
      if (const Status lent = lend_set(opening_.needs_whole_set() ? n_vocab_ : opening_.set_capacity(n_vocab_), error);
          lent != Status::ok)
        return lent;
      if (opening_.open(row, steps_, keep_, next, set_, fast_)) return Status::ok;
      if (!opening_.may_fall_back()) return error.set(Status::no_candidate, "every token is forbidden or has logit -inf");
    }
    row.edits = nullptr;
  }
  next = 0;
  return fill_set(row, error);
}

// Parameters may make a logit that no chain can draw from (a penalty that overflows); an opening would not look at all of them.
Status Sampler::check_edits(ErrorText& error) const noexcept {
  for (const Edit& edit : edits_) {
    if (!(edit.logit <= std::numeric_limits<float>::max())) {
      return error.set(Status::nonfinite, "the parameters made the logit of token %d %f", edit.id, static_cast<double>(edit.logit));
    }
  }
  return Status::ok;
}

Status Sampler::fill_set(const Row& row, ErrorText& error) noexcept {
  if (const Status lent = lend_set(row.n, error); lent != Status::ok) return lent;
  for (size_t i = 0; i < row.n; ++i) {
    set_.data[i] = {static_cast<int32_t>(i), row.allowed(i) ? row.logits[i] : -std::numeric_limits<float>::infinity(), 0.0f};
  }
  set_.size = row.n;
  ++perf.work.full_sets;
  return Status::ok;
}

// What biases and penalties left: the answers of an opening (check_edits), so that they do not depend on the way a draw takes. A
// banned token must never be the only candidate of a later truncation.
Status Sampler::check_set(ErrorText& error) const noexcept {
  bool possible = false;
  for (size_t i = 0; i < set_.size; ++i) {
    const Candidate& c = set_.data[i];
    if (!(c.logit <= std::numeric_limits<float>::max())) {
      return error.set(Status::nonfinite, "the parameters made the logit of token %d %f", c.id, static_cast<double>(c.logit));
    }
    possible = possible || c.logit != -std::numeric_limits<float>::infinity();
  }
  return possible ? Status::ok : error.set(Status::no_candidate, "every token is forbidden or has logit -inf");
}

Status Sampler::run_steps(size_t from, ErrorText& error) noexcept {
  for (size_t i = from; i < steps_.size(); ++i) {
    if (const Status status = steps_[i]->apply(set_, error); status != Status::ok) return status;
    if (i + 1 == opening_.sparse()) {
      if (const Status status = check_set(error); status != Status::ok) return status;
    }
  }
  if (set_.selected >= set_.size) return error.set(Status::no_candidate, "the chain selected no token");
  return Status::ok;
}

void Sampler::keep(bool on) noexcept {
  keep_ = on;
  if (!on) kept_in_ = nullptr;
}

const Candidates* Sampler::kept() const noexcept {
  return kept_in_ != nullptr && kept_in_->generation == kept_generation_ ? &set_ : nullptr;
}

void Sampler::reset() {
  seed_in_use_ = sampler_detail::chosen_seed(requested_seed_);
  for (const auto& step : steps_) step->reset(seed_in_use_);
  kept_in_ = nullptr;
}

void Sampler::seed(uint32_t value) {
  seed_in_use_ = sampler_detail::chosen_seed(value);
  requested_seed_ = value;
  for (const auto& step : steps_) step->seed(seed_in_use_);
}

size_t Sampler::bytes() const noexcept {
  size_t total = sizeof *this + fast_.bytes() + edits_.bytes() + small_.bytes();
  for (const auto& step : steps_) total += step->bytes();
  if (workspace_ != nullptr && !workspace_lent_) total += workspace_->bytes();
  return total;
}

}  // namespace bankml
