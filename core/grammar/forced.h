// The bytes with which every text from a configuration on begins. Tested by tests/grammar/grammar.cpp
#pragma once

#include <cstddef>
#include <string>

#include "core/grammar/machine.h"

namespace bankml::grammar {

// At most `most` bytes. Ends where ending is possible, a token element is next, or two continuations differ; perhaps inside of a
// character whose first bytes are common to all that may stand there. Code points that UTF-8 does not have force nothing.
std::string forced_text(Machine& machine, Config config, Unfinished inside, size_t most);

}  // namespace bankml::grammar
