// dry: see dry.h.
//
// Computes, with t(i) = the token i places from the end of a window of N tokens:
//   1. nothing, if N <= allowed;
//   2. the limit: the first place, from the end, where a breaker is complete caps every repeat to the tokens after it;
//   3. for every earlier place the length of the longest match between the end of the window and the part ending there, capped by
//   the limit;
//   4. the token that followed a match of at least `allowed` tokens gets off its logit multiplier * base^(length - allowed), the
//      longest match counting, unless the token alone is a breaker.
// Source: DRY, by p-e-w (text-generation-webui), as koboldcpp and llama.cpp run it. Step 3 is the Z algorithm (Gusfield 1997) on
// the reversed window: the matches of a prefix with every later place, in linear time, because each comparison that succeeds moves
// the right border of the known match. `dry_visits` counts those comparisons and the tokens tested for breakers. Quirks kept: a
// match of length zero counts where allowed = 0; the exponent is capped so that base^exponent stays a finite float, but only for
// base > 1.000001; the power is a double, its product rounded once to float; `sorted` is cleared once the early returns are passed,
// even if no token is touched. A logit of -inf stays -inf.
//
// Tested by tests/steps/dry.cpp
#include "core/math/fp_env.h"

#include "core/steps/dry.h"

#include <algorithm>
#include <limits>

#include "core/math/logf.h"
#include "core/math/pow.h"
#include "core/steps/by_id.h"

namespace bankml {

namespace dry_detail {

constexpr uint32_t no_place = 0xFFFFFFFFu;
constexpr float log_of_largest_float = 88.7228391f;

inline size_t exponent_cap(float base) noexcept {
  if (!(base > 1.000001f)) return std::numeric_limits<size_t>::max();
  return static_cast<size_t>(log_of_largest_float / math::logf(base));
}

}  // namespace dry_detail

Dry::Dry(float multiplier, float base, size_t allowed_length, size_t last_n, std::shared_ptr<const DryBreakers> breakers)
    : multiplier_(multiplier),
      base_(base),
      allowed_(allowed_length),
      exponent_cap_(dry_detail::exponent_cap(base)),
      breakers_(std::move(breakers)),
      window_(last_n),
      history_(window_.capacity()),
      lengths_(window_.capacity()),
      place_(window_.capacity(), dry_detail::no_place),
      penalties_(window_.capacity()) {}

void Dry::reserve(size_t n) {
  // Work space first: if the window then fails to grow, nothing has changed but spare room.
  const size_t wanted = window_.capacity_for(n);
  if (wanted > history_.size()) {
    history_.resize(wanted);
    lengths_.resize(wanted);
    place_.resize(wanted, dry_detail::no_place);
    penalties_.resize(wanted);
  }
  window_.reserve(n);
}

void Dry::load_state(StateReader& in, size_t n_vocab) {
  load_window(in, n_vocab, window_);
  reserve(0);  // the work space of a window that has grown
}

size_t Dry::bytes() const noexcept {
  return window_.bytes() + history_.capacity() * sizeof(int32_t) + (lengths_.capacity() + place_.capacity()) * sizeof(uint32_t) +
         penalties_.capacity() * sizeof(Penalty);
}

// The longest repeat that counts: up to the nearest complete breaker.
size_t Dry::repeat_limit(size_t n, Work& work) const noexcept {
  if (breakers_ == nullptr) return n;
  for (size_t i = 0; i < n; ++i) {
    if (!breakers_->is_head(history_[i])) continue;
    const size_t tail = breakers_->longest_tail(history_.data(), i);
    if (tail == DryBreakers::no_match) continue;
    work.dry_visits += i + 1;
    return i - tail;
  }
  work.dry_visits += n;
  return n;
}

// lengths_[i] = min(limit, length of the longest common prefix of history_ and history_ from i on), 1 <= i < n.
void Dry::match_lengths(size_t n, size_t limit, Work& work) noexcept {
  const int32_t* t = history_.data();
  size_t visits = 0;
  size_t left = 0;  // the known match that reaches furthest: t[left, right) equals the beginning of t
  size_t right = 0;
  for (size_t i = 1; i < n; ++i) {
    size_t length = 0;
    if (i < right) {
      // Inside the known match this place looks like place i - left. A length capped there to less than what remains was not cut
      // off by the border of the match: it is the answer, capped or not.
      const size_t inner = lengths_[i - left];
      if (inner < right - i) {
        lengths_[i] = static_cast<uint32_t>(inner);
        continue;
      }
      length = right - i;
    }
    while (i + length < n && t[length] == t[i + length]) ++length;
    visits += length + 1 - (i < right ? right - i : 0);
    if (length > 0) {
      left = i;
      right = i + length;
    }
    lengths_[i] = static_cast<uint32_t>(std::min(length, limit));
  }
  work.dry_visits += visits;
}

float Dry::penalty(size_t length) const noexcept {
  const size_t exponent = std::min(length - allowed_, exponent_cap_);
  const double power = math::pow(static_cast<double>(base_), static_cast<double>(exponent));
  return static_cast<float>(static_cast<double>(multiplier_) * power);
}

// Fills penalties_; false if the step ends early and changes nothing, not even `sorted`.
bool Dry::find_penalties(Work& work) noexcept {
  n_penalties_ = 0;
  const size_t n = window_.size();
  if (n <= allowed_) return false;
  window_.copy_backwards(history_.data());
  const size_t limit = repeat_limit(n, work);
  if (limit < allowed_) return false;
  match_lengths(n, limit, work);

  for (size_t i = 1; i < n; ++i) {
    if (lengths_[i] < allowed_) continue;
    const int32_t next = history_[i - 1];
    uint32_t& place = place_[window_.find(next)];
    if (place == dry_detail::no_place) {
      place = static_cast<uint32_t>(n_penalties_);
      penalties_[n_penalties_++] = {next, lengths_[i], 0.0f};
    } else {
      penalties_[place].length = std::max(penalties_[place].length, lengths_[i]);
    }
  }

  size_t kept = 0;
  for (size_t i = 0; i < n_penalties_; ++i) {
    Penalty p = penalties_[i];
    place_[window_.find(p.token)] = dry_detail::no_place;
    if (breakers_ != nullptr && breakers_->is_single(p.token)) continue;
    p.off = kept > 0 && penalties_[kept - 1].length == p.length ? penalties_[kept - 1].off : penalty(p.length);
    penalties_[kept++] = p;
  }
  n_penalties_ = kept;
  return true;
}

Status Dry::apply(Candidates& set, ErrorText&) noexcept {
  if (!find_penalties(*set.work)) return Status::ok;
  set.sorted = false;
  const auto subtract = [](float& logit, const Penalty& p) {
    if (!is_banned(logit)) logit -= p.off;
  };
  const Penalty* begin = penalties_.data();
  const Penalty* end = begin + n_penalties_;
  if (all_at_home(set, begin, end, [](const Penalty& p) { return p.token; })) {
    for (const Penalty* p = begin; p != end; ++p) subtract(set.data[p->token].logit, *p);
    return Status::ok;
  }
  for (const Penalty* p = begin; p != end; ++p) place_[window_.find(p->token)] = static_cast<uint32_t>(p - begin);
  for (size_t i = 0; i < set.size; ++i) {
    const size_t seen = window_.find(set.data[i].id);
    if (seen == TokenWindow::not_seen || place_[seen] == dry_detail::no_place) continue;
    subtract(set.data[i].logit, penalties_[place_[seen]]);
  }
  for (const Penalty* p = begin; p != end; ++p) place_[window_.find(p->token)] = dry_detail::no_place;
  return Status::ok;
}

bool Dry::edit(Row& row, Work& work) noexcept {
  if (window_.distinct() > edit_capacity()) return false;
  find_penalties(work);
  for (size_t i = 0; i < n_penalties_; ++i) {
    const Penalty& p = penalties_[i];
    if (p.token < 0 || static_cast<size_t>(p.token) >= row.n || !row.allowed(static_cast<size_t>(p.token))) continue;
    float* logit = row.edits->at(p.token, row.logits[p.token]);
    if (logit == nullptr) return false;
    if (!is_banned(*logit)) *logit -= p.off;
  }
  return true;
}

}  // namespace bankml
