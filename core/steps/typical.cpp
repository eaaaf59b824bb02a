// typical: see typical.h.
//
// Computes: softmax over the sorted set; entropy = sum of -p * logf(p) as a float, in order; score = |-logf(p) - entropy|;
// candidates in ascending order of score (std::sort's, ties included) are kept up to and with the one where the running float sum
// of p exceeds p. Source: Meister et al., "Locally Typical Sampling" (2022). Quirks kept: a p that has underflowed to 0 makes -0 *
// -inf = NaN, so the entropy and every score are NaN; every comparison is then false, and the sort permutes as it does for equal
// keys. The kept set stays in the order of the scores and is not `sorted`. Memory: scores and indices live in the scratch array, at
// its end, so that the kept candidates can be written from its beginning: the candidate written for rank j ends at byte 12 j + 12,
// the pair of rank j + 1 begins at 4 n + 8 j + 8, and j < n.
//
// Tested by tests/steps/typical.cpp
#include "core/math/fp_env.h"

#include "core/steps/typical.h"

#include <cmath>
#include <new>

#include "core/candidates/softmax.h"
#include "core/candidates/sort.h"
#include "core/math/logf.h"
#include "core/order/introsort.h"

namespace bankml {

namespace typical_detail {

struct Scored {
  float score;
  uint32_t index;
};
static_assert(sizeof(Scored) == 8 && alignof(Scored) <= alignof(Candidate));

struct LowerScore {
  bool operator()(const Scored& a, const Scored& b) const noexcept { return a.score < b.score; }
};

}  // namespace typical_detail

Status Typical::apply(Candidates& set, ErrorText&) noexcept {
  using namespace typical_detail;
  if (off(p_) || set.size == 0) return Status::ok;
  softmax(set, true);
  const size_t n = set.size;

  // The logarithms are needed twice: they wait in the place of the scores.
  auto* const bytes = reinterpret_cast<unsigned char*>(set.scratch);
  Scored* const ranked = reinterpret_cast<Scored*>(bytes + n * (sizeof(Candidate) - sizeof(Scored)));
  float entropy = 0.0f;
  for (size_t i = 0; i < n; ++i) {
    const float p = set.data[i].p;
    const float logarithm = math::logf(p);
    new (ranked + i) Scored{logarithm, static_cast<uint32_t>(i)};
    entropy += -p * logarithm;
  }
  for (size_t i = 0; i < n; ++i) ranked[i].score = std::fabs(-ranked[i].score - entropy);
  order::introsort(ranked, ranked + n, LowerScore{});
  count_sort(set, n);

  size_t kept = 0;
  float sum = 0.0f;
  while (kept < n) {
    const Candidate candidate = set.data[ranked[kept].index];
    new (set.scratch + kept) Candidate(candidate);
    ++kept;
    sum += candidate.p;
    if (sum > p_ && (min_keep_ == 0 || kept >= min_keep_)) break;
  }
  set.swap_scratch();
  set.size = kept;
  set.sorted = false;
  return Status::ok;
}

}  // namespace bankml
