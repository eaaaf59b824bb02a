// Rules without dead ends: in dialect `strict` no token is allowed behind which nothing can be completed, and so no place of the
// rules may be one that no text leaves. Tested by tests/grammar/strict.cpp
#pragma once

#include "core/grammar/rules.h"
#include "core/vocab/vocab.h"

namespace bankml::grammar {

// Leaves out every alternative that no text can go through: one with a set of no characters (surrogates are none), a reference to
// an end token, to one outside the vocabulary, or a rule without an alternative left. The root may be such a rule: nothing is
// allowed then. Elements stay where they are.
void leave_out_dead_ends(Rules& rules, const Vocab& vocab);

}  // namespace bankml::grammar
