#include "core/chain/opening.h"

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "core/candidates/fast_bucket_top_k.h"
#include "core/candidates/fast_min_p.h"
#include "core/candidates/fast_top_k.h"
#include "core/chain/try_draw.h"
#include "core/chain/try_dynamic.h"
#include "core/chain/try_mirostat.h"
#include "core/chain/try_top_n_sigma.h"
#include "core/chain/try_top_p.h"
#include "core/chain/try_typical.h"
#include "core/chain/try_xtc.h"
#include "core/steps/draw.h"
#include "core/steps/mirostat.h"
#include "core/steps/mirostat_v2.h"
#include "core/steps/temperature.h"
#include "core/steps/top_n_sigma.h"
#include "core/steps/top_p.h"
#include "core/steps/typical.h"
#include "core/steps/xtc.h"

namespace bankml {
namespace opening_detail {

// Room for survivors of min_p; a row with more of them takes the plain opening.
constexpr size_t min_p_scratch_k = 256;
// Room for a nucleus.
constexpr size_t top_p_scratch_k = 256;

// Room for the head of a row that is ordered as a whole.
constexpr size_t head_scratch_k = 4096;

// Beyond this k the collected tokens are so many that ordering them costs what the plain sort costs.
constexpr size_t largest_bucket_k = 4096;

// Up to here the plain steps are as fast as lazy buckets, of which each holds a few tokens.
constexpr size_t small_row = 512;

bool is_sparse(const Step& step) {
  for (const char* name : {"logit_bias", "penalties", "dry"}) {
    if (std::strcmp(step.name(), name) == 0) return true;
  }
  return false;
}

// Windows that grow have no bound for a list of edits.
bool bounded(const std::unique_ptr<Step>& step) { return step->edit_capacity() > 0; }

bool disabled(const Params& params, const char* name) {
  return std::find(params.disable.begin(), params.disable.end(), name) != params.disable.end();
}

}  // namespace opening_detail

// The table, each behind [sparse steps]: top_k 1..128 -> "top_k"; top_k 129..4096 -> "bucket_top_k"; min_p -> "min_p";
// [temperature] dist -> "draw"; [temperature] mirostat or mirostat_v2 -> these; xtc [temperature] dist -> "xtc"; dynamic
// temperature, dist -> "dynamic_temperature"; typical [temperature] dist -> "typical"; top_p -> "top_p"; top_n_sigma, top_k 1..128
// -> "top_n_sigma"; anything else -> plain.
Opening::Opening(const Params& params, const std::vector<std::unique_ptr<Step>>& steps, size_t n_vocab) {
  using namespace opening_detail;
  while (sparse_ < steps.size() && is_sparse(*steps[sparse_])) ++sparse_;
  if (sparse_ == steps.size()) return;
  if (!std::all_of(steps.begin(), steps.begin() + static_cast<std::ptrdiff_t>(sparse_), bounded)) return;
  const char* const truncation = steps[sparse_]->name();
  length_ = sparse_ + 1;
  if (choose_ending(steps, params, n_vocab)) return;
  if (std::strcmp(truncation, "min_p") == 0 && !disabled(params, "min_p")) {
    kind_ = Kind::min_p;
    k_ = std::min(min_p_scratch_k, n_vocab);
    min_p_ = params.min_p;
    min_keep_ = static_cast<size_t>(params.min_keep);
    return;
  }
  const size_t k = std::min(static_cast<size_t>(std::max(params.top_k, 1)), n_vocab);
  const bool top_k_next = sparse_ + 1 < steps.size() && std::strcmp(steps[sparse_ + 1]->name(), "top_k") == 0;
  if (std::strcmp(truncation, "top_n_sigma") == 0 && top_k_next && k <= FastScratch::heap_k && !disabled(params, "top_n_sigma")) {
    kind_ = Kind::top_n_sigma;
    k_ = k;
    sigma_ = params.top_n_sigma;
    length_ = sparse_ + 2;
    return;
  }
  if (std::strcmp(truncation, "top_p") == 0 && !disabled(params, "top_p")) {
    kind_ = Kind::top_p;
    k_ = std::min(top_p_scratch_k, n_vocab);
    draw_follows_ = ends_in_draw(steps, sparse_ + 1);
    return;
  }
  if (std::strcmp(truncation, "typical") == 0 && !disabled(params, "typical") && ends_in_draw(steps, sparse_ + 1)) {
    kind_ = Kind::typical;
    k_ = std::min(head_scratch_k, n_vocab);
    length_ = steps.size();
    return;
  }
  if (std::strcmp(truncation, "top_k") != 0) return;
  if (k <= FastScratch::heap_k && !disabled(params, "top_k")) {
    kind_ = Kind::top_k;
  } else if (k > FastScratch::heap_k && k <= largest_bucket_k && k < n_vocab && !disabled(params, "bucket_top_k")) {
    kind_ = Kind::bucket_top_k;
  } else {
    return;
  }
  k_ = k;
}

// Whether all that is left from `at` on is a fixed temperature, if any, and dist.
bool Opening::ends_in_draw(const std::vector<std::unique_ptr<Step>>& steps, size_t at) noexcept {
  if (at + 2 == steps.size()) {
    const auto* const temperature = dynamic_cast<const Temperature*>(steps[at].get());
    if (temperature == nullptr || temperature->dynamic()) return false;
    t_ = temperature->t();
    ++at;
  }
  return at + 1 == steps.size() && std::strcmp(steps[at]->name(), "dist") == 0;
}

// Chains that end without an ordinary truncation: [xtc], a fixed temperature, if any, and a step that draws.
bool Opening::choose_ending(const std::vector<std::unique_ptr<Step>>& steps, const Params& params, size_t n_vocab) noexcept {
  using namespace opening_detail;
  size_t at = sparse_;
  const bool xtc = std::strcmp(steps[at]->name(), "xtc") == 0;
  if (xtc) ++at;
  bool dynamic = false;
  if (const auto* temperature = dynamic_cast<const Temperature*>(steps[at].get())) {
    dynamic = temperature->dynamic();
    t_ = temperature->t();
    ++at;
  }
  if (at + 1 != steps.size()) return false;
  struct Ending {
    const char* step;
    Kind kind;
  };
  constexpr Ending endings[] = {{"dist", Kind::draw}, {"mirostat", Kind::mirostat}, {"mirostat_v2", Kind::mirostat_v2}};
  for (const Ending& ending : endings) {
    if (std::strcmp(steps[at]->name(), ending.step) == 0) kind_ = xtc ? Kind::xtc : ending.kind;
  }
  if (dynamic) kind_ = kind_ == Kind::draw ? Kind::dynamic_temperature : Kind::plain;
  if (plain() || disabled(params, name())) {
    kind_ = Kind::plain;
    return false;
  }
  length_ = steps.size();
  if (kind_ == Kind::dynamic_temperature) k_ = std::min(head_scratch_k, n_vocab);
  return true;
}

const char* Opening::name() const noexcept {
  switch (kind_) {
    case Kind::top_k:
      return "top_k";
    case Kind::bucket_top_k:
      return "bucket_top_k";
    case Kind::min_p:
      return "min_p";
    case Kind::draw:
      return "draw";
    case Kind::top_n_sigma:
      return "top_n_sigma";
    case Kind::mirostat:
      return "mirostat";
    case Kind::mirostat_v2:
      return "mirostat_v2";
    case Kind::xtc:
      return "xtc";
    case Kind::top_p:
      return "top_p";
    case Kind::dynamic_temperature:
      return "dynamic_temperature";
    case Kind::typical:
      return "typical";
    case Kind::plain:
      break;
  }
  return "plain";
}

size_t Opening::set_capacity(size_t n_vocab) const noexcept {
  switch (kind_) {
    case Kind::top_k:
    case Kind::top_n_sigma:
      return k_;
    case Kind::bucket_top_k:
    case Kind::min_p:
    case Kind::top_p:
      return FastScratch::collect_capacity(n_vocab, k_);
    case Kind::draw:
      return 1;
    case Kind::mirostat:
    case Kind::mirostat_v2:
    case Kind::xtc:
    case Kind::dynamic_temperature:
    case Kind::typical:
    case Kind::plain:
      break;
  }
  return 0;
}

bool Opening::open(const Row& row, const std::vector<std::unique_ptr<Step>>& steps, bool keep, size_t& next, Candidates& set,
                   FastScratch& scratch) const noexcept {
  next = length_;
  if (row.n <= opening_detail::small_row && (kind_ == Kind::mirostat || kind_ == Kind::mirostat_v2 || kind_ == Kind::xtc)) {
    return false;
  }
  switch (kind_) {
    case Kind::top_k:
      return fast_top_k(row, k_, set, scratch);
    case Kind::bucket_top_k:
      return fast_bucket_top_k(row, k_, set, scratch);
    case Kind::min_p:
      return fast_min_p(row, min_p_, min_keep_, set, scratch);
    case Kind::draw:
      return !keep && try_draw(row, t_, static_cast<Dist&>(*steps.back()), set, scratch);
    case Kind::top_n_sigma:
      return try_top_n_sigma(row, sigma_, k_, set, scratch);
    case Kind::mirostat_v2:
      return try_mirostat_v2(row, t_, static_cast<MirostatV2&>(*steps.back()), keep, set, scratch);
    case Kind::mirostat:
      return try_mirostat(row, t_, static_cast<Mirostat&>(*steps.back()), keep, set, scratch);
    case Kind::xtc:
      return !keep && try_xtc(row, static_cast<Xtc&>(*steps[sparse_]), t_, static_cast<Dist&>(*steps.back()), set, scratch);
    case Kind::dynamic_temperature:
      return !keep &&
             try_dynamic(row, static_cast<const Temperature&>(*steps[sparse_]), static_cast<Dist&>(*steps.back()), set, scratch);
    case Kind::typical:
      return !keep &&
             try_typical(row, static_cast<const Typical&>(*steps[sparse_]), t_, static_cast<Dist&>(*steps.back()), set, scratch);
    case Kind::top_p: {
      bool drawn = false;
      Dist* const dist = draw_follows_ && !keep ? static_cast<Dist*>(steps.back().get()) : nullptr;
      if (!try_top_p(row, static_cast<const TopP&>(*steps[sparse_]), t_, dist, set, scratch, drawn)) return false;
      if (drawn) next = steps.size();
      return true;
    }
    case Kind::plain:
      break;
  }
  return false;
}

}  // namespace bankml
