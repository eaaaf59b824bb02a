// What the steps share that change logits by token id: penalties, dry, logit_bias.
//
// A fresh set holds token i at index i, so the few touched ids can be changed there instead of looking up every candidate. A token
// that stands at -inf (masked or banned) keeps -inf whatever is added: only an infinite change could make a difference, and that
// would be NaN.
//
// Tested by tests/steps/by_id.cpp
#pragma once

#include "core/math/fp_env.h"

#include <cstddef>
#include <cstdint>
#include <limits>

#include "core/candidates/candidates.h"

namespace bankml {

inline bool is_banned(float logit) noexcept { return logit == -std::numeric_limits<float>::infinity(); }

// Whether `id` stands at its own index.
inline bool is_at_home(const Candidates& set, int32_t id) noexcept {
  return id >= 0 && static_cast<size_t>(id) < set.size && set.data[id].id == id;
}

// Whether every id of [begin, end), read by `id_of`, stands at its own index in a set as large as the vocabulary; then no other
// candidate has one of these ids.
template <class Iterator, class IdOf>
bool all_at_home(const Candidates& set, Iterator begin, Iterator end, IdOf id_of) noexcept {
  if (set.size != set.n_vocab) return false;
  for (Iterator i = begin; i != end; ++i) {
    if (!is_at_home(set, id_of(*i))) return false;
  }
  return true;
}

}  // namespace bankml
