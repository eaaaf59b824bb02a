// Rows with masks, for comparing a sparse step's edits with what the same step does to a full set.
//
// Tested by tests/steps/by_id.cpp
#pragma once

#include "core/math/fp_env.h"

#include <gtest/gtest.h>

#include <vector>

#include "core/steps/step.h"
#include "tests/reference/set_box.h"

namespace bankml::test {

// Applies `steps` to a fresh set under a mask, and to a Row by edits; both must give the same logits.
inline testing::AssertionResult edits_equal_apply(const std::vector<Step*>& steps, const std::vector<float>& logits,
                                                  const std::vector<uint32_t>* mask) {
  Row row;
  row.logits = logits.data();
  row.n = logits.size();
  row.mask = mask == nullptr ? nullptr : mask->data();
  size_t capacity = 0;
  for (const Step* step : steps) capacity += step->edit_capacity();
  Edits edits(capacity);
  row.edits = &edits;

  plain::Set masked = fresh(logits);
  for (size_t i = 0; i < logits.size(); ++i) {
    if (!row.allowed(i)) masked.tokens[i].logit = plain::minus_infinity;
  }
  SetBox box(masked);
  for (Step* step : steps) {
    if (step->apply(box.set, box.error) != Status::ok) return testing::AssertionFailure() << step->name() << " failed";
    if (!step->edit(row, box.work)) return testing::AssertionFailure() << step->name() << " does not edit";
  }
  for (const Edit& e : edits) {
    if (!row.allowed(static_cast<size_t>(e.id))) return testing::AssertionFailure() << "an edit of a forbidden token, " << e.id;
  }
  for (size_t i = 0; i < logits.size(); ++i) {
    const auto id = static_cast<int32_t>(i);
    const float* edited = edits.find(id);
    const float ours = edited != nullptr ? *edited : row.allowed(i) ? logits[i] : plain::minus_infinity;
    if (same_bits(ours, box.set.data[i].logit)) continue;
    return testing::AssertionFailure() << "token " << id << ": " << ours << " by edit, " << box.set.data[i].logit << " by apply";
  }
  return testing::AssertionSuccess();
}

// A random row and, half of the time, a random mask.
struct MaskedRow {
  std::vector<float> logits;
  std::vector<uint32_t> mask;
  bool has_mask;

  explicit MaskedRow(RandomSets& random) : has_mask(random.below(2) == 0) {
    plain::Set s = random.next(1 + random.below(300));
    for (const plain::Token& t : s.tokens) logits.push_back(t.logit);
    mask.resize((logits.size() + 31) / 32);
    for (uint32_t& word : mask) word = static_cast<uint32_t>(random.rng()() | random.rng()());
  }
  const std::vector<uint32_t>* mask_or_null() const { return has_mask ? &mask : nullptr; }
};

}  // namespace bankml::test
