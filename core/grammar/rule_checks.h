// What must not be in a set of rules, and which rules may match nothing. Tested by tests/grammar/rule_checks.cpp
#pragma once

#include <cstdint>
#include <vector>

#include "core/grammar/rules.h"

namespace bankml::grammar {

// The reference's check, over all rules: follows leftmost references, past a reference only if one of its alternatives has no
// elements. Nullability through other rules is not seen, so some left recursion passes; order_of_calls finds the rest.
// Throws Failure(parse) with the reference's text.
void refuse_left_recursion(const Rules& rules);

// Whether each rule can match the empty text.
std::vector<bool> nullable_rules(const Rules& rules);

// For each rule a rank such that a rule has a higher rank than those that it may begin with. Rules that begin with each other share
// one, which is sound only if each such call is the last thing that its alternative does (then nothing piles up, and the reference
// merges equal stacks). Any other call inside of such a ring is left recursion that the reference does not see: its state would
// grow without end. Throws Failure(parse) for that, among the rules that the root reaches; ranks of others are 0.
std::vector<uint32_t> order_of_calls(const Rules& rules, const std::vector<bool>& nullable);

}  // namespace bankml::grammar
