// From params to the steps of the chain: which are on, in which order, with which breakers and biases.
//
// Tested by tests/chain/plan.cpp
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/params/params.h"
#include "core/steps/step.h"
#include "core/vocab/vocab.h"

namespace bankml {

// Steps that are off are left out; the last one selects. vocab may be nullptr (a host without pieces). Throws Failure: arg for a
// step that needs pieces, open_text for a text without tokens. Warnings are appended.
std::vector<std::unique_ptr<Step>> build_steps(const Params& params, std::shared_ptr<const Vocab> vocab, size_t n_vocab,
                                               uint32_t seed, std::vector<std::string>& warnings);

}  // namespace bankml
