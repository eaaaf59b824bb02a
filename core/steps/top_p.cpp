// top_p: see top_p.h.
//
// Computes: softmax in the order of the set as it is; then, in descending order of logit, a running float sum of p, up to and with
// the first candidate where it is at least p and min_keep are kept. No such candidate: all stay, sorted. Source: Holtzman et al.,
// "The Curious Case of Neural Text Degeneration" (2020). Quirks kept: the denominator is summed before the set is sorted. More than
// 1,024 unsorted candidates are not sorted at once: the 256 largest are tried first (bucket_sort), all only if their mass does not
// suffice. The running sum goes on, while the kept prefix comes from the second array; with ties the two arrays may order equal
// logits differently.
//
// Tested by tests/steps/top_p.cpp
#include "core/math/fp_env.h"

#include "core/steps/top_p.h"

#include "core/candidates/softmax.h"
#include "core/candidates/sort.h"

namespace bankml {

Status TopP::apply(Candidates& set, ErrorText&) noexcept {
  constexpr size_t probe = 256;
  constexpr size_t probed_above = 1024;
  if (off(p_) || set.size == 0) return Status::ok;
  softmax(set, false);
  const size_t n = set.size;
  const bool probing = !set.sorted && n > probed_above;
  size_t in_order = n;  // candidates that `ordered` holds in order
  if (probing) {
    in_order = probe;
    bucket_sort(set.data, n, probe, set.scratch, *set.kernels);
  } else if (!set.sorted) {
    sort_in_place(set, n);
  }
  const Candidate* ordered = probing ? set.scratch : set.data;

  size_t kept = 0;
  float sum = 0.0f;
  while (kept < n) {
    if (kept == in_order) {
      bucket_sort(set.data, n, n, set.scratch, *set.kernels);
      count_sort(set, n);
      in_order = n;
    }
    sum += ordered[kept++].p;
    if (sum >= p_ && kept >= min_keep_) break;
  }
  if (probing) set.swap_scratch();
  set.size = kept;
  set.sorted = true;
  return Status::ok;
}

}  // namespace bankml
