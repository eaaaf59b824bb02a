// penalties: see penalties.h.
//
// Computes: for each candidate that occurs c > 0 times in the window: logit <= 0 is multiplied by `repeat`, a positive one divided
// by it; then float(c) * frequency + presence, summed first, is taken off. Sources: the repetition penalty of CTRL (Keskar et al.
// 2019), with llama.cpp's correction for logits below zero, which the paper's rule would make more likely; the other two are
// OpenAI's. Quirks kept: a logit of zero is multiplied (so -0 stays -0); `sorted` is cleared even where no candidate was touched.
// A logit of -inf stays -inf even where the penalty overflows.
//
// Tested by tests/steps/penalties.cpp
#include "core/math/fp_env.h"

#include "core/steps/penalties.h"

#include "core/steps/by_id.h"

namespace bankml {

float Penalties::penalised(float logit, uint32_t count) const noexcept {
  if (is_banned(logit)) return logit;
  if (logit <= 0.0f) {
    logit *= repeat_;
  } else {
    logit /= repeat_;
  }
  const float off = static_cast<float>(count) * frequency_ + presence_;
  return logit - off;
}

Status Penalties::apply(Candidates& set, ErrorText&) noexcept {
  if (all_at_home(set, window_.begin(), window_.end(), [](const TokenWindow::Seen& s) { return s.token; })) {
    for (const TokenWindow::Seen& seen : window_) set.data[seen.token].logit = penalised(set.data[seen.token].logit, seen.count);
  } else {
    for (size_t i = 0; i < set.size; ++i) {
      const uint32_t count = window_.count_of(set.data[i].id);
      if (count > 0) set.data[i].logit = penalised(set.data[i].logit, count);
    }
  }
  set.sorted = false;
  return Status::ok;
}

bool Penalties::edit(Row& row, Work&) noexcept {
  if (window_.distinct() > edit_capacity()) return false;
  for (const TokenWindow::Seen& seen : window_) {
    if (seen.token < 0 || static_cast<size_t>(seen.token) >= row.n || !row.allowed(static_cast<size_t>(seen.token))) continue;
    float* logit = row.edits->at(seen.token, row.logits[seen.token]);
    if (logit == nullptr) return false;
    *logit = penalised(*logit, seen.count);
  }
  return true;
}

}  // namespace bankml
