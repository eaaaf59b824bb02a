// Random rows for the fast openings, and the plain way to the same answer: a full set, libstdc++'s heap or the bucket sort over it.
//
// Kinds are the recorded cases' recipes (sums of four 16-bit numbers) and what models give: bf16-rounded logits, sorted rows, few
// live ones.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include "core/candidates/candidates.h"
#include "core/candidates/edits.h"
#include "core/candidates/row.h"
#include "core/candidates/sort.h"
#include "tests/simd/levels.h"

namespace bankml::testing {

inline float recipe_logit(size_t kind, Dice& dice) {
  const uint64_t x = dice.bits();
  const int s = static_cast<int>((x & 0xFFFF) + ((x >> 16) & 0xFFFF) + ((x >> 32) & 0xFFFF) + (x >> 48)) - 131070;
  const float normal = static_cast<float>(s) * 0x1p-14f;
  const float infinity = std::numeric_limits<float>::infinity();
  switch (kind) {
    case 0:
      return normal;
    case 1:
      return static_cast<float>(s >> 12) * 0.25f;  // ties
    case 2:
      return static_cast<float>(s >> 15);  // coarse
    case 3:
      return static_cast<float>(s) * 0x1p-20f;  // flat
    case 4:
      return 1.0f;  // equal
    case 5:
      return dice.once_in(3) ? -infinity : normal;  // masked
    case 6:
      return dice.once_in(997) ? normal + static_cast<float>(dice.below(1024)) * 0x1p-7f : normal;  // peaked
    case 7:
      return std::bit_cast<float>((std::bit_cast<uint32_t>(normal) + 0x8000u) & 0xFFFF0000u);  // bf16
    case 8:
      return dice.once_in(200) ? normal : -infinity;  // few live ones
    case 9:
      return static_cast<float>(s) * 0x1p-9f;  // wide
    case 10:
      return normal - 40.0f;  // negative
    case 11:
      return dice.between(-1, 1) < 0 ? -0.0f : 0.0f;  // zeros of both signs
    default:
      return normal + 24.0f;  // positive
  }
}
inline constexpr size_t recipe_kinds = 13;

struct FastCase {
  std::vector<float> storage;
  std::vector<uint32_t> mask;
  Edits edits{512};
  Row row;
  size_t kind = 0;

  // The logits that the full set would hold.
  std::vector<float> effective() const {
    std::vector<float> logits(row.n);
    for (size_t id = 0; id < row.n; ++id) logits[id] = row.allowed(id) ? row.logits[id] : -std::numeric_limits<float>::infinity();
    if (row.edits != nullptr) {
      for (const Edit& edit : *row.edits) logits[static_cast<size_t>(edit.id)] = edit.logit;
    }
    return logits;
  }
};

// A row of n logits at a random alignment; edits as penalties and biases make them (half of them on the largest logits), masks of
// every density. At least one allowed logit is above -inf, so that the row is valid.
inline std::unique_ptr<FastCase> make_fast_case(Dice& dice, size_t n, bool with_edits, bool with_mask) {
  const float infinity = std::numeric_limits<float>::infinity();
  auto made = std::make_unique<FastCase>();
  FastCase& c = *made;
  c.kind = dice.below(recipe_kinds);
  const size_t lead = dice.below(16);
  c.storage.assign(n + 16, 0.0f);
  float* const x = c.storage.data() + lead;
  for (size_t i = 0; i < n; ++i) x[i] = recipe_logit(c.kind, dice);
  const size_t order = dice.below(12);
  if (order == 0) std::sort(x, x + n);
  if (order == 1) std::sort(x, x + n, [](float a, float b) { return a > b; });
  c.row.logits = x;
  c.row.n = n;
  if (with_mask) {
    c.mask.assign((n + 31) / 32, 0);
    const size_t density = dice.below(4);
    for (uint32_t& word : c.mask) {
      word = static_cast<uint32_t>(dice.bits());
      if (density == 0 && !dice.once_in(20)) word = 0;
      if (density == 1 && !dice.once_in(20)) word = ~0u;
    }
    c.row.mask = c.mask.data();
  }
  const size_t live = dice.below(n);
  if (with_mask) c.mask[live / 32] |= 1u << live % 32;
  if (x[live] == -infinity) x[live] = dice.between(-5, 5);
  if (with_edits) {
    std::vector<size_t> by_logit(n);
    for (size_t i = 0; i < n; ++i) by_logit[i] = i;
    const size_t head = std::min<size_t>(n, 64);
    std::partial_sort(by_logit.begin(), by_logit.begin() + static_cast<std::ptrdiff_t>(head), by_logit.end(),
                      [x](size_t a, size_t b) { return x[a] > x[b]; });
    const size_t count = dice.below(150);
    for (size_t e = 0; e < count; ++e) {
      const size_t id = dice.once_in(2) ? by_logit[dice.below(head)] : dice.below(n);
      if (!c.row.allowed(id)) continue;
      float* const logit = c.edits.at(static_cast<int32_t>(id), x[id]);
      switch (dice.below(6)) {
        case 0:
          *logit -= 0.5f;
          break;
        case 1:
          *logit = *logit <= 0 ? *logit * 1.25f : *logit / 1.25f;
          break;
        case 2:
          *logit += dice.between(0, 10);
          break;
        case 3:
          *logit = -infinity;
          break;
        case 4:
          *logit = x[dice.below(n)];
          break;
        default:
          break;  // an edit that changes nothing
      }
    }
    c.edits.sort();
    c.row.edits = &c.edits;
  }
  return made;
}

// Storage for a set of n, with a stamp in front and behind that tells whether somebody wrote there.
struct SetStorage {
  explicit SetStorage(size_t n) : data(n + 1), scratch(n + 1) {}
  Candidates set(size_t capacity, size_t n_vocab, const simd::Kernels* kernels) {
    Candidates s;
    s.data = data.data();
    s.scratch = scratch.data();
    s.capacity = capacity;
    s.n_vocab = n_vocab;
    s.kernels = kernels;
    s.work = &work;
    return s;
  }
  std::vector<Candidate> data, scratch;
  Work work;
};

// What the plain chain's top_k leaves of the row.
inline std::vector<Candidate> plain_top_k(const FastCase& c, size_t k) {
  const std::vector<float> logits = c.effective();
  SetStorage storage(c.row.n);
  Candidates set = storage.set(c.row.n, c.row.n, simd::kernels_of(simd::Level::scalar));
  set.size = c.row.n;
  for (size_t id = 0; id < c.row.n; ++id) set.data[id] = {static_cast<int32_t>(id), logits[id], 0.0f};
  sort_in_place(set, std::min(k, c.row.n));
  return {set.data, set.data + set.size};
}

inline bool same_records(const Candidate* a, const Candidate* b, size_t n) {
  for (size_t i = 0; i < n; ++i) {
    if (a[i].id != b[i].id || std::bit_cast<uint32_t>(a[i].logit) != std::bit_cast<uint32_t>(b[i].logit) || a[i].p != 0.0f)
      return false;
  }
  return true;
}

// Mostly small rows, some of thousands, few at the size of a vocabulary.
inline size_t random_size(Dice& dice, bool large) {
  if (large) return 100000 + dice.below(60001);
  return dice.once_in(2) ? 1 + dice.below(5000) : 1 + dice.below(300);
}

}  // namespace bankml::testing
