// Steps that the values turn on although the order does not list them: a parameter without effect, said aloud.
//
// A step counts as configured when one of its values differs from the default and its values together turn it on; the defaults of a
// step that somebody left out on purpose say nothing. Under Mirostat the order is not used, so nothing is reported.
// Tested by tests/params/omitted_steps.cpp
#pragma once

#include <string>
#include <vector>

#include "core/params/params.h"

namespace bankml {

// One sentence per step, in the order of the default chain.
std::vector<std::string> omitted_steps(const Params& params);

}  // namespace bankml
